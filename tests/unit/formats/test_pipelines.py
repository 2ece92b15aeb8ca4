"""tokenizer.json files whose texts the library prepares: ids and token boundaries."""

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer
from bpeviz.core.gap_ranks import INSIDE, NEVER, SKIPPED, WALL
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text.split_patterns import SPLIT_PATTERNS
from tests.support.texts import ANY_TEXT
from tests.support.tokenizer_files import as_file, split_then_bytes, tiny

VOCAB = ("model", "vocab")
MERGES = ("model", "merges")
ADDED = ("added_tokens",)
PRE = ("pre_tokenizer",)
TEXTS = ("", "ab ab", " a  b\nab", "ab1 22ab, x", "aB\u00e9 a\u0301b", "<|end|>a <|end|> ab", "bb zz b")


def sequence(*types: str) -> dict:
    steps = [{"type": t, "add_prefix_space": False, "trim_offsets": True} for t in types]
    return {"type": "Sequence", "pretokenizers": [s | {"individual_digits": True} for s in steps]}


LEFT_TO_THE_LIBRARY = {
    "a merge of a token made later": {MERGES: ["\u0120 ab", "a b"]},
    "a merge of a token never made": {MERGES: ["\u0120 ab"]},
    "a merge of itself": {(*VOCAB, ""): 9, MERGES: [["", "ab"]]},
    "a merge twice": {MERGES: ["a b", "\u0120 ab", "a b"]},
    "bytes with a hole between": {(*VOCAB, "a"): 7},
    "characters, not bytes": {PRE: None},
    "Metaspace": {
        PRE: {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}
    },
    "digits apart": {PRE: sequence("Digits", "ByteLevel")},
    "no step": {PRE: sequence()},
    "two regexes": {PRE: split_then_bytes({"Regex": "."}), (*PRE, "pretokenizers", 1, "use_regex"): True},
    "a space before every text": {(*PRE, "add_prefix_space"): True},
    "a text in place of a regex": {PRE: split_then_bytes({"String": " "})},
    "matches dropped": {PRE: split_then_bytes({"Regex": " "}, behavior="Removed")},
    "matches joined": {PRE: split_then_bytes({"Regex": " "}, behavior="MergedWithNext")},
    "a normalizer": {("normalizer",): {"type": "NFC"}},
    "normalizers": {("normalizer",): {"type": "Sequence", "normalizers": [{"type": "Lowercase"}]}},
    "a mark inside words": {("model", "continuing_subword_prefix"): "##", MERGES: []},
    "a mark at the end of words": {("model", "end_of_word_suffix"): "</w>"},
    "unk for bytes that lack": {("model", "unk_token"): "<|end|>"},
    "byte_fallback for bytes that lack": {("model", "byte_fallback"): True},
    "whole tokens that no merge makes": {("model", "ignore_merges"): True, (*VOCAB, "bb"): 9},
    "an added token that takes spaces along": {(*ADDED, 0, "lstrip"): True},
    "an added token that leaves words alone": {(*ADDED, 0, "single_word"): True},
}


def both(changes: dict) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    """The tokenizer of a tiny file with changes, here and in the library."""
    files = as_file(tiny(changes))
    return read_tokenizer(files), tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())


@pytest.mark.parametrize("changes", LEFT_TO_THE_LIBRARY.values(), ids=LEFT_TO_THE_LIBRARY.keys())
def test_ids_are_those_of_the_library(changes):
    ours, theirs = both(changes)
    for text in TEXTS:
        if ours.pipeline is None and not set(text) <= set("ab "):
            continue  # a plain file without all bytes refuses others
        encoded = ours.encode_text(text, allowed_special="all")
        assert encoded.ids == theirs.encode(text, add_special_tokens=False).ids
        assert encoded.token_total(len(ours.merges)) == len(encoded.ids)
        assert len(encoded.gap_ranks) == len(text.encode("utf-8"))


#: Regular expressions that mean something else in the library, or nothing here.
OTHER_MEANING = [
    r"\p{N}{1,3}+|\P{N}",
    r"a{3}+|.",
    r"\s+$|.",
    r"^a|.",
    r"(?m:.)|a",
    r"(?im)a|.",
    r"\h+|.",
    r"[^\h]|.",
    r"[a&&b]|.",
    r"[[:alpha:]]|.",
    r"a\Z|.",
    str(SPLIT_PATTERNS["cl100k"].regex),
    r"\w+|\W+",
    r"\s|\W|.",
    r"\ba|.",
    r"\Ba|.",
    r"[\w']+|.",
    "(?i:ß)|.",
    "(?i:ss)|.",
    "(?i:SS)|.",
    "(?i:s(?:s))|.",
    "(?ix: s s )|.",
    "(?i)ff|.",
    r"(?i:'st)|.",
    "(?i:[ß])|.",
    "(?i:[a-z])|.",
    "(?i:in)|.",
    r"(?i:\p{Lu})|.",
    r"(?i:[^\p{L}])|.",
    "a(?i)b|.",
]


@pytest.mark.parametrize("pattern", OTHER_MEANING)
def test_a_regex_that_means_something_else_here_is_left_to_the_library(pattern):
    changes = {PRE: split_then_bytes({"Regex": pattern}), ADDED: []}
    ours, theirs = both(changes)
    assert ours.pipeline is not None
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False).ids


# --- the bytes of the text --------------------------------------------------------------------------------

NFKC = {"type": "NFKC"}
CHARACTERS = {"▁": 0, "a": 1, "b": 2, "f": 3, "i": 4, "fi": 5, "▁a": 6, "ab": 7}


def of_characters(normalizer: object, merges: list[str], pre_tokenizer: object = None) -> Tokenizer:
    changes = {
        VOCAB: CHARACTERS,
        MERGES: merges,
        ADDED: [],
        PRE: pre_tokenizer,
        ("normalizer",): normalizer,
    }
    return both(changes)[0]


def test_a_character_that_becomes_two_tokens_ends_with_the_second():
    encoded = of_characters(NFKC, ["a b"]).encode_text("aﬁb")
    assert encoded.ids == [1, 3, 4, 2]
    #                                 a      ﬁ                     b
    assert encoded.gap_ranks.tolist() == [NEVER, INSIDE, INSIDE, NEVER, WALL]
    assert encoded.hidden_ranks.tolist() == [NEVER]  # between f and i
    assert encoded.token_total(0) == 4


def test_the_gap_inside_a_character_that_becomes_two_closes_at_its_rank():
    encoded = of_characters(NFKC, ["a b", "f i"]).encode_text("ﬁ")
    assert encoded.ids == [5]
    assert encoded.gap_ranks.tolist() == [INSIDE, INSIDE, WALL]
    assert encoded.hidden_ranks.tolist() == [1]
    assert [encoded.token_total(k) for k in range(3)] == [2, 2, 1]


def test_a_space_put_before_the_text_stands_for_no_byte():
    prepend = {"type": "Prepend", "prepend": "▁"}
    encoded = of_characters(prepend, ["a b"]).encode_text("ab")
    assert encoded.ids == [0, 7]
    assert encoded.gap_ranks.tolist() == [0, WALL]
    assert encoded.hidden_ranks.tolist() == [NEVER]
    assert of_characters(prepend, ["▁ a"]).encode_text("ab").hidden_ranks.tolist() == [0]


def test_bytes_that_normalization_drops_are_inside_the_token_before_them():
    encoded = of_characters({"type": "StripAccents"}, []).encode_text("a\u0301b")
    assert encoded.ids == [1, 2]
    assert encoded.gap_ranks.tolist() == [INSIDE, INSIDE, NEVER, WALL]
    stripped = of_characters({"type": "Strip", "strip_left": True, "strip_right": True}, [])
    assert stripped.gap_ranks(" ab  ").tolist() == [INSIDE, NEVER, INSIDE, INSIDE, WALL]


def test_bytes_that_the_pre_tokenizer_removes_belong_to_no_token():
    split = {"type": "WhitespaceSplit"}
    assert of_characters(None, ["a b"], split).gap_ranks("ab  b ").tolist() == [
        0,
        WALL,
        SKIPPED,
        SKIPPED,
        WALL,
        SKIPPED,
    ]


def test_a_token_that_no_merge_makes_closes_all_gaps_of_its_pre_token_at_its_rank():
    changes = {
        VOCAB: {"a": 0, "b": 1, "ab": 2, "bab": 3, "Ġ": 4, "Ġb": 5, "abĠ": 6},
        MERGES: ["a b", "Ġ b"],
        ADDED: [],
        ("model", "ignore_merges"): True,
    }
    ours, theirs = both(changes)
    assert ours.merges == [(0, 1), None, (4, 1), None]
    assert ours.whole_token_ids == {3, 6}
    assert ours.encode("bab bab") == theirs.encode("bab bab").ids == [3, 5, 2]
    assert ours.gap_ranks("bab").tolist() == [1, 0, WALL]
    assert ours.after(1).encode("bab") == [1, 2]


def test_a_whole_token_of_characters_without_symbols_is_found_between_others():
    """The library drops x and y, but it looks up all of xy first."""
    changes = {
        VOCAB: {"a": 0, "b": 1, "ab": 2, "xy": 3},
        MERGES: ["a b"],
        ADDED: [],
        PRE: {"type": "WhitespaceSplit"},
        ("model", "ignore_merges"): True,
    }
    ours, theirs = both(changes)
    for text in ("xy", "ab xy ab", "xy xy", "x ab xy", "xyz y ab", "ab"):
        encoded = ours.encode_text(text)
        assert encoded.ids == theirs.encode(text).ids
        assert encoded.token_total(len(ours.merges)) == len(encoded.ids)
        assert len(encoded.gap_ranks) == len(text)
        assert ours.encode(text) == encoded.ids


WHOLE_TEXTS = (
    "ab <unk>",
    "<unk>",
    "<0x41>",
    "ab <0x41> z",
    "z zz",
    "a<unk>",
    "<0X41>",
    "unk",
    "é <0xC3>",
    "k a b >",
)


@pytest.mark.parametrize("suffix", [None, "</w>"])
@pytest.mark.parametrize("unknown", ["<unk>", "a", None])
@pytest.mark.parametrize("by_bytes", [True, False])
def test_a_whole_pre_token_that_spells_the_unknown_token_or_that_of_a_byte(by_bytes, unknown, suffix):
    """With ignore_merges the library looks up the pre-token as it is written: "<unk>" typed is <unk>."""
    tokens = ["<unk>", *"ab<>unk0x41", "ab", "nk", "unk", *([f"{c}</w>" for c in "abk>"] if suffix else [])]
    tokens += [f"<0x{value:02X}>" for value in range(256)] if by_bytes else []
    changes = {
        VOCAB: {token: i for i, token in enumerate(tokens)},
        MERGES: ["a b", "n k", "u nk"],
        ADDED: [],
        PRE: {"type": "WhitespaceSplit"},
        ("decoder",): None,
        ("model", "ignore_merges"): True,
        ("model", "unk_token"): unknown,
        ("model", "byte_fallback"): by_bytes,
        ("model", "end_of_word_suffix"): suffix,
    }
    ours, theirs = both(changes)
    for text in WHOLE_TEXTS:
        ids = theirs.encode(text, add_special_tokens=False).ids
        encoded = ours.encode_text(text)
        assert (encoded.ids, encoded.token_total(len(ours.merges))) == (ids, len(ids))
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize(
    "normalizer",
    [
        {"type": "Lowercase"},
        {"type": "NFKC"},
        {"type": "Sequence", "normalizers": [{"type": "Lowercase"}, {"type": "Prepend", "prepend": "_"}]},
        None,
    ],
)
def test_an_added_token_that_is_found_in_normalized_text_is_decoded_as_there(normalizer, normalized):
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "special": True}
    added = [
        {"id": 6 + i, "content": content, "normalized": normalized, **flags}
        for i, content in enumerate(["[T]", "Ａ", "<|end|>"])
    ]
    vocab = {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "_": 5}
    ours, theirs = both({("normalizer",): normalizer, ADDED: added, VOCAB: vocab, MERGES: ["a b", "Ġ ab"]})
    for ids in ([6, 1], [6, 7, 8], [0, 6, 4], [8, 3, 7]):
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


# --- characters in bytes, with the end of their word ---------------------------------------------------


def in_bytes(prefix: str | None, suffix: str | None, normalizer: object, without: int = 256) -> Tokenizer:
    """Merges of a + b; a character without a token is in bytes, with the prefix and suffix of the model."""
    texts = [f"<0x{byte:02X}>" for byte in range(256) if byte != without]
    texts += ["a", "b", "ab", "a</w>", "b</w>", "ab</w>", "##a", "##b", "é"]
    changes = {
        VOCAB: {text: i for i, text in enumerate(texts)},
        MERGES: ["a b</w>"] if suffix and not prefix else [],
        ADDED: [],
        PRE: {"type": "Whitespace"},
        ("normalizer",): normalizer,
        ("decoder",): None,
        ("model", "byte_fallback"): True,
        ("model", "continuing_subword_prefix"): prefix,
        ("model", "end_of_word_suffix"): suffix,
    }
    return both(changes)[0]


def test_bytes_of_the_end_of_a_word_stand_for_no_text():
    tokenizer = in_bytes(None, "</w>", None)
    ranks = tokenizer.gap_ranks("é ab日 x ab")
    ends = [*"é ".encode(), *"ab日 ".encode(), *b"x ", *b"ab"]
    assert len(ranks) == len(ends)
    walls = [place for place, rank in enumerate(ranks.tolist()) if rank == WALL]
    assert walls == [1, 7, 9, 12]  # é, ab日, x, ab: the spaces after them are in no token
    assert ranks[11] == 0  # a + b</w>


@pytest.mark.parametrize(("prefix", "suffix"), [(None, "</w>"), ("##", None), ("##", "</w>")])
@pytest.mark.parametrize("normalizer", [None, {"type": "NFKC"}])
@pytest.mark.parametrize("without", [256, 0xE6, 0x77])
@given(text=st.one_of(ANY_TEXT, st.text("ab é日ﬁ#<w/>🙂\n")))
def test_a_text_in_bytes_has_a_gap_rank_for_each_byte(prefix, suffix, normalizer, without, text):
    tokenizer = in_bytes(prefix, suffix, normalizer, without)
    encoded = tokenizer.encode_text(text)
    assert encoded.ids == tokenizer.encode(text)
    assert len(encoded.gap_ranks) == len(text.encode())
