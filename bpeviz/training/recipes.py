"""Recipes: the rules in which byte-pair trainers differ, one frozen value for each trainer reproduced.

All trainers count overlapping neighbours and replace left to right without overlap. They differ in the base
vocabulary and its ids, the split pattern, whether special tokens cut the text, which of several equally
frequent pairs they merge, whether two tokens with the same bytes are one, how long a token may be, and when
they stop.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from bpeviz.core.base_vocabulary import (
    GPT2_BYTE_CHARACTERS,
    BaseVocabulary,
    ByteVocabulary,
    CharacterVocabulary,
)
from bpeviz.core.pair_index import LengthLimit, LengthUnit, TieRule
from bpeviz.corpus.corpus import Corpus
from bpeviz.errors import TrainingSettingsError
from bpeviz.text.special_tokens import UNKNOWN, SpecialTokenPlace, listed_special_tokens
from bpeviz.text.split_patterns import SplitPattern, get_split_pattern

__all__ = ["LONGEST_TOKEN", "RECIPES", "BaseRule", "Recipe", "get_recipe"]

BaseRule = Literal[
    "bytes-by-value",
    "bytes-by-gpt2-character",
    "occurring-bytes",
    "latin1-characters",
    "word-characters",
    "occurring-characters",
]

#: Each base vocabulary, in words.
_BASES: Mapping[BaseRule, str] = {
    "bytes-by-value": "256 bytes, ids by value",
    "bytes-by-gpt2-character": "256 bytes, ids by GPT-2 character: the space comes after ~",
    "occurring-bytes": "the bytes that occur, ids by GPT-2 character",
    "latin1-characters": "characters, U+0000 to U+00FF first, without a leading space",
    "word-characters": "characters, </w> added to a word’s last, no spaces between words",
    "occurring-characters": "the characters that occur, ▁ for a space, without line ends",
}


@dataclass(frozen=True)
class TieWords:
    """A tie rule in words: ``which`` pair it takes, to follow "the pair"; the ``reason`` why a pair won, to
    follow "because"; and why another pair ``lost``, to follow "it occurs 3 times too,"."""

    which: str
    reason: str
    lost: str


_TIES: Mapping[TieRule, TieWords] = {
    "first-seen": TieWords(
        "seen first in the text", "it was seen first in the text", "but it comes later in the text"
    ),
    "smallest-ids": TieWords(
        "with the smallest ids, left before right", "its ids are smallest", "but its ids are larger"
    ),
    "greatest-tokens": TieWords(
        "that comes last in the alphabet, left before right",
        "it comes last in the alphabet",
        "but it comes earlier in the alphabet",
    ),
    "shortest-token": TieWords(
        "that makes the shortest token, of these the first in the alphabet",
        "it makes the shortest token, or of these the first in the alphabet",
        "but its token is longer, or comes later in the alphabet",
    ),
}
#: The base vocabularies, and places of special tokens, with which a recipe can cut at special tokens.
_CAN_CUT: Collection[tuple[BaseRule, SpecialTokenPlace]] = frozenset(
    {("bytes-by-value", "first"), ("bytes-by-value", "after-base")}
)


@dataclass(frozen=True)
class Recipe:
    """The rules of one trainer.

    - ``reproduces``: the trainer, in words;
    - ``base``: the base vocabulary and the order of its ids;
    - ``split``: the trainer's default split pattern;
    - ``tie``: which of the pairs with the highest count it merges;
    - ``min_frequency``: training stops when the highest count is below it;
    - ``special_tokens_at``: where the ids of special tokens are; ``last`` ones follow the merges and do not
      count towards a vocab size;
    - ``special_tokens``: the trainer's default special tokens;
    - ``merges_alike``: whether a merge that gives the bytes of an existing token makes that token again, not
      a new one;
    - ``counts_repeats``: whether such a merge still counts towards the vocab size;
    - ``max_token_length``: how long a token may be, None for any length; two neighbours that are longer are
      not a pair;
    - ``length_unit``: what that number counts: with "characters" a token has at most so many; with "bytes",
      as in ``tokenizers``, it has fewer, but single bytes are a pair whatever the number;
    - ``cuts_at_special_tokens``: whether each special token in the text is one symbol, which is in no pair:
      see split_pattern. Its id is known before the merges, so special tokens can't be ``last``.

    Raises TrainingSettingsError for cuts at special tokens that the base vocabulary can't have.
    """

    name: str
    reproduces: str
    base: BaseRule
    split: str
    tie: TieRule
    special_tokens_at: SpecialTokenPlace
    min_frequency: int = 1
    special_tokens: tuple[str, ...] = ()
    merges_alike: bool = False
    counts_repeats: bool = True
    max_token_length: int | None = None
    length_unit: LengthUnit = "characters"
    cuts_at_special_tokens: bool = False

    def __post_init__(self) -> None:
        if self.cuts_at_special_tokens and (self.base, self.special_tokens_at) not in _CAN_CUT:
            raise TrainingSettingsError(
                "A recipe that cuts at special tokens needs the base bytes-by-value and special tokens first "
                "or after-base. Change these, or set cuts_at_special_tokens to False.",
            )

    @property
    def length_limit(self) -> LengthLimit | None:
        """How long a token may be; None for any length."""
        if self.max_token_length is None:
            return None
        below = max(self.max_token_length - 1, 2)
        return LengthLimit(below if self.length_unit == "bytes" else self.max_token_length, self.length_unit)

    @property
    def base_words(self) -> str:
        """The base vocabulary, in words."""
        return _BASES[self.base]

    @property
    def tie_words(self) -> TieWords:
        """The tie rule, in words."""
        return _TIES[self.tie]

    @property
    def tie_sentence(self) -> str:
        """The tie rule, to end the sentence "this recipe takes …"."""
        return f"the one {self.tie_words.which}"

    @property
    def tie_reason(self) -> str:
        """Why a pair won a tie, to end the sentence "chosen because …"."""
        return self.tie_words.reason

    def split_pattern(
        self, split: str | SplitPattern | None = None, special_tokens: Sequence[str] | None = None
    ) -> SplitPattern:
        """Return the pattern that cuts a text for this recipe: ``split``, or the recipe's own, and cuts at
        special tokens if the recipe makes them.

        ``special_tokens`` replace the recipe's own. Raises SplitPatternError, CorpusError,
        TrainingSettingsError.

            RECIPES["cs336"].split_pattern().split("a<|endoftext|>b")  ->  ["a", "<|endoftext|>", "b"]
        """
        pattern = get_split_pattern(self.split if split is None else split)
        given = self.special_tokens if special_tokens is None else listed_special_tokens(special_tokens)
        return pattern.cut_at(given) if self.cuts_at_special_tokens else pattern

    def ids_made_again(self, tokens: Iterable[bytes], special_tokens: Sequence[str]) -> dict[bytes, int]:
        """Return the ids of the ``tokens`` that a merge may make again, by their bytes: none without
        ``merges_alike``.

        A special token is one of them only if it is printable ASCII. The trainers with this rule write tokens
        in GPT-2's characters, in which a special token such as "é" or " a" does not stand for its bytes.
        """
        if not self.merges_alike:
            return {}
        apart = {s.encode("utf-8") for s in special_tokens if not all("!" <= c <= "~" for c in s)}
        return {token: i for i, token in enumerate(tokens) if token not in apart}

    def base_vocabulary(self, corpus: Corpus, special_tokens: Sequence[str]) -> BaseVocabulary:
        """Return the base vocabulary of this recipe for ``corpus``."""
        first_id = len(special_tokens) if self.special_tokens_at == "first" else 0
        match self.base:
            case "bytes-by-value":
                return ByteVocabulary(bytes(range(256)), first_id, self._whole(special_tokens))
            case "bytes-by-gpt2-character":
                return ByteVocabulary(_by_gpt2_character(range(256)), first_id)
            case "occurring-bytes":
                occurring = {byte for p in corpus.pre_tokens for byte in p.encode("utf-8")}
                return ByteVocabulary(_by_gpt2_character(occurring), first_id)
            case "latin1-characters":
                whole_text = corpus.split.regex is None
                speller = CharacterVocabulary(
                    {}, space="Ġ", whitespace="drop-first" if whole_text else "keep"
                )
                latin1 = [chr(code) for code in range(256)]
                return _numbered(speller, latin1, corpus, always={"Ġ"})
            case "word-characters":
                by_spaces = corpus.split == get_split_pattern("spaces")
                speller = CharacterVocabulary(
                    {},
                    end_of_word="</w>",
                    whitespace="drop-spaces" if by_spaces else "drop",
                    unknown="keep",
                )
                return _numbered(speller, [], corpus)
            case "occurring-characters":
                speller = CharacterVocabulary({}, space="▁", whitespace="drop-separators")
                if UNKNOWN in special_tokens:
                    unknown_id = list(special_tokens).index(UNKNOWN)
                    speller = replace(speller, unknown="unknown-token", unknown_id=unknown_id)
                return _numbered(speller, [], corpus, first_id=first_id)

    def _whole(self, special_tokens: Sequence[str]) -> dict[str, int]:
        """Return the ids of the special tokens that are one symbol each."""
        if not self.cuts_at_special_tokens:
            return {}
        first = 0 if self.special_tokens_at == "first" else 256
        return {token: i for i, token in enumerate(special_tokens, first)}

    def first_tokens(self, base: BaseVocabulary, special_tokens: Sequence[str]) -> list[bytes]:
        """Return the tokens before the first merge, by id."""
        special = [token.encode("utf-8") for token in special_tokens]
        match self.special_tokens_at:
            case "first":
                return [*special, *base.symbols]
            case "after-base":
                return [*base.symbols, *special]
            case "last":
                return [*base.symbols]


def _by_gpt2_character(values: "range | set[int]") -> bytes:
    return bytes(sorted(values, key=GPT2_BYTE_CHARACTERS.__getitem__))


def _numbered(
    speller: CharacterVocabulary,
    first: Sequence[str],
    corpus: Corpus,
    always: frozenset[str] | set[str] = frozenset(),
    first_id: int = 0,
) -> CharacterVocabulary:
    """Return the ids: ``first`` in that order, then the other symbols of the corpus sorted, from ``first_id``
    on."""
    others = sorted((speller.symbols_in(corpus.pre_tokens) | always) - set(first))
    return replace(speller, ids={symbol: i for i, symbol in enumerate([*first, *others], first_id)})


#: What the longest token may have, by what a recipe counts in it.
LONGEST_TOKEN: Mapping[LengthUnit, str] = MappingProxyType(
    {
        "bytes": "A token has fewer bytes than this. "
        "As in the library, two single bytes can always be joined.",
        "characters": "A token has at most so many characters.",
    }
)
#: Every recipe by its name. The rules come from the source code of each trainer.
RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        r.name: r
        for r in (
            Recipe(
                name="course",
                reproduces="the from-scratch trainer of the Hugging Face course",
                base="occurring-bytes",
                split="gpt2",
                tie="first-seen",
                special_tokens_at="first",
                special_tokens=("<|endoftext|>",),
                merges_alike=True,
            ),
            Recipe(
                name="minbpe-basic",
                reproduces="minbpe’s BasicTokenizer",
                base="bytes-by-value",
                split="none",
                tie="first-seen",
                special_tokens_at="last",
            ),
            Recipe(
                name="minbpe",
                reproduces="minbpe’s RegexTokenizer",
                base="bytes-by-value",
                split="cl100k",
                tie="first-seen",
                special_tokens_at="last",
            ),
            Recipe(
                name="tiktoken-educational",
                reproduces="tiktoken’s teaching trainer (_educational.bpe_train)",
                base="bytes-by-value",
                split="gpt2",
                tie="first-seen",
                special_tokens_at="last",
                merges_alike=True,
                counts_repeats=False,
            ),
            Recipe(
                # Differs if a special token is one character of GPT-2's byte alphabet, or is written like
                # a token: for "a", "é" or "Ġa" tokenizers has one id; we give the special token another one.
                # It splits letters newer than its Unicode, such as U+323B0, in another way.
                name="huggingface",
                reproduces="Hugging Face’s trainer (BpeTrainer with ByteLevel and its full alphabet)",
                base="bytes-by-gpt2-character",
                split="gpt2",
                tie="smallest-ids",
                special_tokens_at="first",
                merges_alike=True,
                counts_repeats=False,
                length_unit="bytes",
            ),
            Recipe(
                # The handout leaves the order of ids open. Its tokens are bytes, so two merges that make the
                # same bytes make the same token. Special tokens count towards its vocab size.
                name="cs336",
                reproduces="“train BPE” of Stanford CS336, assignment 1",
                base="bytes-by-value",
                split="gpt2",
                tie="greatest-tokens",
                special_tokens_at="after-base",
                special_tokens=("<|endoftext|>",),
                cuts_at_special_tokens=True,
                merges_alike=True,
            ),
            Recipe(
                # It splits letters newer than its Unicode, such as U+323B0, in another way.
                name="rustbpe",
                reproduces="rustbpe",
                base="bytes-by-value",
                split="rustbpe",
                tie="smallest-ids",
                special_tokens_at="last",
            ),
            Recipe(
                name="llms-from-scratch-simple",
                reproduces="the character trainer of “LLMs from scratch”",
                base="latin1-characters",
                split="none",
                tie="first-seen",
                special_tokens_at="after-base",
                special_tokens=("<|endoftext|>",),
            ),
            Recipe(
                # Differs if a word holds white space other than a space or a line end: in "\ta\taa\taa"
                # the library finds a pair inside tokens with a tab, and we do not.
                name="subword-nmt",
                reproduces="subword-nmt’s learn_bpe",
                base="word-characters",
                split="spaces",
                tie="greatest-tokens",
                special_tokens_at="last",
                min_frequency=2,
                merges_alike=True,
            ),
            Recipe(
                # As it trains with normalization_rule_name="identity", add_dummy_prefix=False,
                # remove_extra_whitespaces=False, character_coverage=1.0, split_by_unicode_script=False,
                # split_by_number=False and lines of any length. By default it puts a ▁ before each line,
                # which stands for no byte of the text, so no gap rank can describe it.
                # Differs if the text holds ▅ (U+2585), whose line it leaves out, or a special token, at
                # which it cuts. When no pair is left, it continues with pieces that occur nowhere.
                # Its ids have another order: special tokens, merges, then characters by falling frequency.
                name="sentencepiece",
                reproduces="the BPE trainer of SentencePiece, on text as it is",
                base="occurring-characters",
                split="sentencepiece",
                tie="shortest-token",
                special_tokens_at="first",
                special_tokens=(UNKNOWN, "<s>", "</s>"),
                max_token_length=16,
            ),
        )
    }
)


def get_recipe(recipe: str | Recipe) -> Recipe:
    """Return the recipe of a name; a Recipe is returned unchanged. Raises TrainingSettingsError."""
    if isinstance(recipe, Recipe):
        return recipe
    if not isinstance(recipe, str) or recipe not in RECIPES:
        raise TrainingSettingsError(
            f"There is no recipe named {recipe!r}. Choose one of: {', '.join(RECIPES)}."
        )
    return RECIPES[recipe]
