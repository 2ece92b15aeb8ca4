"""Where the project's own files are."""

from pathlib import Path

__all__ = ["APP", "ROOT", "SAMPLE_TEXTS", "TINY_TEXTS"]

ROOT = Path(__file__).parents[2]
#: As AppTest takes it.
APP = str(ROOT / "app.py")
SAMPLE_TEXTS = sorted((ROOT / "sample_texts").glob("*.txt"))
#: Those of a few words, to be worked out by hand.
TINY_TEXTS = [ROOT / "sample_texts" / name for name in ("aaabdaaabac.txt", "hug-pug-pun.txt")]
