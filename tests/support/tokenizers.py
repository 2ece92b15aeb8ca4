"""Tokenizers that no trainer makes, and tokenizers trained on texts that are hard."""

from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Tokenizer, Trainer
from bpeviz.core.base_vocabulary import ByteVocabulary, CharacterVocabulary
from bpeviz.text.split_patterns import SPLIT_PATTERNS, get_split_pattern
from tests.support.texts import BORDERS_OF_SPLITTING, END_OF_WORD_TEXT, PARTING_TEXT, TIGHT_TEXTS

__all__ = ["of_characters", "trained_on_hard_texts", "with_any_merges"]

NUMBERS = st.integers(0, 10**6)


@st.composite
def with_any_merges(draw: st.DrawFn) -> Tokenizer:
    """A tokenizer whose merges are of any earlier tokens: two may spell the same token, or have one pair."""
    choices = draw(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=12))
    known = [*b"ab", *range(256, 256 + len(choices))]
    merges = [((known[a % (i + 2)], known[b % (i + 2)]), 256 + i) for i, (a, b) in enumerate(choices)]
    return Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=SPLIT_PATTERNS["none"])


#: Texts that name special tokens, or hold the characters that SentencePiece treats in its own way.
_LOOK_ALIKES = st.lists(
    st.sampled_from(["<s>", "</s>", "<unk>", "<", "s", ">", "▁", "▅", " ", "\n", "\x00", "\x1f", "\t", "a"]),
    max_size=30,
).map("".join)
_TEXTS = TIGHT_TEXTS | st.lists(
    BORDERS_OF_SPLITTING | PARTING_TEXT | END_OF_WORD_TEXT | _LOOK_ALIKES, min_size=1, max_size=4
)


@st.composite
def trained_on_hard_texts(draw: st.DrawFn, recipe: str) -> tuple[Tokenizer, list[str]]:
    """A tokenizer of a recipe, and the texts it learned from, with others of the same characters.

    Some merges are not the recipe's choice but a person's.
    """
    texts = draw(_TEXTS)
    special_tokens = draw(
        st.sampled_from([RECIPES[recipe].special_tokens, ("<unk>", "a", "ab", "▁a"), ("<s>", "<unk>", "é!")])
    )
    split = RECIPES[recipe].split_pattern(special_tokens=special_tokens)
    trainer = Trainer(Corpus.from_texts(texts, split), recipe, special_tokens=special_tokens)
    for place in draw(st.lists(st.just(0) | st.integers(0, 5), max_size=40)):
        pairs = trainer.top_pairs(1 + place)
        if not pairs or trainer.step(pairs[-1][0] if place else None) is None:
            break
    characters = sorted(set().union(*texts))
    others = (
        st.lists(st.text(st.sampled_from(characters), max_size=30), max_size=3) if characters else st.just([])
    )
    return trainer.tokenizer(), [*texts, *draw(others)]


def of_characters(
    symbols: str = "ab▁",
    merges: tuple[tuple[int, int, int], ...] = (),
    *,
    split: str = "sentencepiece",
    special_tokens: tuple[str, ...] = ("<unk>",),
) -> Tokenizer:
    """A tokenizer by the rules of SentencePiece: ``merges`` are the ids of both halves and of the token."""
    first_id = len(special_tokens)
    ids = {symbol: i for i, symbol in enumerate(symbols, first_id)}
    base = CharacterVocabulary(ids, space="▁", whitespace="drop-separators")
    return Tokenizer(
        base,
        [((left, right), token_id) for left, right, token_id in merges],
        split=get_split_pattern(split),
        special_tokens={token: i for i, token in enumerate(special_tokens)},
    )
