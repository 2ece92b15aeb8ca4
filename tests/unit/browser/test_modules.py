"""Scripts of components: how modules become one, and the rules that follow."""

import re
from collections import Counter
from graphlib import CycleError
from pathlib import Path

import pytest

from bpeviz.browser.parts import PARTS, join_modules
from tests.support.paths import ROOT

FOLDER = ROOT / "bpeviz/browser"
SCRIPTS = sorted(FOLDER.rglob("*.js"))
#: The scripts of the first page, of standalone pages and of a worker run by themselves.
PAGES = [
    FOLDER / "app_page/connection.js",
    FOLDER / "standalone/loader.js",
    FOLDER / "standalone/comparison_page.js",
    FOLDER / "standalone/run_page.js",
    FOLDER / "playground/playground_page.js",
    FOLDER / "playground/folder_page.js",
    FOLDER / "trainer/worker.js",
]
#: Streamlit calls it for each part.
PART_LOADER = FOLDER / "app_page/load_part.js"
#: The first page has it.
FETCHES_PARTS = FOLDER / "app_page/fetch_part.js"
#: anywidget loads it, as one module.
WIDGET = FOLDER / "standalone/live.js"
#: What runs: the scripts of the parts, which Streamlit calls, and those of standalone pages.
ENTRIES = PAGES + sorted({FOLDER / part.script for part in PARTS.values()})
#: From the bottom up: a folder imports from itself and from those above it in this list.
FOLDERS = [
    "shared",
    "trainer",
    "encoder",
    "player",
    "biography",
    "boundary_rows",
    "lesson",
    "comparer",
    "standalone",
    "playground",
]
IMPORT = re.compile(r'import \{\s*\w+(?:,\s*\w+)*,?\s*\} from "\.\.?/[\w./]+\.js";')
DECLARED = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:class|const|function\*?|let|var) (\w+)", re.MULTILINE
)


def name(script: Path) -> str:
    return script.relative_to(FOLDER).as_posix()


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


def test_comments_stay_behind_unless_code_is_on_their_lines(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main="// @ts-check\n// Adds.\n\n/**\n * @param {string} a * b\n */\n"
        "const f = (a) => /** @type {any} */ (a); // as it is\n  // indented\nconst url = `\nhttps://a.b/*`;\n",
    )
    assert join_modules(main) == (
        "\nconst f = (a) => /** @type {any} */ (a); // as it is\nconst url = `\nhttps://a.b/*`;\n"
    )


def test_no_text_of_a_script_looks_like_a_comment() -> None:
    texts = [text for each in SCRIPTS for text in re.findall(r"`[^`]*`", each.read_text("utf-8"))]
    assert any("\n" in text for text in texts)
    assert not [text for text in texts if re.search(r"\n\s*(?://|/\*)", text)]


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    main = write(
        tmp_path,
        main='import { a } from "./a.js";\nexport const b = a;\n',
        a='import { b } from "./main.js";\nexport const a = b;\n',
    )
    with pytest.raises(CycleError):
        join_modules(main)


def test_every_script_that_streamlit_calls_is_that_of_a_part() -> None:
    called = {each for each in SCRIPTS if "export default" in each.read_text("utf-8") and each != WIDGET}
    assert called == set(ENTRIES) - set(PAGES)


def test_every_style_and_page_of_html_is_that_of_a_part() -> None:
    used = {name for part in PARTS.values() for name in (part.page, *part.styles) if name}
    there = {name(each) for each in [*FOLDER.rglob("*.css"), *FOLDER.rglob("*.html")]}
    used.add("app_page/first_page.css")  # ui/server/first_page.py has it, and its script
    assert used == {each for each in there if not each.startswith(("standalone/", "playground/"))}


def test_no_style_has_what_webkit_cannot_do() -> None:
    """It never ends when it hides what holds an element with position-try, and drops a text-decoration of
    two words."""
    styles = [*FOLDER.parent.rglob("*.css"), *FOLDER.parent.rglob("*.html"), *SCRIPTS]
    faults = re.compile(r"position-try[-\w]*:|text-decoration: \w+ ")
    assert not [each for each in styles if faults.search(each.read_text("utf-8"))]


def test_styles_ask_for_a_mouse_by_any_hover() -> None:
    """A tablet with a mouse, or a laptop with a touchscreen, has both."""
    asks = re.compile(r"\(hover\b")
    assert not [
        each for each in [*FOLDER.parent.rglob("*.css"), *SCRIPTS] if asks.search(each.read_text("utf-8"))
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_folders_import_one_way(script: Path) -> None:
    here = name(script).split("/", maxsplit=1)[0]
    for other in set(re.findall(r'from "\.\./(\w+)/', script.read_text("utf-8"))):
        assert other == "shared" or FOLDERS.index(other) < FOLDERS.index(here)


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_a_module_imports_in_the_one_form_that_is_joined(script: Path) -> None:
    source = script.read_text("utf-8")
    assert source.startswith("// @ts-check\n")
    imports = re.findall(r"^import\b[^;]*;", source, re.MULTILINE)
    assert all(IMPORT.fullmatch(each) for each in imports)
    assert not re.search(r"^export [{*]", source, re.MULTILINE)
    assert ("import(" in source) == (script == FETCHES_PARTS)  # it imports a joined module


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_a_component_is_one_module_in_which_every_name_is_declared_once(entry: Path) -> None:
    joined = join_modules(entry)
    assert re.findall(r"^(?:import|export)\b.*", joined, re.MULTILINE) == re.findall(
        r"^export default .*", entry.read_text("utf-8"), re.MULTILINE
    )
    functions = joined.count("\nexport default function (") + joined.startswith("export default function (")
    assert functions == (0 if entry in PAGES else 1)
    repeated = [each for each, times in Counter(DECLARED.findall(joined)).items() if times > 1]
    assert repeated == []


def test_every_module_is_part_of_a_component() -> None:
    joined = [join_modules(entry) for entry in ENTRIES]
    for script in set(SCRIPTS) - set(ENTRIES) - {PART_LOADER}:
        declared = DECLARED.search(script.read_text("utf-8"))
        assert declared, name(script)
        assert any(declared[0].removeprefix("export ") in each for each in joined), name(script)
