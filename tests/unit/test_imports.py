"""What imports what: the core needs no user interface, and imports point one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PACKAGE = ROOT / "bpeviz"

#: From the bottom up: a module imports only from layers below its own, never from beside it.
LAYERS = [
    {
        "interrupts",
        "errors",
        "file_names",
        "background_work",
        "time_left",
        "token_text",
        "token_color",
        "unicode_scripts",
        "whole_numbers",
    },
    {"ties"},
    {"pattern_worker", "pattern_size", "child_process", "process_messages"},
    {"pattern_process"},
    {"utf8", "split_patterns", "base_vocabulary", "database_file"},
    {"blocks", "gap_ranks", "pre_token_ends", "work_room"},
    {"counting", "work_store"},
    {"corpus"},
    {"special_tokens"},
    {"recipes", "count_files", "dask_counting"},
    {"token_chain"},
    {"pair_index", "pair_lives", "reach", "mergeable_ranks", "merging_orders"},
    {"rust_merger", "encoding_rules"},
    {"tokenizer"},
    {"history", "encoding"},
    {"learned"},
    {"trainer"},
    {"fork"},
    {"text_training"},
    {"training_messages"},
    {
        "training_process",
        "recipe_trainings",
        "pretrained",
        "compare",
        "vocabulary_overlap",
        "text_statistics",
        "vocabulary",
        "one_token",
        "id_list",
        "formats",
        "parity",
        "charts",
    },
    {"disagreement", "reading_process"},
    {"cli"},
    {"__init__"},
    {"__main__", "ui"},
]
#: The only import from a layer above, by file: the command ``app`` imports the page when it runs.
UPWARD = {("cli/app.py", "ui")}
LAYER = {name: height for height, names in enumerate(LAYERS) for name in names}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def place(path: Path) -> str:
    """bpeviz/formats/gpt2.py -> formats"""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


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
    """The modules that importing one brings in, in an interpreter of its own."""
    code = f"import sys, {module}; print(*sys.modules, sep='\\n')"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_brings_in_no_user_interface():
    found = brought_in_by("bpeviz")
    assert "bpeviz.trainer" in found
    assert not found & {"streamlit", "plotly"}


def test_the_charts_need_no_streamlit():
    found = brought_in_by("bpeviz.charts")
    assert "plotly" in found
    assert "streamlit" not in found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path):
    here = place(path)
    assert here in LAYER, f"say in LAYERS where bpeviz.{here} belongs"
    ours = {name.split(".")[1] for name in imported(path) if name.startswith("bpeviz.")}
    for other in (ours & LAYER.keys()) - {here}:
        file = path.relative_to(PACKAGE).as_posix()
        assert LAYER[other] < LAYER[here] or (file, other) in UPWARD, (
            f"bpeviz.{here} must not import bpeviz.{other}"
        )
    assert "bpeviz" not in imported(path), "import the module that is meant, not the whole package"


@pytest.mark.parametrize(("file", "other"), sorted(UPWARD))
def test_an_import_that_points_upward_is_made_when_it_is_needed(file, other):
    path = PACKAGE / file
    tree = ast.parse(path.read_text("utf-8"))
    at_once = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert any(name.startswith(f"bpeviz.{other}") for name in imported(path))
    assert not any(f"bpeviz.{other}" in line for line in at_once)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_user_interface_imports_streamlit(path):
    streamlit = {name for name in imported(path) if name.split(".")[0] == "streamlit"}
    assert place(path) == "ui" or not streamlit


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_charts_and_the_user_interface_import_plotly(path):
    plotly = {name for name in imported(path) if name.split(".")[0] == "plotly"}
    assert place(path) in ("charts", "ui") or not plotly


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
