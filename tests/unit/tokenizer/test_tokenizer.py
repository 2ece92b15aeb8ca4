"""Encoding and decoding: by hand, then against an encoder that looks through all pairs for each merge."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Corpus, Tokenizer, Trainer, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary, CharacterVocabulary
from bpeviz.core.gap_ranks import INSIDE, NEVER, WALL, token_ends, token_total
from bpeviz.errors import CorpusError, TokenizerError, TrainingSettingsError
from bpeviz.text.split_patterns import SPLIT_PATTERNS, split
from bpeviz.tokenizer.encoder import TraceStep
from tests.support.brute_force import encode_symbols
from tests.support.texts import ANY_TEXT, END_OF_WORD_TEXT, TIGHT_TEXTS, named_in, training_and_other_text
from tests.support.tokenizers import with_any_merges

EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES.keys())
ALL_BYTES = ("minbpe-basic", "minbpe", "tiktoken-educational", "huggingface", "rustbpe")
BYTE_RECIPES = pytest.mark.parametrize("name", ALL_BYTES)
MERGES = 25
BYTES = ByteVocabulary(bytes(range(256)))


def trained(name: str, texts: list[str], num_merges: int = MERGES, **settings) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges, **settings)


def tokens(tokenizer: Tokenizer, text: str, **how) -> list[bytes]:
    return [tokenizer.token_bytes(token_id) for token_id in tokenizer.encode(text, **how)]


def ends_of(tokenizer: Tokenizer, ids: list[int]) -> list[int]:
    """The offset of each token's last byte."""
    return (np.cumsum([len(tokenizer.token_bytes(i)) for i in ids], dtype=int) - 1).tolist()


def encode_by_brute_force(tokenizer: Tokenizer, text: str) -> tuple[list[int], list[int]]:
    """The ids, and the ranks of the merges in the order they happen."""
    merges = list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True))
    ids: list[int] = []
    ranks: list[int] = []
    for pre_token in tokenizer.split.split(text):
        encoded, history = encode_symbols(tokenizer.base.spell([pre_token]).ids.tolist(), merges)
        ids += encoded
        ranks += [rank for rank, _ in history]
    return ids, ranks


# --- by hand -------------------------------------------------------------------------------------------


def test_aaabdaaabac_by_hand():
    tokenizer = trained("minbpe-basic", ["aaabdaaabac"], 3)  # aa, aaa, aaab
    assert tokenizer.encode("aaabdaaabac") == [258, 100, 258, 97, 99]
    assert tokenizer.decode([258, 100, 258, 97, 99]) == "aaabdaaabac"
    assert tokens(tokenizer, "aaaab") == [b"aa", b"aa", b"b"]  # aa twice leaves no aa+a


def test_the_cat_in_the_hat_by_hand():
    tokenizer = trained("minbpe", ["the cat in the hat"], 4)
    assert [tokenizer.token_bytes(i) for i in tokenizer.merge_token_ids] == [b"th", b"the", b"at", b" c"]
    assert tokens(tokenizer, "that cat") == [b"th", b"at", b" c", b"at"]


def test_the_lowest_rank_goes_first_though_another_pair_stands_left_of_it():
    merges = [((98, 99), 256), ((97, 98), 257)]  # bc before ab
    tokenizer = Tokenizer(BYTES, merges, split=SPLIT_PATTERNS["none"])
    assert tokens(tokenizer, "abc") == [b"a", b"bc"]
    assert tokens(tokenizer, "abc", order="left-to-right") == [b"ab", b"c"]


def test_left_to_right_takes_a_whole_word_that_is_a_token_first():
    merges = [((98, 99), 256), ((97, 98), 257), ((97, 256), 258)]  # bc, ab, a+bc
    tokenizer = Tokenizer(BYTES, merges, split=SPLIT_PATTERNS["whitespace"])
    assert tokens(tokenizer, "abc", order="left-to-right") == [b"abc"]
    assert tokens(tokenizer, "abcd", order="left-to-right") == [b"ab", b"c", b"d"]
    assert tokens(tokenizer, "abcd") == [b"abc", b"d"]


def test_left_to_right_merges_again_until_nothing_is_known():
    merges = [((97, 97), 256), ((256, 256), 257)]
    tokenizer = Tokenizer(BYTES, merges, split=SPLIT_PATTERNS["none"])
    assert tokens(tokenizer, "aaaaaaa", order="left-to-right") == [b"aaaa", b"aa", b"a"]


@EVERY_RECIPE
def test_empty_text_has_no_tokens(recipe):
    tokenizer = trained(recipe.name, ["ab ab"])
    assert tokenizer.encode("") == []
    assert tokenizer.encode("", order="left-to-right") == []
    assert tokenizer.encode("", allowed_special="all") == []
    assert tokenizer.decode([]) == ""
    assert tokenizer.trace("") == []
    assert tokenizer.gap_ranks("").tolist() == []
    assert tokenizer.gap_ranks("").dtype == np.int32


# --- round trips ---------------------------------------------------------------------------------------


@BYTE_RECIPES
@given(text=ANY_TEXT)
def test_any_text_comes_back_from_its_tokens(name, text):
    tokenizer = trained(name, ["the cat in the hat", text])
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.decode(tokenizer.encode(text, order="left-to-right")) == text


@BYTE_RECIPES
@given(text=ANY_TEXT)
def test_a_text_that_was_not_trained_on_comes_back_too(name, text):
    tokenizer = trained(name, ["aaabdaaabac the cat in the hat"])
    assert tokenizer.decode(tokenizer.encode(text)) == text


@given(text=ANY_TEXT)
def test_the_course_gives_back_the_text_it_was_trained_on(text):
    tokenizer = trained("course", [text])
    assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.parametrize("name", ["subword-nmt", "llms-from-scratch-simple"])
@given(text=st.lists(st.text("abé日", min_size=1, max_size=6), max_size=8).map(" ".join))
def test_recipes_of_words_give_back_words_parted_by_single_spaces(name, text):
    tokenizer = trained(name, [text])
    assert tokenizer.decode(tokenizer.encode(text)) == text
    if name == "llms-from-scratch-simple":
        assert tokenizer.decode(tokenizer.encode(text, order="left-to-right")) == text


def test_subword_nmt_decodes_an_end_of_word_as_a_space():
    tokenizer = trained("subword-nmt", ["low low  lower"])
    assert tokens(tokenizer, "low lower")[0] == b"low</w>"
    assert tokenizer.decode(tokenizer.encode("low\n lower")) == "low lower"


def test_llms_from_scratch_drops_a_leading_space_and_writes_a_run_as_one():
    tokenizer = trained("llms-from-scratch-simple", ["a cat"], 0)
    assert tokenizer.decode(tokenizer.encode("  a \n cat ")) == "a cat"


@given(ids=st.lists(st.integers(0, 258), max_size=20))
def test_any_ids_decode_and_bytes_that_are_no_utf8_become_the_replacement_character(ids):
    tokenizer = trained("minbpe-basic", ["aaabdaaabac"], 3)
    data = b"".join(tokenizer.token_bytes(i) for i in ids)
    assert tokenizer.decode_bytes(ids) == data
    assert tokenizer.decode(ids) == data.decode("utf-8", "replace")


# --- against brute force -------------------------------------------------------------------------------


@EVERY_RECIPE
@given(texts=training_and_other_text())
def test_encoding_equals_brute_force(recipe, texts):
    tokenizer = trained(recipe.name, texts[0])
    for text in (texts[1], *texts[0]):
        ids, ranks = encode_by_brute_force(tokenizer, text)
        assert tokenizer.encode(text) == ids
        assert [step.rank for step in tokenizer.trace(text)] == ranks


@given(tokenizer=with_any_merges(), text=st.text("ab", max_size=30), data=st.data())
def test_any_merges_encode_as_brute_force_and_have_the_gap_ranks_of_the_first_k(tokenizer, text, data):
    assert tokenizer.encode(text) == encode_by_brute_force(tokenizer, text)[0]
    gap_ranks = tokenizer.gap_ranks(text)
    k = data.draw(st.integers(0, len(tokenizer.merges)))
    earlier = tokenizer.after(k)
    assert token_ends(gap_ranks, k).tolist() == ends_of(earlier, earlier.encode(text))


# --- gap ranks and trace -------------------------------------------------------------------------------


def test_gap_ranks_by_hand():
    tokenizer = trained("minbpe", ["the cat in the hat"], 4)  # th, the, at, " c"
    ranks = tokenizer.gap_ranks("the cat")
    assert ranks.tolist() == [0, 1, WALL, 3, NEVER, 2, WALL]
    assert ranks.dtype == np.int32


def test_a_gap_inside_a_character_is_inside_for_a_character_tokenizer():
    tokenizer = trained("subword-nmt", ["日é 日é"], 1)
    assert tokenizer.gap_ranks("日é").tolist() == [INSIDE, INSIDE, 0, INSIDE, WALL]


@EVERY_RECIPE
@given(texts=training_and_other_text(), data=st.data())
def test_gap_ranks_cut_at_k_are_the_tokens_of_the_first_k_merges(recipe, texts, data):
    tokenizer = trained(recipe.name, texts[0])
    gap_ranks = tokenizer.gap_ranks(texts[1])
    assert len(gap_ranks) == len(texts[1].encode())
    k = data.draw(st.integers(0, len(tokenizer.merges)))
    earlier = tokenizer.after(k)
    ids = earlier.encode(texts[1])
    assert token_total(gap_ranks, k) == len(ids)
    if recipe.name in ALL_BYTES:
        assert token_ends(gap_ranks, k).tolist() == ends_of(earlier, ids)


@BYTE_RECIPES
@given(text=ANY_TEXT)
def test_walls_stand_at_the_ends_of_pre_tokens_and_nowhere_else(name, text):
    tokenizer = trained(name, ["the cat in the hat"])
    lengths = [len(p.encode()) for p in split(text, RECIPES[name].split)]
    walls = (np.cumsum(lengths, dtype=int) - 1).tolist()
    assert np.flatnonzero(tokenizer.gap_ranks(text) == WALL).tolist() == walls


# "LLMs from scratch" encodes word by word what it trained on unsplit.
ENCODES_AS_IT_TRAINS = [name for name in RECIPES if name != "llms-from-scratch-simple"]


@pytest.mark.parametrize("name", ENCODES_AS_IT_TRAINS)
@given(texts=TIGHT_TEXTS)
def test_encoding_the_training_text_repeats_training(name, texts):
    trainer = Trainer(Corpus.from_texts(texts, RECIPES[name].split), name, num_merges=MERGES)
    list(trainer.steps())
    tokenizer, history = trainer.tokenizer(), trainer.history()
    for text in texts:
        np.testing.assert_array_equal(tokenizer.gap_ranks(text), history.gap_ranks(text))
    assert sum(len(tokenizer.encode(text)) for text in texts) == trainer.token_total


def test_a_merge_that_waits_for_one_of_a_higher_rank_takes_its_rank():
    """b + a</w> is merge 0, but inside ba</w>x the token a</w> is only made by merge 4."""
    symbols = ["a", "b", "a</w>", "x</w>", "<", "/", "w", ">"]
    base = CharacterVocabulary({s: i for i, s in enumerate(symbols)}, end_of_word="</w>", whitespace="drop")
    merges = [((1, 2), 8), ((0, 4), 9), ((9, 5), 10), ((10, 6), 11), ((11, 7), 2)]
    tokenizer = Tokenizer(base, merges, split=SPLIT_PATTERNS["whitespace"])
    assert tokenizer.gap_ranks("ba").tolist() == [0, WALL]
    assert tokenizer.gap_ranks("ba</w>x").tolist() == [4, 1, 2, 3, 4, NEVER, WALL]
    assert tokenizer.after(4).encode("ba</w>x") == [1, 11, 7, 3]


@given(text=END_OF_WORD_TEXT, data=st.data())
def test_gap_ranks_of_tokens_made_again_cut_at_k_are_those_of_the_first_k_merges(text, data):
    tokenizer = trained("subword-nmt", [text], min_frequency=1)
    k = data.draw(st.integers(0, len(tokenizer.merges)))
    assert token_total(tokenizer.gap_ranks(text), k) == len(tokenizer.after(k).encode(text))
    assert tokenizer.encode(text) == encode_by_brute_force(tokenizer, text)[0]


def test_a_trace_counts_the_bytes_that_are_dropped():
    base = CharacterVocabulary({" ": 0, "a": 1, "b": 2}, whitespace="drop-first")
    tokenizer = Tokenizer(base, [((1, 2), 3)], split=SPLIT_PATTERNS["none"])
    assert tokenizer.trace(" ab") == [TraceStep(0, (1, 2), 3, 1, 3)]


def test_a_trace_by_hand():
    tokenizer = trained("minbpe", ["the cat in the hat"], 4)  # th, the, at, " c"
    assert tokenizer.trace("the hat") == [
        TraceStep(0, (116, 104), 256, 0, 2),
        TraceStep(1, (256, 101), 257, 0, 3),
        TraceStep(2, (97, 116), 258, 5, 7),
    ]


@EVERY_RECIPE
@given(texts=training_and_other_text())
def test_a_trace_applied_step_by_step_is_the_encoding(recipe, texts):
    tokenizer, text = trained(recipe.name, texts[0]), texts[1]
    symbols = tokenizer.after(0)
    # Each token is known by where it ends in the text: one past its last byte, as in a step.
    ends = (token_ends(symbols.gap_ranks(text), 0) + 1).tolist()
    tokens_by_end = dict(zip(ends, symbols.encode(text), strict=True))
    for step in tokenizer.trace(text):
        covered = sorted(end for end in tokens_by_end if step.start < end <= step.end)
        assert tuple(tokens_by_end[end] for end in covered) == step.pair == tokenizer.merges[step.rank]
        assert covered[-1] == step.end
        del tokens_by_end[covered[0]]
        tokens_by_end[step.end] = step.token_id
    assert [tokens_by_end[end] for end in sorted(tokens_by_end)] == tokenizer.encode(text)


@BYTE_RECIPES
@given(texts=training_and_other_text())
def test_each_step_of_a_trace_covers_the_bytes_of_its_token(name, texts):
    tokenizer, text = trained(name, texts[0]), texts[1]
    for step in tokenizer.trace(text):
        assert text.encode()[step.start : step.end] == tokenizer.token_bytes(step.token_id)


# --- special tokens ------------------------------------------------------------------------------------


def test_a_special_token_in_the_text_is_plain_text_unless_it_is_allowed():
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<|end|>"])
    text = "a<|end|>b"
    assert tokens(tokenizer, text) == [bytes([b]) for b in text.encode()]
    for allowed in ("all", ["<|end|>"], {"<|end|>"}):
        assert tokenizer.encode(text, allowed_special=allowed) == [97, 256, 98]
    assert tokenizer.decode([97, 256, 98]) == text


def test_only_the_special_tokens_named_are_allowed():
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<a>", "<b>"])
    assert tokenizer.encode("<a><b>", allowed_special=["<b>"]) == [*b"<a>", 257]
    assert tokenizer.encode("<a><b>", allowed_special="all") == [256, 257]


@pytest.mark.parametrize("given", ["<a>", "", "everything"])
def test_a_text_in_place_of_a_list_of_special_tokens_is_refused(given):
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<a>"])
    with pytest.raises(TokenizerError, match="must be a list of special tokens or the word 'all'"):
        tokenizer.encode("<a>", allowed_special=given)


def test_a_special_token_may_be_found_after_the_others():
    special = {"ab": 300, "bc": 301}
    unsplit = SPLIT_PATTERNS["none"]
    tokenizer = Tokenizer(BYTES, [], split=unsplit, special_tokens=special, found_last={"ab"})
    assert tokenizer.encode("abcab", allowed_special="all") == [97, 301, 300]
    assert tokenizer.encode("abcab", allowed_special=["ab"]) == [300, 99, 300]


def test_an_unknown_special_token_names_some_of_thousands():
    names = {f"<{i}>": 300 + i for i in range(20_000)}
    tokenizer = Tokenizer(BYTES, [], split=SPLIT_PATTERNS["none"], special_tokens=names)
    with pytest.raises(TokenizerError, match="and 19,980 more") as caught:
        tokenizer.encode("", allowed_special=["<x>"])
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("names", [["<a>", "<a><a>"], ["<a><a>", "<a>"]])
def test_of_special_tokens_that_overlap_the_longest_is_taken(names):
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=names)
    ids = tokenizer.special_tokens
    encoded = tokenizer.encode("<a><a><a>", allowed_special="all")
    assert encoded == [ids["<a><a>"], ids["<a>"]]


def test_a_special_token_is_taken_by_its_letters_not_as_a_regular_expression():
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["(.*)|"])
    assert tokenizer.encode("abc", allowed_special="all") == [97, 98, 99]
    assert tokenizer.encode("(.*)|", allowed_special="all") == [256]


def test_a_special_token_is_one_token_in_the_gap_ranks():
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<é>"])
    ranks = tokenizer.gap_ranks("a<é>b", allowed_special="all")
    assert ranks.tolist() == [WALL, INSIDE, INSIDE, INSIDE, WALL, WALL]
    assert token_total(ranks, 0) == 3


def test_an_allowed_special_token_parts_the_text_around_it():
    """'  x' splits into ' ' and ' x', but the space before a special token is a pre-token."""
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<a>"])
    text = "b  <a> x"
    parts = [*split("b  ", "cl100k"), "<a>", *split(" x", "cl100k")]
    walls = (np.cumsum([len(p) for p in parts]) - 1).tolist()
    ranks = tokenizer.gap_ranks(text, allowed_special="all")
    assert np.flatnonzero(ranks == WALL).tolist() == walls


@pytest.mark.parametrize("how", ["encode", "gap_ranks"])
def test_allowing_a_special_token_that_does_not_exist_is_refused(how):
    tokenizer = trained("minbpe", ["the cat"], 0, special_tokens=["<a>"])
    with pytest.raises(TokenizerError, match="has no special token") as caught:
        getattr(tokenizer, how)("text", allowed_special=["<a>", "<c>"])
    assert "'<c>'. It has: <a>." in str(caught.value)


@given(st.lists(st.sampled_from(["<a>", "<a><b>", "<", "b", "é", " "]), max_size=12).map("".join))
def test_a_text_with_special_tokens_comes_back(text):
    tokenizer = trained("huggingface", ["<a> b"], special_tokens=["<a>", "<a><b>"])
    assert tokenizer.decode(tokenizer.encode(text, allowed_special="all")) == text
    assert tokenizer.decode(tokenizer.encode(text)) == text


# --- what cannot be done -------------------------------------------------------------------------------


@pytest.mark.parametrize("token_id", [-1, 259, 10**9])
def test_a_token_id_that_does_not_exist_is_refused(token_id):
    tokenizer = trained("minbpe-basic", ["aaabdaaabac"], 3)
    for how in (lambda: tokenizer.token_bytes(token_id), lambda: tokenizer.decode([97, token_id])):
        with pytest.raises(TokenizerError, match="no token with id") as caught:
            how()
        assert f"id {token_id};" in str(caught.value)


@pytest.mark.parametrize("how", ["encode", "trace", "gap_ranks"])
@pytest.mark.parametrize(
    ("name", "learned", "text", "missing"),
    [
        ("course", "the cat", "the éat zzé", ("é", "z")),
        ("llms-from-scratch-simple", "the cat 日", "the 本 é日本 🙂", ("本", "🙂")),  # é is a first character
    ],
)
def test_the_characters_that_a_recipe_does_not_know_are_named(name, learned, text, missing, how):
    with pytest.raises(TokenizerError, match="has no symbol for") as caught:
        getattr(trained(name, [learned]), how)(text)
    assert named_in(caught.value) == list(missing)


def test_llms_from_scratch_knows_the_first_256_characters():
    tokenizer = trained("llms-from-scratch-simple", ["the cat 日"])
    assert tokenizer.decode(tokenizer.encode("é日")) == "é日"


@EVERY_RECIPE
@pytest.mark.parametrize("how", ["encode", "trace", "gap_ranks"])
def test_half_of_a_surrogate_pair_is_refused(recipe, how):
    tokenizer = trained(recipe.name, ["ab ab"])
    with pytest.raises(CorpusError, match="half of a surrogate pair") as caught:
        getattr(tokenizer, how)("ab\ud800")
    assert "Character 2 is U+D800" in str(caught.value)


@pytest.mark.parametrize("k", [-1, 4])
def test_a_tokenizer_cannot_be_cut_beyond_its_merges(k):
    with pytest.raises(TrainingSettingsError):
        trained("minbpe-basic", ["aaabdaaabac"], 3).after(k)


def test_the_vocabulary_holds_every_token_by_its_id():
    tokenizer = trained("minbpe-basic", ["aaabdaaabac"], 3, special_tokens=["<a>"])
    assert list(tokenizer.vocabulary) == list(range(260)) == list(range(tokenizer.n_vocab))
    *of_bytes, aa, aaa, aaab, special = tokenizer.vocabulary.values()
    assert of_bytes == [bytes([value]) for value in range(256)]
    assert (aa, aaa, aaab, special) == (b"aa", b"aaa", b"aaab", b"<a>")


def test_left_to_right_takes_a_special_token_in_a_text_for_plain_text():
    tokenizer = train_tokenizer("ab ab", "minbpe", split="whitespace", special_tokens=["ab"])
    assert tokenizer.encode("ab", order="left-to-right") == tokenizer.encode("ab") == [256]
    assert tokenizer.encode("ab", order="left-to-right", allowed_special="all") == [257]


def test_an_order_that_does_not_exist_is_refused():
    with pytest.raises(TokenizerError, match="Choose merge-rank or left-to-right"):
        trained("minbpe", ["ab"]).encode("ab", order="rank")


def test_characters_that_subword_nmt_has_not_seen_stay_as_they_are():
    tokenizer = trained("subword-nmt", ["ab ab"])
    ids = tokenizer.encode("ab 🙂 a日b")
    assert [tokenizer.token_bytes(i).decode() for i in ids] == ["ab</w>", "🙂</w>", "a", "日", "b</w>"]
    assert tokenizer.decode(ids) == "ab 🙂 a日b"
    assert max(tokenizer.vocabulary) < min(ids[1], ids[3])
    assert tokenizer.after(0).encode("🙂") == [ids[1]]
    assert tokenizer.encode("🙂", order="left-to-right") == [ids[1]]
    assert tokenizer.gap_ranks("日日").tolist() == [INSIDE, INSIDE, NEVER, INSIDE, INSIDE, WALL]


@pytest.mark.parametrize("token_id", [2**22 - 1, 2**22 + 2 * 0x110000, 2**70, -1])
def test_an_id_that_is_no_kept_character_is_not_known(token_id):
    with pytest.raises(TokenizerError, match="no token with id"):
        trained("subword-nmt", ["ab"]).token_bytes(token_id)


def test_runs_of_characters_that_sentencepiece_has_not_seen_are_the_unknown_token():
    tokenizer = trained("sentencepiece", ["ab ab"])
    unknown = tokenizer.special_tokens["<unk>"]
    ids = tokenizer.encode("abxy🙂ab z")
    assert [i for i in ids if i == unknown] == [unknown, unknown]
    assert tokenizer.decode(ids) == "ab<unk>ab <unk>"
    assert tokenizer.gap_ranks("xyz").tolist() == [INSIDE, INSIDE, WALL]
    without = train_tokenizer("ab ab", "sentencepiece", special_tokens=[])
    with pytest.raises(TokenizerError, match="'x'"):
        without.encode("x")


@given(training_and_other_text())
def test_one_pass_gives_the_ids_and_the_gap_ranks(texts):
    corpus, other = texts
    tokenizer = trained("minbpe", corpus)
    ids, gap_ranks = tokenizer.encode_with_gap_ranks(other)
    assert ids == tokenizer.encode(other)
    assert gap_ranks.tolist() == tokenizer.gap_ranks(other).tolist()
    assert len(ids) == token_total(gap_ranks, len(tokenizer.merges))


@EVERY_RECIPE
@given(texts=training_and_other_text())
def test_gap_ranks_of_a_text_split_before_are_those_of_the_text(recipe, texts):
    made = trained(recipe.name, texts[0])
    pre_tokens = made.split.split(texts[1])
    index = {p: i for i, p in enumerate(dict.fromkeys(pre_tokens))}
    places = np.array([index[p] for p in pre_tokens], np.int64)
    assert made.gap_ranks_of(list(index), places).tolist() == made.gap_ranks(texts[1]).tolist()


# Vocabulary sizes


def test_vocabulary_sizes_by_hand():
    made = trained("huggingface", ["the cat in the hat"], 2, special_tokens=["<end>"])
    assert made.vocab_sizes.tolist() == [257, 258, 259]


@EVERY_RECIPE
@given(texts=TIGHT_TEXTS)
def test_vocabulary_sizes_are_those_of_the_vocabularies(recipe, texts):
    made = trained(recipe.name, texts)
    assert made.vocab_sizes.tolist() == [len(made.after(k).vocabulary) for k in range(len(made.merges) + 1)]


# --- many texts, and tokens by their text ----------------------------------------------------------------


def test_a_batch_is_each_text_by_itself():
    tokenizer = trained("minbpe", ["the cat the hat"], 5, special_tokens=["<a>"])
    texts = ["the cat", "", "<a>the"]
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]
    ids = tokenizer.encode_batch(iter(texts), allowed_special="all", order="left-to-right")
    assert ids[2][0] == tokenizer.special_tokens["<a>"]
    assert tokenizer.decode_batch(ids) == texts
    assert tokenizer.encode_ordinary("<a>the") == tokenizer.encode("<a>the")
    assert tokenizer.encode_batch([]) == tokenizer.decode_batch([]) == []


def test_one_text_is_no_batch():
    tokenizer = trained("minbpe", ["the cat"], 0)
    with pytest.raises(TokenizerError, match="encode_batch takes a list of texts"):
        tokenizer.encode_batch("the cat")
    with pytest.raises(TokenizerError, match="decode_batch takes a list of lists of ids"):
        tokenizer.decode_batch([97, 98])


def test_a_token_is_found_by_its_text_or_its_bytes():
    tokenizer = trained("minbpe", ["the the"], 3, special_tokens=["<a>", "the"])
    the = tokenizer.merge_token_ids[1]
    assert tokenizer.token_bytes(the) == b"the"
    assert tokenizer.token_to_id(b"the") == the
    assert tokenizer.token_to_id("the") == tokenizer.special_tokens["the"]
    assert tokenizer.token_to_id("<a>") == tokenizer.special_tokens["<a>"]
    assert tokenizer.token_to_id("t") == tokenizer.token_to_id(b"t") == ord("t")
    assert tokenizer.token_to_id("zz") is None
    assert tokenizer.token_to_id(b"<a>") is None
    with pytest.raises(CorpusError, match="half of a surrogate pair"):
        tokenizer.token_to_id("\ud800")


def test_the_length_is_the_number_of_tokens():
    base = ByteVocabulary(b"ab")
    tokenizer = Tokenizer(base, [((0, 1), 7)], split=SPLIT_PATTERNS["none"], special_tokens={"<x>": 90})
    assert (len(tokenizer), tokenizer.n_vocab) == (4, 91)
    assert tokenizer
    empty = Tokenizer(ByteVocabulary(b""), [], split=SPLIT_PATTERNS["none"])
    assert len(empty) == 0
    assert empty
