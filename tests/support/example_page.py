"""The example page that README.md links: ``python -m tests.support.example_page`` writes it again."""

from bpeviz import Corpus, Trainer
from bpeviz.standalone.player import Player
from tests.support.paths import ROOT

EXAMPLE = ROOT / "docs" / "notebooks" / "example.html"
CAPTION = "500 merges of the recipe huggingface on a text of 6 kB. Press play, or the keys → and ←."


def example() -> Player:
    text = (ROOT / "sample_texts" / "english-prose.txt").read_text("utf-8")
    return Trainer(Corpus.from_text(text), num_merges=500).player(text, step=87, caption=CAPTION)


if __name__ == "__main__":
    example().write_html(EXAMPLE)
