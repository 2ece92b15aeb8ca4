"""Print the table of docs/tokenizers.md: ``python -m tests.parity.real_tokenizer_report [model …]``.

A row per file: how many texts were compared with the real library, and how many differ.
"""

import sys

from tests.support.file_comparison import Comparison, compare_file
from tests.support.real_tokenizers import MADE_TOKENIZERS, REAL_TOKENIZERS, missing_files

HEADER = "| model | file | texts compared | differences |\n|---|---|---|---|"


def row(comparison: Comparison) -> str:
    """A row of the table, with the smallest example of a difference."""
    result = comparison.result
    if comparison.smallest:
        result = f"{comparison.differences:,}; {result}"
    cells = (comparison.model, f"`{comparison.file}`", f"{comparison.texts:,}", result.replace("|", "\\|"))
    return f"| {' | '.join(cells)} |"


def main(models: list[str]) -> None:
    if missing := missing_files():
        sys.exit(f"Missing: {', '.join(missing)}. See CONTRIBUTING.md on how to install them.")
    print(HEADER)
    for real in (*REAL_TOKENIZERS, *MADE_TOKENIZERS):
        if not models or real.model in models:
            print(row(compare_file(real)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
