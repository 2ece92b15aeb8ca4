r"""The pipeline of the notebook "LLMs from scratch" from January to October 2025, at its commit 0f35e37.

    "the cat\n sat"   ->   the, Ġcat, \n, Ġsat

Each line end is a token, and every word but the first has a Ġ before it, also the first of a later line. That
Ġ may stand for no byte of the text, so no split pattern can describe it. Other white space is dropped. These
rules are a few lines, so no library runs them.
"""

import re
from collections.abc import Collection, Iterator, Mapping

import msgspec
import numpy as np

from bpeviz.core.base_vocabulary import unspellable
from bpeviz.decoders import msgpack_decoder
from bpeviz.pipelines.symbols import FoundSymbols
from bpeviz.text.characters import byte_offsets
from bpeviz.text.special_tokens import SpecialTokenFinder

__all__ = ["NotebookDefinition", "NotebookPipeline", "define_notebook"]

_SPACE = "Ġ"
#: White space as str.split knows it, and words; \s of ``re`` is the same.
_PARTS = re.compile(r"\n|[^\S\n]+|\S+")

#: A symbol of a text: its id, and where it starts and ends, in characters.
_Symbol = tuple[int, int, int]


class NotebookDefinition(msgspec.Struct, frozen=True):
    """The ids of characters and of special tokens."""

    characters: dict[str, int]
    special_tokens: dict[str, int]


def define_notebook(characters: Mapping[str, int], special_tokens: Mapping[str, int]) -> bytes:
    """Return the definition of the pipeline of a pair of files."""
    return msgspec.msgpack.encode(NotebookDefinition(dict(characters), dict(special_tokens)))


class NotebookPipeline:
    """The notebook's pre-tokens as symbols."""

    def __init__(self, definition: bytes) -> None:
        self._ids: NotebookDefinition = msgpack_decoder(NotebookDefinition).decode(definition)

    def find(self, text: str, added: Collection[str]) -> FoundSymbols:
        """Return the symbols of a text. It begins again after each of the ``added`` tokens.

        Raises TokenizerError.
        """
        pre_tokens: list[list[_Symbol]] = []
        start = 0
        for part, special in SpecialTokenFinder(added).cut(text):
            end = start + len(part)
            if special:
                pre_tokens.append([(self._ids.special_tokens[part], start, end)])
            else:
                pre_tokens += self._of_part(part, start)
            start = end
        symbols = np.array([s for p in pre_tokens for s in p], np.int64).reshape(-1, 3)
        byte_of = byte_offsets(text)
        words = np.repeat(np.arange(len(pre_tokens), dtype=np.int32), [len(p) for p in pre_tokens])
        return FoundSymbols(
            symbols[:, 0].astype(np.int32),
            byte_of[symbols[:, 1]],
            byte_of[symbols[:, 2]],
            words,
            np.zeros(0, np.int32),
        )

    def _of_part(self, part: str, start: int) -> Iterator[list[_Symbol]]:
        """Yield the pre-tokens of a text that begins at ``start``."""
        ids = self._ids.characters
        missing = [c for c in dict.fromkeys(part) if c not in ids and (c == "\n" or not c.isspace())]
        if _SPACE not in ids and ("\n" in part or len(part.split()) > 1):
            missing.append(" ")
        if missing:
            raise unspellable(missing)
        blank, begun = 0, False
        for found in _PARTS.finditer(part):
            first, last = start + found.start(), start + found.end()
            is_blank = found[0] != "\n" and found[0].isspace()
            if found[0] == "\n":
                yield [(ids["\n"], first, last)]
            elif not is_blank:
                word = [(ids[character], i, i + 1) for i, character in enumerate(found[0], first)]
                yield [(ids[_SPACE], first - blank, first), *word] if begun else word
            begun |= not is_blank
            blank = last - first if is_blank else 0

    def pre_token_total(self, text: str) -> int:
        """Return how many pre-tokens a text is."""
        return sum(part == "\n" or not part.isspace() for part in _PARTS.findall(text))

    def leaves_nothing(self, _part: str) -> bool:
        """Return whether normalization leaves nothing of a part of a text. Splitting drops white space
        here."""
        return False

    def decode(self, ids: list[int]) -> str:
        """Not used: the tokens spell the text."""
        raise NotImplementedError
