"""Why a part of a text is not one token: by hand, then GPT-2's words, then against gap ranks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.core.gap_ranks import INSIDE, SKIPPED, WALL
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.one_token import (
    Making,
    Makings,
    PlacedMerge,
    WhyNotOneToken,
    why_not_one_token,
    why_of_pre_token,
)
from tests.support.texts import training_and_other_text
from tests.support.tokenizer_files import as_file, tiny

A, B, C = b"abc"


def by_hand(*merges: tuple[int, int]) -> Tokenizer:
    base = ByteVocabulary(bytes(range(256)))
    numbered = [(pair, 256 + rank) for rank, pair in enumerate(merges)]
    return Tokenizer(base, numbered, split=SPLIT_PATTERNS["gpt2"])


def trained(name: str, texts: list[str]) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=25)


def ask(tokenizer: Tokenizer, text: str, part: str) -> WhyNotOneToken:
    """Why the first such part of the text is not one token."""
    start = text.encode().index(part.encode())
    return why_not_one_token(tokenizer, text, start, start + len(part.encode()))


# --- by hand -------------------------------------------------------------------------------------------


def test_it_is_one_token():
    assert ask(by_hand((A, B)), "ab", "ab") == WhyNotOneToken("one-token", 0, 2, (256,), Making(256, 0))
    assert ask(by_hand(), "ab", "a") == WhyNotOneToken("one-token", 0, 1, (97,), Making(97, None))


def test_the_split_pattern_cuts_it():
    assert ask(by_hand((A, B)), "ab ab.", "b ab.") == WhyNotOneToken(
        "wall", 1, 6, (256, 32, 256, 46), walls=(2, 5)
    )


def test_a_merge_joins_a_byte_of_it_to_the_one_before():
    assert ask(by_hand((B, C), (A, B)), "abc", "c") == WhyNotOneToken(
        "crossing", 2, 3, (256,), Making(99, None), merge=PlacedMerge(0, (B, C), 256, 1, 2, 3)
    )


def test_of_two_crossing_merges_the_first_is_answer():
    tokenizer = by_hand((B, C), (A, 256))
    assert ask(tokenizer, "abc", "b").merge == PlacedMerge(0, (B, C), 256, 1, 2, 3)
    tokenizer = by_hand((A, B), (256, C))
    assert ask(tokenizer, "abc", "b").merge == PlacedMerge(0, (A, B), 256, 0, 1, 2)


def test_a_crossing_merge_of_tokens_that_are_longer():
    tokenizer = by_hand((A, B), (C, C), (256, 257))  # ab, cc, abcc
    assert ask(tokenizer, "abcc", "cc") == WhyNotOneToken(
        "crossing", 2, 4, (258,), Making(257, 1), merge=PlacedMerge(2, (256, 257), 258, 0, 2, 4)
    )


def test_it_was_never_made():
    assert ask(by_hand((A, B)), "abc", "abc") == WhyNotOneToken("never-made", 0, 3, (256, 99))


def test_a_token_of_the_vocabulary_that_other_merges_come_before():
    tokenizer = by_hand((B, C), (A, B), (257, C))  # bc, ab, ab+c
    assert ask(tokenizer, "abc", "abc") == WhyNotOneToken(
        "out-of-reach", 0, 3, (97, 256), Making(258, 2), merge=PlacedMerge(0, (B, C), 256, 1, 2, 3)
    )


def test_merges_of_its_own_are_not_what_stands_in_the_way():
    tokenizer = by_hand((A, A), (B, C), (C, B), (256, 258), (259, C))  # aa, bc, cb, aa+cb, aacb+c
    why = ask(tokenizer, "aacbc", "aacbc")
    assert (why.reason, why.making) == ("out-of-reach", Making(260, 4))
    assert why.merge == PlacedMerge(1, (B, C), 257, 3, 4, 5)  # and not aa, which aacbc is made of


def test_a_token_may_have_what_merged_first_at_another_place():
    tokenizer = by_hand((A, A), (A, 256))  # aa, a+aa; but aaa becomes aa + a
    why = ask(tokenizer, "aaa", "aaa")
    assert (why.reason, why.merge) == ("out-of-reach", PlacedMerge(0, (A, A), 256, 0, 1, 2))
    assert why.elsewhere


def test_a_token_that_a_merge_crosses_may_be_out_of_reach_in_every_place():
    tokenizer = by_hand((C, C), (B, C), (A, B), (258, C))  # cc, bc, ab, ab+c
    why = ask(tokenizer, "abcc", "abc")
    assert (why.reason, why.making, why.unreachable) == ("crossing", Making(259, 3), True)
    tokenizer = by_hand((C, C), (A, B), (257, C))
    assert not ask(tokenizer, "abcc", "abc").unreachable


def test_the_first_of_two_merges_that_make_the_same_bytes_is_answer():
    tokenizer = by_hand((A, B), (B, C), (A, 257), (256, C))  # abc twice
    assert ask(tokenizer, "abc ab", "abc").making == Making(258, 2)


def test_white_space_that_is_dropped_belongs_to_no_token():
    tokenizer = trained("llms-from-scratch-simple", ["low low lower"])
    assert ask(tokenizer, "low ", " ").reason == "skipped"


def test_a_run_of_white_space_that_is_one_symbol_cannot_be_cut():
    tokenizer = trained("llms-from-scratch-simple", ["low low lower"])
    assert ask(tokenizer, "a  low", "  low").reason != "symbol"
    assert why_not_one_token(tokenizer, "a  low", 2, 6).reason == "symbol"


def test_a_part_of_a_character_that_is_one_symbol_cannot_be_cut():
    tokenizer = trained("subword-nmt", ["é é"])
    assert why_not_one_token(tokenizer, "é", 0, 1).reason == "symbol"


def test_an_end_of_word_is_a_part_of_the_token():
    tokenizer = trained("subword-nmt", ["low low low lower"])
    why = ask(tokenizer, "low low", "low")
    assert why.reason == "one-token"
    assert why.making is not None
    assert tokenizer.token_bytes(why.making.token_id) == b"low</w>"


@pytest.mark.parametrize(("start", "end"), [(-1, 1), (0, 0), (1, 1), (2, 1), (0, 4)])
def test_what_is_no_part_of_the_text_is_refused(start, end):
    with pytest.raises(ValueError, match="not a part of this text"):
        why_not_one_token(by_hand(), "abc", start, end)


# --- GPT-2 ---------------------------------------------------------------------------------------------


def answer(text: str, part: str) -> tuple[str, int | None, tuple[bytes, bytes] | None]:
    gpt2 = load_pretrained("gpt2")
    why = ask(gpt2, text, part)
    pair = why.merge and tuple(map(gpt2.token_bytes, why.merge.pair))
    return why.reason, why.making and why.making.rank, pair


def test_words_in_gpt2():
    assert answer("This is", "This") == ("one-token", 956, None)
    assert answer("the hat", "hat") == ("crossing", 4927, (b" ", b"h"))
    assert answer("the hotel", "hotel") == ("crossing", None, (b" ", b"h"))
    assert answer("hotel", "hotel") == ("never-made", None, None)
    assert answer("so that's", " that's") == ("wall", None, None)
    assert answer("the 灯", "灯") == ("crossing", None, (b" ", b"\xe7"))


@given(token_id=st.integers(0, 50255))
def test_the_rank_at_which_a_token_of_gpt2_was_made_is_its_id_less_the_bytes(token_id):
    gpt2 = load_pretrained("gpt2")
    token = gpt2.token_bytes(token_id)
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return
    why = why_not_one_token(gpt2, text, 0, len(token))
    if why.reason in ("one-token", "out-of-reach"):
        assert why.making == Making(token_id, token_id - 256 if token_id >= 256 else None)


# --- against gap ranks ---------------------------------------------------------------------------------


@st.composite
def any_part(draw: st.DrawFn) -> tuple[list[str], str, int, int]:
    """Texts to train on, another text, and where a part of that begins and ends in bytes."""
    texts, text = draw(training_and_other_text().filter(lambda drawn: drawn[1]))
    start = draw(st.integers(0, len(text.encode()) - 1))
    return texts, text, start, draw(st.integers(start + 1, len(text.encode())))


@pytest.mark.parametrize("name", RECIPES)
@given(part=any_part())
def test_the_reason_is_what_the_gap_ranks_allow(name, part):
    texts, text, start, end = part
    tokenizer = trained(name, texts)
    gaps = tokenizer.gap_ranks(text).tolist()
    why = why_not_one_token(tokenizer, text, start, end)
    inside = gaps[start : end - 1]
    edges = [gaps[i] for i in (start - 1, end - 1) if 0 <= i < len(gaps) - 1]
    merges = len(tokenizer.merges)
    if WALL in inside or SKIPPED in gaps[start:end]:
        assert why.reason in ("wall", "skipped")
    elif INSIDE in edges:
        assert why.reason == "symbol"
    elif any(0 <= gap < merges for gap in edges):
        assert why.reason == "crossing"
    elif all(gap < merges for gap in inside):
        assert why.reason == "one-token"
    else:
        assert why.reason in ("never-made", "out-of-reach")


@pytest.mark.parametrize("name", RECIPES)
@given(part=any_part())
def test_the_crossing_merge_is_the_first_of_the_trace_that_covers_an_edge(name, part):
    texts, text, start, end = part
    tokenizer = trained(name, texts)
    why = why_not_one_token(tokenizer, text, start, end)
    if why.reason != "crossing":
        return
    covers = [s for s in tokenizer.trace(text) if s.start < start < s.end or s.start < end < s.end]
    first = covers[0]
    assert why.merge is not None
    assert (first.rank, first.pair, first.token_id) == (why.merge.rank, why.merge.pair, why.merge.token_id)
    assert (first.start, first.end) == (why.merge.start, why.merge.end)
    assert first.start < why.merge.middle < first.end
    assert why.merge.middle in (start, end)
    assert first.rank == min(step.rank for step in covers) or name == "subword-nmt"


@pytest.mark.parametrize("name", [name for name in RECIPES if "bytes" in RECIPES[name].base])
@given(part=any_part())
def test_a_part_is_made_if_and_only_if_the_vocabulary_has_it(name, part):
    texts, text, start, end = part
    tokenizer = trained(name, texts)
    why = why_not_one_token(tokenizer, text, start, end)
    if why.reason == "wall":
        return
    data = text.encode()[start:end]
    ids = [*range(tokenizer.base.first_id, tokenizer.base.first_id + len(tokenizer.base.symbols))]
    made = [i for i in [*ids, *tokenizer.merge_token_ids] if tokenizer.token_bytes(i) == data]
    assert (why.making and why.making.token_id) == (made[0] if made else None)
    if why.making and why.making.rank is not None:
        assert tokenizer.merge_token_ids.index(made[0]) == why.making.rank


@pytest.mark.parametrize("name", RECIPES)
@given(part=any_part())
def test_no_merge_joins_neighbours_of_a_part_that_was_never_made(name, part):
    """The page names the first two."""
    texts, text, start, end = part
    tokenizer = trained(name, texts)
    why = why_not_one_token(tokenizer, text, start, end)
    if why.reason == "never-made":
        assert not set(pairwise(why.token_ids)) & set(tokenizer.merges)


@pytest.mark.parametrize("name", RECIPES)
@given(texts=training_and_other_text())
def test_the_answer_for_a_whole_pre_token_is_that_for_its_bytes(name, texts):
    tokenizer = trained(name, texts[0])
    encodings = encode_step_by_step(tokenizer, texts[1])
    makings = Makings.of_words(tokenizer, encodings)
    for encoding in encodings:
        asked = why_not_one_token(tokenizer, texts[1], encoding.start, encoding.end)
        assert why_of_pre_token(makings, encoding) == asked


# --- models and tokens that no merge makes ------------------------------------------------------------------


def test_a_token_of_a_model_without_merges_is_one_token_wherever_it_stands():
    model = {"type": "WordPiece", "vocab": {"un": 0, "##aff": 1, "##able": 2, "[UNK]": 3}}
    model |= {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    changes = {("model",): model, ("pre_tokenizer",): {"type": "WhitespaceSplit"}, ("added_tokens",): []}
    tokenizer = read_tokenizer(as_file(tiny(changes)))
    assert (
        ask(tokenizer, "unaffable", "un").reason == ask(tokenizer, "unaffable", "aff").reason == "one-token"
    )
    assert ask(tokenizer, "unaffable", "na").reason == "no-merges"
    assert ask(tokenizer, "unaffable", "unaffable").reason == "no-merges"


def test_a_token_that_only_a_whole_pre_token_becomes_is_made_by_no_merge():
    base = ByteVocabulary(bytes(range(256)))
    tokenizer = Tokenizer(
        base, [((A, B), 256), (None, 257)], split=SPLIT_PATTERNS["gpt2"], unmade={257: b"cab"}
    )
    whole = Making(257, None, whole=True)
    assert ask(tokenizer, "cab cab", "cab").making == whole
    assert ask(tokenizer, "cabs", "cab") == WhyNotOneToken("whole-only", 0, 3, (C, 256), whole)


def test_a_token_at_the_end_of_a_word_is_another_one_than_inside():
    tokenizer = read_tokenizer({"codes.bpe": b"#version: 0.2\nl o\nlo w\nx y</w>\n"})
    why = ask(tokenizer, "low", "low")
    assert (why.reason, why.ends_word) == ("never-made", True)
    assert not ask(tokenizer, "lowl", "ow").ends_word
    crossed = ask(tokenizer, "slow", "ow")  # l + o joins its o to the l before it
    assert (crossed.reason, crossed.ends_word) == ("crossing", True)
