"""Auditing a vocabulary: alone, with 10 MB of text, and as a whole command with its report."""

import platform
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.timing import median_seconds
from bpeviz import audit_tokenizer, load_pretrained
from bpeviz.runs.samples import STANDARD_LIBRARY, read_sample

ROUNDS = 3
BYTES = 10_000_000


def command(name: str, text: Path, report: Path) -> None:
    """Run the command as people do."""
    asked = [sys.executable, "-m", "bpeviz", "audit", name, "--text", str(text), "--html", str(report)]
    subprocess.run(asked, check=True, capture_output=True)


def main() -> None:
    text = (read_sample(STANDARD_LIBRARY.title, 8_000_000) * 2)[:BYTES]
    print(f"Python {platform.python_version()}, medians of {ROUNDS}, in seconds\n")
    print("| tokenizer | vocabulary alone | with 10 MB of text | `bpeviz audit` with both and a report |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file, report = Path(folder) / "text.txt", Path(folder) / "report.html"
        file.write_text(text, "utf-8")
        for name in ("gpt2", "cl100k_base", "o200k_base"):
            tokenizer = load_pretrained(name)
            measured = (
                median_seconds(partial(audit_tokenizer, tokenizer), ROUNDS),
                median_seconds(partial(audit_tokenizer, tokenizer, text), ROUNDS),
                median_seconds(partial(command, name, file, report), ROUNDS),
            )
            print(f"| {name} | {' | '.join(f'{each:.1f}' for each in measured)} |")


if __name__ == "__main__":
    main()
