"""Corpora to measure on: sources and documentation of the running Python and its packages."""

import random
import sysconfig
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

SEED = 20261121
SUFFIXES = {".py", ".pyi", ".rst", ".md", ".txt"}


def source_files() -> list[Path]:
    """Every file of sources or documentation, shuffled, in the same order each time."""
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")}
    found = {path for folder in folders for path in Path(folder).rglob("*") if path.suffix in SUFFIXES}
    files = sorted(path for path in found if path.is_file())
    random.Random(SEED).shuffle(files)
    return files


def _texts() -> Iterator[str]:
    """Their texts, again and again."""
    for path in cycle(source_files()):
        try:
            yield path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue


def write_corpus(folder: Path, size: int) -> None:
    """Fill ``folder`` with files of ``size`` bytes in total; the last one ends at a character."""
    left = size
    for number, text in enumerate(_texts()):
        data = text.encode()[:left].decode("utf-8", "ignore").encode()
        (folder / f"{number:06}.txt").write_bytes(data)
        left -= len(data)
        if left < 4:
            return
