"""The playground: one page that trains on any text in the browser, without a server.

write_playground()         ->  "<!doctype html>…"
write_playground_folder()  ->  {"index.html": b"…", "cl100k_base.gz": b"…", "o200k_base.gz": b"…"}
"""

import gzip
import json
from pathlib import Path

from bpeviz.browser.ranked_pack import pack_ranked
from bpeviz.browser.trainer_table import trainer_table
from bpeviz.core.base_vocabulary import GPT2_BYTE_CHARACTERS
from bpeviz.formats.huggingface_writing import pre_tokenizer_of, write_huggingface
from bpeviz.runs.samples import ENGLISH, FIRST_STEP, SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.standalone.content import heading
from bpeviz.standalone.lessons import lesson_packs
from bpeviz.standalone.options import Options, Theme
from bpeviz.standalone.page import Content, Kind, write_page
from bpeviz.text.file_kinds import kinds_for_javascript
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.training.in_one_call import train_tokenizer

__all__ = [
    "BESIDE",
    "INSTALL",
    "NEEDS_THE_PROGRAM",
    "file_formats",
    "write_playground",
    "write_playground_folder",
]

_TITLE = "bpeviz playground"
#: What people read if the page can't start.
_ABOUT = (
    "Paste a text, and watch byte-pair encoding learn a vocabulary from it, one merge at a time.",
    "This page needs JavaScript. Nothing that you type leaves your computer.",
)
#: Tokenizers that are too large for the page: files beside it in a folder, fetched when they are chosen.
BESIDE = ("cl100k_base", "o200k_base")
#: What the page can't do.
NEEDS_THE_PROGRAM = (
    "comparing with tokenizer files of other models",
    "texts of more than 1 MB, and corpora of many files",
    "split patterns of your own in Python's syntax",
    "checks against the real libraries, and tokenizer files for more of them",
    "“Guess the next merge” with a score, and the page “Recipes”",
    "sessions that are saved",
)
#: The line of README.md that installs it and opens the page.
INSTALL = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/bpeviz"


def write_playground(theme: Theme = "auto") -> str:
    """Return the page as HTML, with all that it needs. The same version gives the same page."""
    return _page("playground", theme)


def write_playground_folder(theme: Theme = "auto") -> dict[str, bytes]:
    """Return the files of a folder for any web server: the page, and the tokenizers beside it.

    Raises TokenizerFileError if the file of one is not on this machine.
    """
    beside = {f"{name}.gz": gzip.compress(pack_ranked(name), 9, mtime=0) for name in BESIDE}
    return {"index.html": _page("folder", theme).encode("utf-8"), **beside}


def _page(kind: Kind, theme: Theme) -> str:
    given = {
        "table": trainer_table(),
        "file_kinds": kinds_for_javascript(),
        "samples": [
            {"title": sample.title, "shows": sample.shows, "text": read_sample(sample.title)}
            for sample in SAMPLES.values()
            if sample is not STANDARD_LIBRARY
        ],
        "first": ENGLISH.title,
        "step": FIRST_STEP,
        "beside": BESIDE if kind == "folder" else (),
        "needs": NEEDS_THE_PROGRAM,
        "install": INSTALL,
        "formats": file_formats(),
        "licence": _licence(kind),
        "page": _page_of_a_run(theme),
    }
    packs = {
        "playground": json.dumps(given, ensure_ascii=False).encode("utf-8"),
        "gpt2": pack_ranked("gpt2"),
        **lesson_packs(),
    }
    content = Content(kind, _TITLE, heading(_TITLE, _ABOUT), packs)
    return write_page(content, Options(theme=theme), "playground")


def _licence(kind: Kind) -> str:
    """Return the notices of what a page has or fetches."""
    gpt2, tiktoken = (
        (Path(__file__).parent / f"{name}_licence.txt").read_text("utf-8") for name in ("gpt2", "tiktoken")
    )
    if kind == "playground":
        return gpt2
    beside = f"{' and '.join(BESIDE)} beside this page are OpenAI's, from its repository tiktoken."
    return f"{gpt2}\n{beside}\n\n{tiktoken}"


def file_formats() -> dict[str, object]:
    """Return what the page writes a tokenizer.json with: one without tokens, each split pattern as it is
    written there, and the characters of bytes."""
    tokenizer = train_tokenizer("", "huggingface", special_tokens=["<s>"], num_merges=0)
    file = json.loads(write_huggingface(tokenizer)["tokenizer.json"])
    file["model"] |= {"vocab": {}, "merges": []}
    return {
        "tokenizer_json": file,
        "pre_tokenizers": {name: pre_tokenizer_of(split) for name, split in SPLIT_PATTERNS.items()},
        "byte_characters": GPT2_BYTE_CHARACTERS,
    }


def _page_of_a_run(theme: Theme) -> str:
    """Return the page of a run without its data: saved_page.js puts them in, also in place of the two
    marks."""
    content = Content("run", "@title@", "@readable@", {"player": b"", "pairs": b""})
    return write_page(content, Options(theme=theme), "player")
