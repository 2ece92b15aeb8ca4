r"""The named split patterns: their regular expressions, and where a text can be cut for them.

    gpt2      the cat's 3 hats   ->   the| cat|'s| 3| hats

A *stretch* is a part of a text that splits the same way wherever it occurs. Long texts are cut between
stretches, so that their parts can go to different processes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ENDS_STRETCHES", "NAMED_PATTERNS", "NOT_WHITESPACE", "WHITESPACE", "WORDS_PATTERN", "for_ascii"]


@dataclass(frozen=True)
class NamedPattern:
    """A ``regex``, None if the whole text is one pre-token, and the ``stretch``: an expression of the
    built-in ``re`` that matches the stretches of a text one after the other; None if none is known."""

    name: str
    regex: str | None
    stretch: str | None = None


#: White space as str.split and str.isspace define it; \s of the regex package lacks the four separators.
WHITESPACE, NOT_WHITESPACE = r"[\s\x1c-\x1f]", r"[^\s\x1c-\x1f]"

#: A stretch is white space with what follows it, up to the next white space. The separators U+001C to U+001F
#: are white space for ``re`` but not for ``regex``, so they end no stretch. Line ends after what may be
#: punctuation end none either if the pattern includes them.
_STRETCH = r"\s*\S+(?:[\x1c-\x1f]\s*\S*)*|\s+"
_STRETCH_WITH_LINE_ENDS = r"\s*\S+(?:(?:[\x1c-\x1f]|(?<=[^a-zA-Z0-9])[\r\n])\s*\S*)*|\s+"

#: A superset of the characters at which a stretch may end.
ENDS_STRETCHES = re.compile(r"[\s\x00\x1c-\x1f]")

_CONTRACTED = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_CONTRACTIONS = f"{_CONTRACTED}?"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_NO_HAN_UPPER, _NO_HAN_LOWER = rf"(?:(?!\p{{Han}}){_UPPER})", rf"(?:(?!\p{{Han}}){_LOWER})"

#: The named patterns. Sources: gpt2 from OpenAI's gpt-2 ``encoder.py``; cl100k and o200k from tiktoken's
#: ``tiktoken_ext/openai_public.py``; rustbpe from the pattern its tokenizer reports by default; llama3
#: from Meta's ``llama_models``, qwen2 and qwen3.5 from Qwen's tokenizers, tekken from Mistral's files, kimi
#: from Moonshot AI's ``tokenization_kimi.py``, which takes Chinese characters out of two sets; spaces is how
#: subword-nmt reads a file: a tab or a wide space is like any other character; sentencepiece begins a word at
#: each space, which SentencePiece cannot distinguish from the ▁ that it writes for one, and cuts at the
#: characters that it has no token for.
NAMED_PATTERNS: Mapping[str, NamedPattern] = {
    p.name: p
    for p in (
        NamedPattern(
            "gpt2",
            r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
            stretch=_STRETCH,
        ),
        NamedPattern(
            "cl100k",
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+"
            r"| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "o200k",
            rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTIONS}"
            rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTIONS}"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "kimi",
            rf"\p{{Han}}+|[^\r\n\p{{L}}\p{{N}}]?{_NO_HAN_UPPER}*{_NO_HAN_LOWER}+{_CONTRACTIONS}"
            rf"|[^\r\n\p{{L}}\p{{N}}]?{_NO_HAN_UPPER}+{_NO_HAN_LOWER}*{_CONTRACTIONS}"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "rustbpe",
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}"
            r"| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "llama3",
            rf"{_CONTRACTED}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "qwen2",
            rf"{_CONTRACTED}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}"
            r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "qwen3.5",
            rf"{_CONTRACTED}|[^\r\n\p{{L}}\p{{N}}]?[\p{{L}}\p{{M}}]+|\p{{N}}"
            r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern(
            "tekken",
            rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*"
            r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            stretch=_STRETCH_WITH_LINE_ENDS,
        ),
        NamedPattern("whitespace", rf"{NOT_WHITESPACE}+|{WHITESPACE}+", stretch=r"\s*\S+|\s+"),
        NamedPattern("spaces", r"[^ \r\n]+|[ \r\n]+", stretch=r"[ \r\n]*[^ \r\n]+|[ \r\n]+"),
        NamedPattern(
            "sentencepiece",
            r"[ ▁]?[^ ▁\n\x00\x1f]+|[ ▁]|[\n\x00\x1f]+",
            stretch=r"[ \n\x00\x1f]*[^ \n\x00\x1f]+|[ \n\x00\x1f]+",
        ),
        NamedPattern("none", None),
    )
}

#: How "LLMs from scratch" splits a text to encode it; see recipes.
WORDS_PATTERN = NamedPattern(
    "words",
    rf"\A{WHITESPACE}+|{WHITESPACE}+{NOT_WHITESPACE}+|{NOT_WHITESPACE}+|{WHITESPACE}+",
)

_ASCII_CLASSES = {
    **{"L": "A-Za-z", "Lu": "A-Z", "Ll": "a-z", "N": "0-9"},
    **dict.fromkeys(("Lt", "Lm", "Lo", "M", "Han"), ""),
}
#: Matches no character, where an empty class would be an error.
_NOTHING = r"[^\s\S]"


def for_ascii(pattern: str) -> str:
    r"""Return the same pattern for ASCII text, its classes spelled out: ``[^\s\p{N}]`` is ``[^\s0-9]``."""

    def spelled_out(found: re.Match[str]) -> str:
        inside = re.sub(r"\\p\{(\w+)\}", lambda name: _ASCII_CLASSES[name[1]], found[0])
        return inside if inside.startswith("[") else f"[{inside}]" if inside else _NOTHING

    return re.sub(r"\[[^]]*\]|\\p\{\w+\}", spelled_out, pattern)
