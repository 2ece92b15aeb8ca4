"""Which recipes give the merges of the real trainers: the table of docs/recipes.md, as Markdown.

Trains the corpora of the tests here and in each library. A recipe without a library on PyPI is compared with
the trainer of the tests that counts everything again before each merge.
"""

from collections.abc import Iterable

from bpeviz import RECIPES
from bpeviz.core.pair_index import TieRule
from bpeviz.parity import LIBRARIES, ParityCheck, check_all
from tests.support.parity_corpora import (
    equals_brute_force,
    library_sources,
    random_trainings,
    sample_trainings,
    trained,
)

TIMEOUT_SECONDS = 900.0
TIES: dict[TieRule, str] = {
    "first-seen": "seen first",
    "smallest-ids": "smallest ids",
    "greatest-tokens": "last in the alphabet",
    "shortest-token": "shortest token, then first in the alphabet",
}
FOLLOWS = {
    "course": "the Hugging Face course's from-scratch trainer",
    "minbpe-basic": "minbpe `BasicTokenizer`",
    "minbpe": "minbpe `RegexTokenizer`",
    "tiktoken-educational": "tiktoken `_educational.bpe_train`",
    "huggingface": "`tokenizers` `BpeTrainer`, byte level, full alphabet",
    "cs336": "“train BPE” of Stanford CS336, assignment 1",
    "rustbpe": "rustbpe",
    "llms-from-scratch-simple": "the character trainer of “LLMs from scratch”",
    "subword-nmt": "subword-nmt `learn_bpe`",
    "sentencepiece": "SentencePiece's BPE trainer, on text as it is",
}


def agreed(name: str, trainings: Iterable[ParityCheck]) -> list[bool]:
    """Whether the library makes the same merges, for each training; brute force if there is no library."""
    if name not in LIBRARIES:
        return [equals_brute_force(training) for training in trainings]
    return [parity.identical for parity in check_all(list(trainings), timeout=TIMEOUT_SECONDS)]


def library(name: str) -> str:
    if name not in LIBRARIES:
        return "none on PyPI: brute force"
    (parity,) = check_all([trained(name, "the cat in the hat", 1)])
    return parity.library_and_version


def corpora(name: str) -> str:
    """On which corpora the merges are the same: sample texts, Python's sources, random corpora."""
    samples, sources = list(sample_trainings(name)), library_sources(name)
    merges = sum(len(training.merges) for training in samples)
    kilobytes = sources.corpus.byte_total / 1000
    return "; ".join(
        (
            f"{_share(agreed(name, samples))} sample texts, {merges:,} merges",
            f"{kilobytes:,.0f} kB of Python's sources, {len(sources.merges):,} merges"
            + ("" if all(agreed(name, [sources])) else ": NO"),
            f"{_share(agreed(name, random_trainings(name)))} random corpora",
        )
    )


def _share(same: list[bool]) -> str:
    """``1,000`` if all are the same, else ``968 of 1,000``."""
    return f"{len(same):,}" if all(same) else f"{sum(same):,} of {len(same):,}"


def main() -> None:
    print("| recipe | follows | among pairs of equal count | library | identical on |\n|---|---|---|---|---|")
    for name, recipe in RECIPES.items():
        cells = (f"`{name}`", FOLLOWS[name], TIES[recipe.tie], library(name), corpora(name))
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
