"""Scripts of components: how modules become one, and the rules that follow."""

import re
from collections import Counter
from graphlib import CycleError
from pathlib import Path

import pytest

from bpeviz.figures.modules import join_modules
from tests.support.paths import ROOT

PACKAGE = ROOT / "bpeviz"
SCRIPTS = sorted(PACKAGE.rglob("*.js"))
#: The scripts of figures run by themselves; the loader is no module.
FIGURES = [PACKAGE / "figures/comparison_page.js", PACKAGE / "figures/run_page.js"]
LOADER = PACKAGE / "figures/loader.js"
#: anywidget loads it, as one module.
WIDGET = PACKAGE / "figures/live.js"
#: The modules that have a component's function, which Streamlit calls.
ENTRIES = FIGURES + [
    script for script in SCRIPTS if "export default" in script.read_text("utf-8") and script != WIDGET
]
IMPORT = re.compile(r'import \{\s*\w+(?:,\s*\w+)*,?\s*\} from "\.\.?/[\w./]+\.js";')
DECLARED = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:class|const|function\*?|let|var) (\w+)", re.MULTILINE
)


def name(script: Path) -> str:
    return script.relative_to(PACKAGE).as_posix()


def write(folder: Path, **modules: str) -> Path:
    for module, source in modules.items():
        (folder / f"{module}.js").write_text(source, "utf-8")
    return folder / "main.js"


def test_a_module_follows_what_it_imports_and_imports_nothing(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main='import { twice } from "./twice.js";\n\nexport default function () {\n  twice();\n}\n',
        twice='import { one } from "./one.js";\nexport const twice = () => one + one;\n',
        one="export const one = 1;\n",
    )
    joined = join_modules(main)
    assert joined == (
        "const one = 1;\n\nconst twice = () => one + one;\n\n\nexport default function () {\n  twice();\n}\n"
    )


def test_a_module_that_two_import_comes_once_and_several_lines_are_one_import(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main='import { a } from "./a.js";\nimport {\n  b,\n  c,\n} from "./b.js";\na(b, c);\n',
        a='import { c } from "./b.js";\nexport function a() {}\n',
        b="export const b = 1;\nexport const c = 2;\n",
    )
    assert join_modules(main) == "const b = 1;\nconst c = 2;\n\nfunction a() {}\n\na(b, c);\n"


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main='import { a } from "./a.js";\nexport const b = a;\n',
        a='import { b } from "./main.js";\nexport const a = b;\n',
    )
    with pytest.raises(CycleError):
        join_modules(main)


def test_the_scripts_of_the_page_are_there() -> None:
    assert {name(script) for script in ENTRIES} == {
        "figures/comparison_page.js",
        "figures/run_page.js",
        "ui/components/biography/biography.js",
        "ui/components/boundary_rows/boundary_rows.js",
        "ui/components/chart_export/chart_export.js",
        "ui/components/comparer/comparer.js",
        "ui/components/copy_link/copy_link.js",
        "ui/components/encoder/encoder.js",
        "ui/components/encoder/orders.js",
        "ui/components/player/page_file.js",
        "ui/components/player/pair_pack.js",
        "ui/components/player/pairs.js",
        "ui/components/player/player.js",
        "ui/components/player/remote.js",
        "ui/components/pattern_check/pattern_check.js",
        "ui/pages/merges/text_menu.js",
        "ui/shell/history.js",
        "ui/shell/remember.js",
        "ui/components/text_box/text_box.js",
        "ui/widgets/drop_zone.js",
        "ui/widgets/training_bar.js",
    }


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_a_module_imports_in_the_one_form_that_is_joined(script: Path) -> None:
    source = script.read_text("utf-8")
    assert source.startswith("// @ts-check\n")
    imports = re.findall(r"^import\b[^;]*;", source, re.MULTILINE)
    assert all(IMPORT.fullmatch(each) for each in imports)
    assert not re.search(r"^export [{*]|\bimport\(", source, re.MULTILINE)


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_a_component_is_one_module_in_which_every_name_is_declared_once(entry: Path) -> None:
    joined = join_modules(entry)
    assert re.findall(r"^(?:import|export)\b.*", joined, re.MULTILINE) == re.findall(
        r"^export default .*", entry.read_text("utf-8"), re.MULTILINE
    )
    functions = joined.count("\nexport default function (") + joined.startswith("export default function (")
    assert functions == (0 if entry in FIGURES else 1)
    repeated = [each for each, times in Counter(DECLARED.findall(joined)).items() if times > 1]
    assert repeated == []


def test_every_module_is_part_of_a_component() -> None:
    joined = [join_modules(entry) for entry in ENTRIES]
    for script in set(SCRIPTS) - set(ENTRIES) - {LOADER}:
        declared = DECLARED.search(script.read_text("utf-8"))
        assert declared, name(script)
        assert any(declared[0].removeprefix("export ") in each for each in joined), name(script)
