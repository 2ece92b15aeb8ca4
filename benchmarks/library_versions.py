"""How long ``tokenizers`` takes in two versions, on one tokenizer.json: a Markdown table.

    python -m benchmarks.library_versions OTHER_PYTHON

``OTHER_PYTHON`` is the Python of an environment with the other version. Both take turns, each time in a new
process. The figures are medians of processor time, and a ratio is of two processes right after each other.
"""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.encoding import own_text, source_text
from bpeviz import load_pretrained
from bpeviz.formats.writing import write_tokenizer

ROUNDS = 7
#: What each version runs: it takes a tokenizer.json and texts, and prints seconds and the ids.
PROGRAM = """
import hashlib, json, sys, time
from tokenizers import Tokenizer, __version__
def take(name, work):
    began = time.process_time()
    made = work()
    seconds[name] = time.process_time() - began
    return made
seconds, ids = {}, hashlib.sha256()
tokenizer = take("reading the file", lambda: Tokenizer.from_file(sys.argv[1]))
for path in sys.argv[2:]:
    text = open(path, encoding="utf-8", newline="").read()
    encoding = take(path.rpartition("/")[2], lambda: tokenizer.encode(text, add_special_tokens=False))
    ids.update(json.dumps(encoding.ids).encode())
print(json.dumps({"version": __version__, "seconds": seconds, "ids": ids.hexdigest()}))
"""


def said_by(python: str, paths: list[Path]) -> dict[str, Any]:
    """Return what a version measures."""
    command = [python, "-c", PROGRAM, *map(str, paths)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def main() -> None:
    random = Random(1)
    texts = {
        "encoding 1 MB of Python sources": source_text(random),
        "encoding 1 MB of English prose": own_text("English prose", random),
        "encoding 1 MB of Japanese": own_text("Japanese", random),
    }
    with TemporaryDirectory() as folder:
        paths = [Path(folder, "tokenizer.json"), *(Path(folder, name) for name in texts)]
        paths[0].write_bytes(write_tokenizer(load_pretrained("gpt2"))["tokenizer.json"])
        for path, text in zip(paths[1:], texts.values(), strict=True):
            path.write_text(text, encoding="utf-8", newline="")
        rounds = [[said_by(python, paths) for python in (sys.executable, sys.argv[1])] for _ in range(ROUNDS)]
    one, other = rounds[0]
    assert one["ids"] == other["ids"], "the versions give other ids"
    print(f"| GPT-2's tokenizer.json | {one['version']} | {other['version']} | ratio |")
    print("|---|---|---|---|")
    for name in one["seconds"]:
        pairs = [(a["seconds"][name], b["seconds"][name]) for a, b in rounds]
        here, there = (f"{1000 * median(each):.0f} ms" for each in zip(*pairs, strict=True))
        print(f"| {name} | {here} | {there} | {median(b / a for a, b in pairs):.2f} |")


if __name__ == "__main__":
    main()
