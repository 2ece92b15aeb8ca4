"""Base vocabularies: the symbols that exist before the first merge, and how text is spelled in them.

    bytes:       "hé"   ->  68 C3 A9          one symbol a byte
    characters:  "hé"   ->  h é               one symbol a character
                 "a b"  ->  a Ġ b             "LLMs from scratch" writes a space as Ġ, SentencePiece as ▁
                 "low"  ->  l o w</w>         subword-nmt marks the end of a word

``spell`` takes many pre-tokens at once and returns flat arrays. A trainer's recipe chooses its base
vocabulary.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from bpeviz.cached import cached_property
from bpeviz.errors import TokenizerError

__all__ = [
    "GPT2_BYTE_CHARACTERS",
    "BaseVocabulary",
    "ByteVocabulary",
    "CharacterVocabulary",
    "ListedVocabulary",
    "Spelling",
    "UnknownCharacters",
]

IntArray = npt.NDArray[np.int32]

#: What happens to a character that the vocabulary lacks. It is an error, or it stays as it is with its own
#: id, or it becomes the unknown token, one token for several in a row.
UnknownCharacters = Literal["refuse", "keep", "unknown-token"]
#: The ids of characters that are kept: above the ids of any tokenizer.
FIRST_KEPT_ID = 2**22


def _gpt2_byte_characters() -> str:
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    substitutes = iter(range(0x100, 0x200))
    return "".join(chr(b if b in printable else next(substitutes)) for b in range(256))


#: The printable character that GPT-2's files write for each byte value: ``bytes_to_unicode`` of OpenAI's
#: gpt-2 ``encoder.py``. The space is Ġ (U+0120), a newline Ċ (U+010A).
GPT2_BYTE_CHARACTERS: str = _gpt2_byte_characters()


@dataclass(frozen=True)
class Spelling:
    """Pre-tokens spelled in base symbols, one after the other.

    ``ids``: the id of each symbol; ``widths``: how many bytes of text each symbol stands for;
    ``lengths``: how many symbols each pre-token has; ``skipped``: how many bytes before the first symbol of
    each pre-token belong to no symbol. Only if a library changes the text, symbols may stand for no byte, and
    ``inside`` says which of them end inside what the next one stands for.
    """

    ids: IntArray
    widths: IntArray
    lengths: IntArray
    skipped: IntArray
    inside: npt.NDArray[np.bool_] | None = None


class BaseVocabulary(Protocol):
    """What trainers and tokenizers need from a base vocabulary."""

    @property
    def first_id(self) -> int:
        """The lowest id of a symbol."""

    @property
    def symbol_ids(self) -> Sequence[int]:
        """The id of each symbol."""

    @property
    def symbols(self) -> Sequence[bytes]:
        """The bytes of each symbol, in the order of ``symbol_ids``."""

    @property
    def end_of_word(self) -> str:
        """What is added to the last symbol of a pre-token, such as ``</w>``; empty for most."""

    def spell(self, pre_tokens: Sequence[str]) -> Spelling:
        """Spell each pre-token. Raises TokenizerError for characters that have no symbol."""


@dataclass(frozen=True)
class ByteVocabulary:
    """Single bytes: ``values`` holds the byte value of each symbol, in the order of their ids.

    ``whole`` has the ids of pre-tokens that are one symbol each, whatever their bytes: the special tokens at
    which a trainer cuts. They are not among ``symbols``.
    """

    values: bytes
    first_id: int = 0
    whole: Mapping[str, int] = field(default_factory=dict, hash=False, repr=False)

    @property
    def end_of_word(self) -> str:
        return ""

    @cached_property
    def symbols(self) -> Sequence[bytes]:
        return [bytes([value]) for value in self.values]

    @property
    def symbol_ids(self) -> Sequence[int]:
        return range(self.first_id, self.first_id + len(self.values))

    @cached_property
    def id_of_byte(self) -> IntArray:
        """The id of each of the 256 byte values; -1 if the vocabulary lacks it."""
        table = np.full(256, -1, np.int32)
        table[list(self.values)] = np.arange(self.first_id, self.first_id + len(self.values))
        return table

    def spell(self, pre_tokens: Sequence[str]) -> Spelling:
        if self.whole and not self.whole.keys().isdisjoint(pre_tokens):
            return self._spell_with_whole(pre_tokens)
        encoded = [p.encode("utf-8") for p in pre_tokens]
        ids = self.id_of_byte[np.frombuffer(b"".join(encoded), np.uint8)]
        if len(self.values) < 256 and (ids < 0).any():
            known = set(self.values)
            raise unspellable(_distinct(c for p in pre_tokens for c in p if set(c.encode()) - known))
        lengths = np.fromiter(map(len, encoded), np.int32, len(encoded))
        return Spelling(ids, np.ones_like(ids), lengths, np.zeros_like(lengths))

    def _spell_with_whole(self, pre_tokens: Sequence[str]) -> Spelling:
        """Spell pre-tokens, some of them as one symbol: spelled in bytes, it loses all but the first."""
        spelled = replace(self, whole={}).spell(pre_tokens)
        is_whole = np.fromiter((p in self.whole for p in pre_tokens), np.bool_, len(pre_tokens))
        first = (np.cumsum(spelled.lengths) - spelled.lengths)[is_whole]
        spelled.ids[first] = [self.whole[p] for p in pre_tokens if p in self.whole]
        spelled.widths[first] = spelled.lengths[is_whole]
        kept = ~np.repeat(is_whole, spelled.lengths)
        kept[first] = True
        return Spelling(
            ids=spelled.ids[kept],
            widths=spelled.widths[kept],
            lengths=np.where(is_whole, 1, spelled.lengths).astype(np.int32),
            skipped=spelled.skipped,
        )


@dataclass(frozen=True)
class CharacterVocabulary:
    """Characters: ``ids`` maps each symbol's text to its id.

    ``space`` is the symbol for a space; ``end_of_word`` is added to the last character of a pre-token.
    ``whitespace`` says how white space is spelled:

    - ``keep``: like any other character;
    - ``drop-first``: the same, but a space at the start of the pre-token is dropped;
    - ``one-before-word``: a run before a word becomes one space symbol, any other run is dropped;
    - ``one-or-line-feed``: the same, but a line feed is like any other character;
    - ``spaces-only``: spaces and line breaks are like any other character, other white space is dropped;
    - ``drop``: a pre-token of nothing but white space is dropped;
    - ``drop-spaces``: a pre-token of nothing but spaces and line ends is dropped;
    - ``drop-separators``: a pre-token of nothing but line feeds, U+0000 and U+001F is dropped.

    ``unknown`` says what happens to characters that are not in ``ids``, and ``unknown_id`` is the id of the
    unknown token.
    """

    ids: Mapping[str, int] = field(repr=False)
    space: str = " "
    end_of_word: str = ""
    whitespace: Literal[
        "keep",
        "drop-first",
        "one-before-word",
        "one-or-line-feed",
        "spaces-only",
        "drop",
        "drop-spaces",
        "drop-separators",
    ] = "keep"
    unknown: UnknownCharacters = "refuse"
    unknown_id: int = -1

    @cached_property
    def first_id(self) -> int:
        return min(self.ids.values(), default=0)

    @property
    def symbol_ids(self) -> Sequence[int]:
        return list(self.ids.values())

    @cached_property
    def symbols(self) -> Sequence[bytes]:
        return [(" " if symbol == self.space else symbol).encode("utf-8") for symbol in self.ids]

    def spell(self, pre_tokens: Sequence[str]) -> Spelling:
        spelled = [self._spell_one(p) for p in pre_tokens]
        symbols = [s for _, symbols, _ in spelled for s in symbols]
        missing = _distinct(s for s in symbols if s not in self.ids)
        if missing and self.unknown == "unknown-token":
            spelled = [(skipped, *self._in_runs(parts, widths)) for skipped, parts, widths in spelled]
            symbols = [s for _, symbols, _ in spelled for s in symbols]
        elif missing and self.unknown == "refuse":
            bare = {s: s.removesuffix(self.end_of_word) for s in missing}
            at_word_end = [bare[s] for s in missing if bare[s] != s and bare[s] in self.ids]
            raise unspellable(_distinct(bare.values()), at_word_end)
        return Spelling(
            ids=np.fromiter(map(self._id_of, symbols), np.int32, len(symbols)),
            widths=np.fromiter(chain.from_iterable(w for *_, w in spelled), np.int32, len(symbols)),
            lengths=np.fromiter((len(s) for _, s, _ in spelled), np.int32, len(spelled)),
            skipped=np.fromiter((k for k, *_ in spelled), np.int32, len(spelled)),
        )

    def _id_of(self, symbol: str) -> int:
        known = self.ids.get(symbol)
        if known is not None:
            return known
        if self.unknown == "unknown-token":
            return self.unknown_id
        ends = bool(self.end_of_word) and symbol.endswith(self.end_of_word) and len(symbol) > 1
        return FIRST_KEPT_ID + 2 * ord(symbol[0]) + ends

    @cached_property
    def never_spelled(self) -> frozenset[int]:
        """The ids of symbols that no text is spelled in: a space for which another symbol stands, and white
        space that is dropped."""
        kept = {"one-before-word": "", "one-or-line-feed": "\n", "spaces-only": " \r\n"}.get(self.whitespace)
        return frozenset(
            token_id
            for symbol, token_id in self.ids.items()
            if (symbol == " " and self.space != " ")
            or (kept is not None and symbol.isspace() and symbol not in kept)
        )

    def kept_symbol(self, token_id: int) -> bytes | None:
        """Return the bytes of the character with this id, if it is one that the vocabulary lacks; else
        None."""
        character, ends = divmod(token_id - FIRST_KEPT_ID, 2)
        if self.unknown != "keep" or not 0 <= character <= sys.maxunicode:
            return None
        return (chr(character) + self.end_of_word * ends).encode("utf-8", "surrogatepass")

    def _in_runs(self, symbols: list[str], widths: list[int]) -> tuple[list[str], list[int]]:
        """Symbols and widths with one symbol for each run of unknown characters."""
        runs: list[str] = []
        wide: list[int] = []
        for symbol, width in zip(symbols, widths, strict=True):
            if symbol not in self.ids and runs and runs[-1] not in self.ids:
                wide[-1] += width
            else:
                runs.append(symbol)
                wide.append(width)
        return runs, wide

    def _spell_one(self, pre_token: str) -> tuple[int, list[str], list[int]]:
        """Bytes skipped, symbols, and the bytes each symbol stands for."""
        skipped = 0
        text = pre_token
        spaced = self.whitespace == "one-before-word"
        spaced |= self.whitespace == "one-or-line-feed" and not pre_token.startswith("\n")
        if (spaced or self.whitespace == "drop") and pre_token.isspace():
            return len(pre_token.encode("utf-8")), [], []
        if self.whitespace == "drop-spaces" and not pre_token.strip(" \r\n"):
            return len(pre_token), [], []
        if self.whitespace == "drop-separators" and not pre_token.strip("\n\x00\x1f"):
            return len(pre_token), [], []
        if self.whitespace == "spaces-only":
            return self._spaces_only(pre_token)
        if self.whitespace == "drop-first" and pre_token.startswith(" "):
            skipped, text = 1, pre_token[1:]
        if spaced:
            word = text.lstrip()
            before = text[: len(text) - len(word)]
            parts = [before, *word] if before else [*word]
            symbols = [self.space, *word] if before else [*word]
        else:
            parts = [*text]
            symbols = [self.space if c == " " else c for c in text]
        if self.end_of_word and symbols:
            symbols[-1] += self.end_of_word
        return skipped, symbols, [len(part.encode("utf-8")) for part in parts]

    def _spaces_only(self, pre_token: str) -> tuple[int, list[str], list[int]]:
        """As _spell_one; a dropped character counts as part of the symbol before it."""
        skipped, symbols, widths = 0, list[str](), list[int]()
        for character in pre_token:
            width = len(character.encode("utf-8"))
            if not character.isspace() or character in " \r\n":
                symbols.append(self.space if character == " " else character)
                widths.append(width)
            elif widths:
                widths[-1] += width
            else:
                skipped += width
        return skipped, symbols, widths

    def symbols_in(self, pre_tokens: Iterable[str]) -> set[str]:
        """Every symbol that spelling ``pre_tokens`` would use, known or not."""
        return {symbol for p in pre_tokens for symbol in self._spell_one(p)[1]}


@dataclass(frozen=True)
class ListedVocabulary:
    """Symbols with any ids, as a file lists them: ``tokens`` has the bytes of each by its id.

    Characters without a symbol are spelled in the symbols of their bytes; where the file says which these
    are, ``byte_ids`` has them. ``unmerged_ids`` are the symbols that the file's library never merges, such as
    ``<unk>`` and the user-defined pieces of a SentencePiece model. ``end_of_word`` is what the file's library
    adds to the last symbol of a pre-token; ``continuing``, such as ``##``, what a token begins with that goes
    on with a word. A model whose tokens are all symbols has ``unknown_id`` for what it lacks.
    """

    tokens: Mapping[int, bytes] = field(repr=False)
    end_of_word: str = ""
    byte_ids: frozenset[int] = frozenset()
    unmerged_ids: frozenset[int] = frozenset()
    continuing: str = ""
    unknown_id: int = -1

    @cached_property
    def first_id(self) -> int:
        return min(self.tokens, default=0)

    @property
    def symbol_ids(self) -> Sequence[int]:
        return list(self.tokens)

    @property
    def symbols(self) -> Sequence[bytes]:
        return list(self.tokens.values())

    @cached_property
    def _id_of(self) -> Mapping[bytes, int]:
        return {symbol: i for i, symbol in self.tokens.items()}

    def spell(self, pre_tokens: Sequence[str]) -> Spelling:
        spelled = [[part for c in p for part in self._parts(c)] for p in pre_tokens]
        parts = list(chain.from_iterable(spelled))
        missing = [part for part in parts if part not in self._id_of]
        if missing:
            known = self._id_of
            raise unspellable(_distinct(c for p in pre_tokens for c in p if self._parts(c)[0] not in known))
        return Spelling(
            ids=np.array([self._id_of[part] for part in parts], np.int32),
            widths=np.array([len(part) for part in parts], np.int32),
            lengths=np.array([len(parts) for parts in spelled], np.int32),
            skipped=np.zeros(len(spelled), np.int32),
        )

    def _parts(self, character: str) -> list[bytes]:
        encoded = character.encode("utf-8")
        return [encoded] if encoded in self._id_of else [bytes([byte]) for byte in encoded]


def _distinct(characters: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(characters))


def unspellable(characters: Sequence[str], at_word_end: Sequence[str] = ()) -> TokenizerError:
    """Return the error of a text with ``characters`` that a base vocabulary lacks. Those ``at_word_end`` it
    has, but not as the last character of a word."""
    elsewhere = [c for c in characters if c not in at_word_end]
    missing = [_listed(elsewhere)] if elsewhere else []
    if at_word_end:
        missing.append(f"{_listed(at_word_end)} at the end of a word")
    return TokenizerError(
        f"The base vocabulary has no symbol for {', nor for '.join(missing)}. Leave them out, train on a "
        "corpus with them, or use a tokenizer whose base vocabulary is all 256 bytes."
    )


def _listed(characters: Sequence[str], limit: int = 10) -> str:
    shown = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in characters[:limit])
    return shown + (f" and {len(characters) - limit:,} more" if len(characters) > limit else "")
