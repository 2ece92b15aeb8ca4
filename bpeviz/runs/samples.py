"""Sample texts: short ones from the project, and the source code of Python's standard library; and the run
of one of them that a new session opens with."""

import os
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

from bpeviz.app_folder import APP_FOLDER
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import run_request, train_run
from bpeviz.training.settings import TrainingSettings

__all__ = [
    "ENGLISH",
    "FIRST_STEP",
    "FIRST_STOP",
    "MEGABYTES",
    "SAMPLES",
    "STANDARD_LIBRARY",
    "Sample",
    "first_run",
    "read_sample",
]

_FOLDER = APP_FOLDER / "sample_texts"


@dataclass(frozen=True)
class Sample:
    """A sample text: its ``title``, what it shows about BPE, and its file in ``sample_texts``."""

    title: str
    shows: str
    file_name: str


ENGLISH = Sample(
    "English prose",
    "Stems and endings: light, lighthouse, lighter; weather, weathering.",
    "english-prose.txt",
)
STANDARD_LIBRARY = Sample(
    "Python standard library",
    "Several megabytes of real source code: the modules of the Python that runs this page.",
    "",
)

#: How much of the standard library a corpus can be.
MEGABYTES = (1, 2, 4, 8)

SAMPLES: dict[str, Sample] = {
    s.title: s
    for s in (
        Sample("aaabdaaabac", "The textbook example, 11 letters: aa first.", "aaabdaaabac.txt"),
        Sample(
            "hug pug pun bun hugs",
            "Five words with the counts of the Hugging Face course: ug, un, hug.",
            "hug-pug-pun.txt",
        ),
        ENGLISH,
        Sample("Python code", "Indentation and keywords become tokens early.", "python-code.py.txt"),
        Sample("JSON logs", "Keys and punctuation that repeat on every line.", "json-logs.jsonl.txt"),
        Sample("German", "Long compounds, umlauts of two bytes each.", "german-prose.txt"),
        Sample(
            "Japanese",
            "No spaces, three bytes a character: merges build characters first.",
            "japanese-prose.txt",
        ),
        Sample("Arabic", "Right to left, two bytes a letter, some vowel marks.", "arabic-prose.txt"),
        Sample("Hindi", "Devanagari: vowel signs and conjuncts of three bytes each.", "hindi-prose.txt"),
        Sample(
            "Emoji chat", "Flags, skin tones and families: up to 25 bytes for one picture.", "emoji-chat.txt"
        ),
        Sample(
            "DNA repeats", "Four letters: many pairs tie, and repeats become long tokens.", "dna-repeats.txt"
        ),
        Sample(
            "Many languages",
            "The same three sentences in 31 languages, to see what each costs.",
            "mixed-languages.txt",
        ),
        STANDARD_LIBRARY,
    )
}


@lru_cache(maxsize=4)
def read_sample(title: str, standard_library_bytes: int = 1_000_000) -> str:
    """Return the text of a sample; for the standard library, as many lines as fit
    ``standard_library_bytes``."""
    sample = SAMPLES[title]
    if sample is STANDARD_LIBRARY:
        return _standard_library(standard_library_bytes)
    return (_FOLDER / sample.file_name).read_text("utf-8")


def _standard_library(limit: int) -> str:
    lines: list[str] = []
    size = 0
    for line in _standard_library_lines():
        size += len(line.encode("utf-8"))
        if size > limit:
            break
        lines.append(line)
    return "".join(lines)


def _standard_library_lines() -> Iterator[str]:
    """Yield the lines of its modules, those in packages last."""
    for path in _standard_library_files():
        yield from path.read_text("utf-8", errors="replace").splitlines(keepends=True)


@cache
def _standard_library_files() -> tuple[Path, ...]:
    """Return the files of its modules, without tests and installed packages."""
    skipped = {"site-packages", "test", "tests", "idlelib", "lib2to3", "__pycache__"}
    paths: list[Path] = []
    for folder, folders, names in os.walk(sysconfig.get_path("stdlib")):
        folders[:] = [name for name in folders if name not in skipped]
        paths.extend(Path(folder, name) for name in names if name.endswith(".py"))
    return tuple(sorted(paths, key=lambda path: (len(path.parts), path.as_posix())))


#: Where the player begins and where it stops by itself: by then words show in the text.
FIRST_STEP, FIRST_STOP = 36, 60

_one_at_a_time = Lock()  # a cache alone lets two visitors who come at once both train it


def first_run() -> Run:
    """Return the run that a new session opens with, trained once for all visitors. The first call trains
    it, which takes some hundredths of a second."""
    with _one_at_a_time:
        return _train_first_run()


@cache
def _train_first_run() -> Run:
    text = NamedText(ENGLISH.title, read_sample(ENGLISH.title))
    return train_run(run_request(text, TrainingSettings()), lambda *_: None)
