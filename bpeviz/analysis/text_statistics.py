"""How many tokens a text costs: in total, for each script, for each line.

The input is the same for every tokenizer: a text, and an array that says for each of its bytes how many
tokens end there (EncodedText.token_counts). Whole-array steps count a megabyte in a fraction of a second.

    text      t h e ␣ 灯          Latin   the␣ is one token of Latin: its first letter decides
    tokens    0 0 0 1 0 0 1      Han     灯 in one token
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from bpeviz.errors import CorpusError
from bpeviz.text.characters import characters
from bpeviz.text.token_text import shorten
from bpeviz.text.unicode_scripts import COMMON, INHERITED, SCRIPTS, scripts_of
from bpeviz.text.utf8 import check_text

__all__ = ["TextTotals", "TokenCounts", "per_line", "per_script", "text_totals", "token_scripts"]

TokenCounts = npt.NDArray[np.int64]
LINE_CHARACTERS = 80


@dataclass(frozen=True)
class TextTotals:
    """A text of ``bytes`` in UTF-8 and ``characters`` (code points), cut into ``tokens``."""

    bytes: int
    characters: int
    tokens: int

    @property
    def bytes_per_token(self) -> float:
        """0 if there is no token."""
        return self.bytes / self.tokens if self.tokens else 0.0

    @property
    def characters_per_token(self) -> float:
        """0 if there is no token."""
        return self.characters / self.tokens if self.tokens else 0.0


def text_totals(text: str, token_counts: TokenCounts) -> TextTotals:
    """Return the bytes, characters and tokens of a text. ``token_counts``: how many tokens end at each of its
    bytes in UTF-8.

    Raises CorpusError if the text has no UTF-8 form or text and array differ in length.
    """
    return TextTotals(len(_utf8(text, token_counts)), len(text), int(token_counts.sum()))


def per_script(text: str, token_counts: TokenCounts) -> pd.DataFrame:
    """Characters, bytes and tokens for each script of ``text``, most characters first.

    Columns ``script``, ``characters``, ``bytes``, ``tokens`` (int64), ``characters_per_token``,
    ``bytes_per_token`` (float64, NaN without tokens). Characters and bytes are the text's own, by each
    character's Script property; Inherited ones, such as combining marks, are counted as Common, so the rows
    are the same for every tokenizer. A token belongs to the script of its first character, whole or in part,
    of a script other than those two; otherwise to Common. So a space counts as a character of Common but is
    mostly in a token of the next word's script. Raises the errors of text_totals.
    """
    utf8 = _utf8(text, token_counts)
    scripts = _scripts(text)
    starts_character = _starts_character(utf8)
    character_of_byte = np.cumsum(starts_character) - 1
    tokens = _token_scripts(scripts, character_of_byte, token_counts)
    count = len(SCRIPTS)
    table = pd.DataFrame(
        {
            "script": SCRIPTS,
            "characters": np.bincount(scripts, minlength=count),
            "bytes": np.bincount(scripts[character_of_byte], minlength=count),
            "tokens": np.bincount(tokens, minlength=count),
        }
    )
    table = table[table["characters"] > 0].sort_values("characters", ascending=False, kind="stable")
    tokens_or_nan = table["tokens"].where(table["tokens"] > 0).astype("float64")
    return table.assign(
        characters_per_token=table["characters"] / tokens_or_nan,
        bytes_per_token=table["bytes"] / tokens_or_nan,
    ).reset_index(drop=True)


def token_scripts(tokens: Sequence[str]) -> npt.NDArray[np.int16]:
    """Return the script of each token, as its place in SCRIPTS: see per_script. None is empty."""
    scripts = _scripts("".join(tokens))
    ends = np.zeros(len(scripts), np.int64)
    ends[np.cumsum([len(token) for token in tokens], dtype=np.int64) - 1] = 1
    return _token_scripts(scripts, np.arange(len(scripts)), ends)


def _scripts(text: str) -> npt.NDArray[np.int16]:
    """Return the script of each character; an inherited one is Common."""
    scripts = scripts_of(characters(text))
    scripts[scripts == INHERITED] = COMMON
    return scripts


def _token_scripts(
    scripts: npt.NDArray[np.int16], character_of_byte: npt.NDArray[np.intp], token_counts: TokenCounts
) -> npt.NDArray[np.int16]:
    """Return the script of each token. Tokens that end at the same byte come from the same characters."""
    ends = np.flatnonzero(token_counts)
    if not len(ends):
        return np.empty(0, np.int16)
    first = character_of_byte[np.concatenate([[0], ends[:-1] + 1])]
    last = character_of_byte[ends]
    # for each character, the next one (itself included) that is not Common
    places = np.where(scripts == COMMON, len(scripts), np.arange(len(scripts)))
    telling = np.minimum.accumulate(places[::-1])[::-1][first]
    of_end = np.where(telling <= last, scripts[np.minimum(telling, len(scripts) - 1)], COMMON)
    return np.repeat(of_end.astype(np.int16), token_counts[ends])


def per_line(text: str, token_counts: TokenCounts, *, limit: int = LINE_CHARACTERS) -> pd.DataFrame:
    r"""Bytes, characters and tokens of each line of ``text``, in order.

    Columns ``line`` (from 1), ``text`` (without the newline, at most ``limit`` characters), ``bytes``,
    ``characters`` (both with the newline), ``tokens``. Only \n ends a line. A token belongs to the line of
    its last byte: a newline with the indentation after it, to the line that it indents. Raises the errors of
    text_totals.
    """
    utf8 = _utf8(text, token_counts)
    lines = text.removesuffix("\n").split("\n") if text else []
    is_newline = utf8 == ord("\n")
    line_of_byte = np.cumsum(is_newline) - is_newline
    count = len(lines)
    return pd.DataFrame(
        {
            "line": np.arange(1, count + 1),
            "text": pd.Series([shorten(line, limit) for line in lines], dtype=object),
            "bytes": np.bincount(line_of_byte, minlength=count),
            "characters": np.bincount(line_of_byte[_starts_character(utf8)], minlength=count),
            "tokens": np.bincount(np.repeat(line_of_byte, token_counts), minlength=count),
        }
    )


def _utf8(text: str, token_counts: TokenCounts) -> npt.NDArray[np.uint8]:
    check_text(text)
    utf8 = np.frombuffer(text.encode("utf-8"), np.uint8)
    if len(utf8) != len(token_counts):
        raise CorpusError(
            f"This text has {len(utf8):,} bytes, but token counts are given for {len(token_counts):,}. "
            "Give one for each byte of the same text in UTF-8."
        )
    return utf8


def _starts_character(utf8: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return whether each byte is the first of a character; continuation bytes are 10xxxxxx."""
    starts: npt.NDArray[np.bool_] = (utf8 & 0xC0) != 0x80
    return starts
