"""The terms of the page, each in one or two plain sentences.

The page shows them as one reads (``bpeviz.ui.kit.words``), and docs/page.md lists them.
``python -m bpeviz.glossary`` writes the copies: the list in docs/page.md, and the module for the page's
JavaScript.
"""

import json
import re
from pathlib import Path

__all__ = ["GLOSSARY", "as_javascript", "as_markdown", "page_with_glossary"]

#: What each term means. Terms that build on others come after them.
GLOSSARY: dict[str, str] = {
    "byte": "A number from 0 to 255. An English letter is stored as 1 byte, a Chinese character as 3.",
    "token": "A piece of text that a language model reads as one unit. It is one or more bytes.",
    "token id": "The number of a token. A language model sees these numbers instead of letters.",
    "tokenizer": "A program that cuts text into tokens, and turns token ids back into text.",
    "vocabulary": "All tokens that a tokenizer knows.",
    "base vocabulary": "The tokens before the first merge. Usually these are the 256 single bytes.",
    "vocabulary size": "How many tokens a tokenizer knows: base vocabulary, merges and special tokens.",
    "base symbol": "A token of the base vocabulary, often a single byte. No merge makes it.",
    "special token": "A token that stands for a signal, such as the end of a text. No merge makes it.",
    "byte-pair encoding": "A way to learn tokens from a text: join the most frequent pair, again and again.",
    "corpus": "The text that a tokenizer learns from.",
    "pair": "Two tokens next to each other in the text.",
    "overlap": "Two occurrences of a pair that share a token, as in a + a + a. A merge replaces only one.",
    "merge": "One step of the training: everywhere in the text, a pair becomes one new token.",
    "step": "How many merges are done at this moment.",
    "rank": "The place of a merge in the order of training. Files and code count ranks from 0.",
    "tie": "Two or more pairs share the highest count. The recipe's rule decides which one is merged.",
    "token boundary": "The place between two neighbouring tokens. Training only removes boundaries.",
    "pre-token": "A piece of text, often a word with the space before it. Merges never cross its ends.",
    "wall": "The end of a pre-token. No merge crosses it.",
    "split pattern": "The rule that cuts text into pre-tokens before training. It is a regular expression.",
    "recipe": "The exact rules of one trainer: base vocabulary, split pattern, and how to decide ties.",
    "minimum frequency": "Training stops when no pair occurs at least this often.",
    "run": "A trained text: its merges in order, and the text at every step.",
    "fork": "A copy of a run in which you choose another merge, or never merge a pair. You see what changes.",
    "bytes per token": "How many bytes one token holds on average. More means a shorter encoding.",
    "encoding": "Cutting a text into tokens by the learned merges, and writing down their ids.",
    "left to right": "A way to encode: it merges known pairs from the left, ignoring the order of training.",
    "saved session": "Your texts, runs and settings. The page saves them, and its address opens them again.",
    "divergence": "The first merge that two recipes make differently on the same corpus.",
    "disagreement": "A stretch of text in which two tokenizers have boundaries, but share none.",
    "precision": "Of the left tokenizer's boundaries, the share that the right one has too.",
    "recall": "Of the right tokenizer's boundaries, the share that the left one has too.",
    "F1": "One figure for precision and recall: their harmonic mean. 1 means the same boundaries.",
    "fertility": "How many tokens a word takes on average. 1 is the least.",
    "STRR": "Single-token retention rate: the share of words that are one token.",
    "reference": "The tokenizer that the others are compared with. NSL divides by its number of tokens.",
    "NSL": "Normalized sequence length: tokens of a tokenizer divided by those of a reference.",
    "Rényi efficiency": "How evenly a text uses the tokens of a vocabulary. 1 means all equally often.",
}

SCRIPT, PAGE = Path("bpeviz/browser/shared/glossary.js"), Path("docs/page.md")
BEGIN, END = "<!-- The glossary: python -m bpeviz.glossary -->\n", "<!-- The end of the glossary. -->"


def as_markdown() -> str:
    """Return the glossary as a list in alphabetical order."""
    terms = sorted(GLOSSARY.items(), key=lambda term: term[0].lower())
    return "".join(f"- **{term}**: {meaning}\n" for term, meaning in terms)


def page_with_glossary(page: str) -> str:
    """Return a page of the documentation with the glossary of today between its marks."""
    return re.sub(f"(?<={BEGIN}).*?(?={END})", lambda _: as_markdown(), page, flags=re.DOTALL)


def as_javascript() -> str:
    """Return the glossary as an ES module."""
    terms = "".join(
        f"  {json.dumps(term, ensure_ascii=False)}:\n    {json.dumps(meaning, ensure_ascii=False)},\n"
        for term, meaning in GLOSSARY.items()
    )
    return (
        "// @ts-check\n"
        "// The terms of the page, from bpeviz/glossary.py: `python -m bpeviz.glossary` writes this file.\n\n"
        f"/** @type {{Record<string, string>}} */\nexport const GLOSSARY = {{\n{terms}}};\n"
    )


if __name__ == "__main__":
    SCRIPT.write_text(as_javascript(), "utf-8")
    PAGE.write_text(page_with_glossary(PAGE.read_text("utf-8")), "utf-8")
