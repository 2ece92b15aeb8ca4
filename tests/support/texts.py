"""Hypothesis strategies for texts that are hard on a byte-pair trainer, and characters."""

import re
import unicodedata

from hypothesis import strategies as st

#: Few letters make ties and runs; the others test the borders of splitting and of UTF-8.
ALPHABETS = (
    "ab",
    "aab ",
    "abc 's1",
    " \t\n\r\u00a0a",
    "\x00\x01\x1f\x7f",
    "é日🙂",
    "aé 日\u0301🙂",
)

#: Any text that has a UTF-8 form, in all of Unicode.
ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=60)

#: Characters that patterns and ``re`` may treat differently: kinds of white space and of letters,
#: contractions, line ends after punctuation, separators that only some treat as white space.
BORDERS_OF_SPLITTING = (
    st.text(
        "ab'sS\u00e9\u00c9\u65e5\u017f1\u00b2\u0663_-!/.\"(; \n\r\t\x0b\x1c\x1f\x85\xa0\u2028\u3000"
        "\u200b\u0301▁\x00🙂ǅʰ",
        max_size=24,
    )
    | st.text("a! \n\t/'s\x1c", max_size=16)
    | ANY_TEXT
)


def tight_text(alphabet: str, max_size: int = 40) -> st.SearchStrategy[str]:
    """Texts over one alphabet, some of them one short piece repeated, such as abababab."""
    repeated = st.builds(lambda piece, n: piece * n, st.text(alphabet, max_size=5), st.integers(1, 8))
    return st.text(alphabet, max_size=max_size) | repeated


#: Texts over one of the alphabets.
TIGHT_TEXT = st.sampled_from(ALPHABETS).flatmap(tight_text)


def _texts(alphabet: str) -> st.SearchStrategy[list[str]]:
    pool = st.lists(tight_text(alphabet, 15), min_size=1, max_size=4)
    return pool.flatmap(lambda texts: st.lists(st.sampled_from(texts), max_size=12))


#: Several texts over one alphabet, some of them more than once, so that pre-tokens count more than 1.
TIGHT_TEXTS = st.sampled_from(ALPHABETS).flatmap(_texts) | TIGHT_TEXT.map(lambda text: [text])


@st.composite
def training_and_other_text(draw: st.DrawFn) -> tuple[list[str], str]:
    """Texts to train on and another over the same alphabet, every character of which was trained on.

    Each character is doubled, so that it is seen both inside and at the end of a word.
    """
    alphabet = draw(st.sampled_from(ALPHABETS))
    texts = [*draw(_texts(alphabet)), *(c * 2 for c in alphabet)]
    return texts, draw(tight_text(alphabet))


#: Words that contain subword-nmt's end-of-word mark, so that merges make tokens that exist already.
END_OF_WORD_TEXT = st.lists(st.sampled_from(["a", "b", "</w>", " ", "a</w>"]), max_size=40).map("".join)

#: What split patterns distinguish: runs of white space of several kinds, line ends, contractions, marks,
#: letters of many scripts, numbers that are no digits, and characters that some versions of Unicode lack.
PARTING_TEXT = st.lists(
    st.sampled_from([*" \t\n\r\u00a0\u3000\u2028\x1c\x85\u200b", "  ", "\r\n", " \n"])
    | st.sampled_from([*"'’\"._-/!", "'s", "'S", "'t", "'ll", "'ve", "'re", "'ſ", "''"])
    | st.sampled_from([*"asltvedmrAſéßǅ日ñ\u0301\u0903ªʰا", "don", "ll", "ve"])
    | st.sampled_from([*"07½²Ⅷ٣", "2026", "🙂", "👩\u200d🚀", "\U0001c5ba", "\U00011de0", "\x00", "\uffff"])
    | st.characters(codec="utf-8"),
    max_size=30,
).map("".join)


def every_assigned_character() -> str:
    """Every character that Python's Unicode assigns, except for private use."""
    return "".join(c for c in map(chr, range(0x110000)) if unicodedata.category(c) not in ("Cn", "Co", "Cs"))


def has_inner_space(text: str) -> bool:
    """Whether a word of subword-nmt, which ends at a space or a line end, holds other white space."""
    return any(c.isspace() and c not in " \r\n" for c in text)


def named_in(error: Exception) -> list[str]:
    """The characters that an error names, such as 'a' (U+0061)."""
    return re.findall(r"'(.)' \(U\+", str(error))
