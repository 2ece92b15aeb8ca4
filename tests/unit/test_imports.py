"""What imports what: the core needs no user interface, and imports point one way."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PACKAGE = ROOT / "bpeviz"

#: From the bottom up: a package imports only packages above it in this list.
PACKAGES = [
    "errors",
    "words",
    "spreadsheet",
    "cached",
    "shown",
    "app_folder",
    "decoders",
    "limits",
    "glossary",
    "workers",
    "text",
    "core",
    "pipelines",
    "corpus",
    "tokenizer",
    "formats",
    "training",
    "analysis",
    "audit",
    "parity",
    "merge_check",
    "charts",
    "runs",
    "lessons",
    "browser",
    "standalone",
    "sessions",
    "public",
    "__init__",
    "ui/server",
    "ui/session",
    "ui/kit",
    "ui/encode",
    "ui/recipes",
    "ui/vocabulary",
    "ui/learn",
    "ui/compare",
    "ui/watch",
    "ui",
    "cli",
    "__main__",
]
#: A new process runs from the folder that has the package.
RUNS_FROM_THE_TOP = {"child_process.py"}
#: A package for each page.
PAGES = {"ui/watch", "ui/compare", "ui/encode", "ui/vocabulary", "ui/recipes", "ui/learn"}
#: The names that callers of the package use; the package itself imports what they stand for.
FOR_CALLERS = {"public"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def package(module: str) -> str:
    """ui.watch.page -> ui/watch; the frame around all pages, ui.page -> ui"""
    parts = module.split(".")
    inside = parts[:2] if (PACKAGE / "/".join(parts[:2])).is_dir() else parts[:1]
    return "/".join(inside)


def package_of(path: Path) -> str:
    """bpeviz/formats/gpt2.py -> formats"""
    inside = path.relative_to(PACKAGE).with_suffix("")
    return package(".".join(inside.parts).removesuffix(".__init__"))


def imported(path: Path) -> set[str]:
    """The full name of every module that a file imports, wherever in it; relative ones made absolute."""
    names: set[str] = set()
    package = (PACKAGE.name, *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (start, node.module)))
            # "from bpeviz import x" may name a module of the package or a name in it
            names |= (
                {f"{module}.{alias.name}" for alias in node.names} if module == PACKAGE.name else {module}
            )
    return names


def brought_in_by(module: str) -> set[str]:
    """The modules that importing one brings in, in a new interpreter."""
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def run_alone(program: str) -> str:
    """What a program writes to standard error in a new interpreter."""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return run.stderr


def test_importing_the_package_brings_in_no_user_interface():
    found = brought_in_by("bpeviz.public")
    assert "bpeviz.training.trainer" in found
    assert not found & {"streamlit", "plotly"}
    assert not found & {"tokenizers", "sentencepiece"}, "only files that need them load them"


def test_the_charts_need_no_streamlit():
    found = brought_in_by("bpeviz.charts")
    assert "plotly" in found
    assert "streamlit" not in found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = package_of(path)
    assert here in PACKAGES, f"say in PACKAGES where {here} belongs"
    names = {name.removeprefix("bpeviz.") for name in imported(path) if name.startswith("bpeviz.")}
    for other in {package(name) for name in names if name != "__version__"} - {here}:
        assert PACKAGES.index(other) < PACKAGES.index(here), f"{here} must not import {other}"
        assert other not in FOR_CALLERS or here in ("public", "__init__"), "import the module that is meant"
    assert "bpeviz" not in imported(path), "import the module that is meant, not the whole package"


def test_no_module_imports_itself_by_way_of_others():
    graph = {module_name(path): imported(path) for path in modules() if path.name != "__init__.py"}
    order = TopologicalSorter({name: others & graph.keys() for name, others in graph.items()})
    order.prepare()  # raises CycleError


def module_name(path: Path) -> str:
    """bpeviz/formats/gpt2.py -> bpeviz.formats.gpt2"""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_page_imports_no_other_page(path):
    here = next((page for page in PAGES if path.is_relative_to(PACKAGE / page)), None)
    if here is not None:
        names = [name.removeprefix("bpeviz.").replace(".", "/") for name in imported(path)]
        others = {page for page in PAGES for name in names if name.startswith(f"{page}/")}
        assert others <= {here}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_user_interface_imports_streamlit(path):
    streamlit = {name for name in imported(path) if name.split(".")[0] == "streamlit"}
    assert path.is_relative_to(PACKAGE / "ui") or not streamlit


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_charts_and_the_user_interface_import_plotly(path):
    plotly = {name for name in imported(path) if name.split(".")[0] == "plotly"}
    assert path.is_relative_to(PACKAGE / "ui") or package_of(path) == "charts" or not plotly


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_that_is_read_by_its_path_is_in_the_package_that_reads_it(path):
    """An import shows that a package needs another one; a path to its files would hide it."""
    climbs = re.findall(r"__file__\)[\w.()]*?(\.parents\b|\.parent\.parent\b)", path.read_text("utf-8"))
    assert not climbs or path.name in RUNS_FROM_THE_TOP


def test_importing_the_package_brings_in_its_errors():
    assert {"bpeviz.errors", "bpeviz.formats"} <= brought_in_by("bpeviz.public")


def test_a_process_that_trains_imports_neither_file_formats_nor_comparisons():
    found = brought_in_by("bpeviz.training.in_worker")
    assert "bpeviz.training.trainer" in found
    assert not {name for name in found if name.startswith(("bpeviz.formats", "bpeviz.analysis"))}


def test_importing_the_package_loads_the_public_names_when_one_is_used():
    assert "bpeviz.public" not in brought_in_by("bpeviz")
    program = (
        "from bpeviz import *; import bpeviz; raise SystemExit(set(bpeviz.__all__) - set(dir()) or None)"
    )
    assert not run_alone(program)
    program = "import bpeviz; bpeviz.errors.BpevizError; bpeviz.Trainer; bpeviz.nothing"
    assert "module 'bpeviz' has no attribute 'nothing'" in run_alone(program)


def test_the_public_names_are_there():
    import bpeviz

    promised = {
        "BpevizError",
        "Corpus",
        "MergeHistory",
        "MergeStep",
        "RECIPES",
        "Recipe",
        "Tokenizer",
        "Trainer",
        "compare",
        "load_pretrained",
        "train",
    }
    assert promised <= set(bpeviz.__all__)
    assert all(hasattr(bpeviz, name) for name in bpeviz.__all__)
    assert callable(bpeviz.compare)  # the function, not the module of that name


def test_the_core_is_imported_without_pandas():
    """It takes longer to import, and more memory, than all that trains and encodes."""
    program = "import sys, bpeviz; raise SystemExit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
