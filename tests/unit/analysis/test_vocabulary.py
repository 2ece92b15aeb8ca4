"""A vocabulary as a table: by hand, then GPT-2's, then any tokenizer against encoding token by token."""

import itertools
import json
import time
import tracemalloc
from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import RECIPES, Tokenizer, custom_split_pattern, load_pretrained, train_tokenizer
from bpeviz.analysis.vocabulary import making, occurs_in_utf8, search, token_uses, vocabulary_table
from bpeviz.core.base_vocabulary import ByteVocabulary
from bpeviz.errors import SplitPatternError, TokenizerError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import write_tokenizer
from bpeviz.text.split_patterns import get_split_pattern
from tests.support.brute_force import encode_symbols
from tests.support.inline_workers import InlineWorkers, work_with
from tests.support.texts import TIGHT_TEXTS, training_and_other_text
from tests.support.tokenizer_files import as_file, tiny

CAT = "the cat in the hat"


def trained(name: str, texts: list[str], num_merges: int, **settings: object) -> Tokenizer:
    return train_tokenizer(texts, name, num_merges=num_merges, **settings)  # type: ignore[arg-type]


def of_merges(*merges: tuple[str, str]) -> Tokenizer:
    """A tokenizer of the 256 bytes and these merges, whether or not a training would make them."""
    id_of = {chr(value): value for value in range(256)}
    made = []
    for left, right in merges:
        made.append(((id_of[left], id_of[right]), 256 + len(made)))
        id_of[left + right] = 255 + len(made)
    return Tokenizer(ByteVocabulary(bytes(range(256))), made, split=get_split_pattern("none"))


def row(table: pd.DataFrame, token_id: int) -> dict[str, object]:
    (found,) = table[table["id"] == token_id].to_dict("records")
    return {name: None if value is pd.NA else value for name, value in found.items()}


def found(table: pd.DataFrame, query: str) -> list[str]:
    return table["text"][search(table, query)].tolist()


# --- the table -------------------------------------------------------------------------------------------


def test_the_cat_in_the_hat_by_hand():
    tokenizer = trained("minbpe", [CAT], 3, special_tokens=["<|end|>"])  # th, the, at
    table = vocabulary_table(tokenizer)
    assert table["id"].tolist() == list(range(260))
    assert table["kind"].value_counts().to_dict() == {"base": 256, "merged": 3, "special": 1}
    assert row(table, 257) == {
        "id": 257,
        "token": b"the",
        "text": "the",
        "length": 3,
        "kind": "merged",
        "rank": 1,
        "left": 256,
        "right": ord("e"),
        "valid_utf8": True,
        "unreachable": False,
        "cut": False,
    }
    assert (row(table, 32)["text"], row(table, 32)["rank"], row(table, 32)["left"]) == ("␣", None, None)
    assert (row(table, 259)["text"], row(table, 259)["kind"]) == ("<|end|>", "special")
    assert not row(table, 0xE3)["valid_utf8"]
    assert (row(table, 0xE3)["text"], table["valid_utf8"].sum()) == ("E3", 128 + 4)


def test_the_columns_are_of_one_kind_each():
    dtypes = vocabulary_table(trained("minbpe", [CAT], 3)).dtypes.astype(str).to_dict()
    assert {dtypes[c] for c in ("id", "length")} == {"int64"}
    assert {dtypes[c] for c in ("rank", "left", "right")} == {"Int64"}
    assert {dtypes[c] for c in ("valid_utf8", "unreachable", "cut")} == {"bool"}


def test_a_token_whose_bytes_merge_differently_is_unreachable_and_so_is_any_token_made_of_it():
    # bc merges before ab + c can: "abc" always becomes a, bc, so "abcd" never holds abc
    table = vocabulary_table(of_merges(("b", "c"), ("a", "b"), ("ab", "c"), ("abc", "d")))
    merged = table[table["kind"] == "merged"]
    assert merged["text"][merged["unreachable"]].tolist() == ["abc", "abcd"]


def test_characters_that_no_text_is_spelled_in_are_unreachable():
    """“LLMs from scratch” trains on spaces in a row, and encodes a run of them as one Ġ before a word."""
    tokenizer = train_tokenizer("a  b  c  a b", "llms-from-scratch-simple", num_merges=4)
    table = vocabulary_table(tokenizer)
    unreachable = set(table["id"][table["unreachable"]])
    assert {32, 9, 10, 0xA0} <= unreachable
    assert tokenizer.token_to_id(b"  ") in unreachable
    used = set(tokenizer.encode("a  b\tc \n a b"))
    assert not used & unreachable
    assert tokenizer.base.ids["Ġ"] not in unreachable


@pytest.mark.parametrize("encoder", ["words", "words-and-line-ends"])
def test_two_spaces_are_unreachable_for_each_notebook_that_puts_one_before_a_word(encoder):
    trained = train_tokenizer("a  b  c  a b", "llms-from-scratch-simple", num_merges=4)
    tokenizer = read_tokenizer(write_tokenizer(trained, "llms-from-scratch"), split=encoder)
    table = vocabulary_table(tokenizer)
    assert tokenizer.token_to_id(b"  ") in set(table["id"][table["unreachable"]])


def test_bytes_that_no_text_holds_are_unreachable():
    merges = [("\xe3", "\x81"), ("\xe3", "a"), ("\x81", "\x81"), ("\xe0", "\x80"), ("\xff", "a")]
    table = vocabulary_table(of_merges(*merges))
    merged = table[table["kind"] == "merged"]
    assert merged["text"][merged["unreachable"]].tolist() == ["E3 61", "E0 80", "FF 61"]


@pytest.mark.full  # takes long
def test_bytes_occur_in_utf8_if_a_character_or_two_neighbours_hold_them():
    characters = [chr(c).encode() for c in (*range(0xD800), *range(0xE000, 0x110000))]
    inside = {c[i : i + n] for c in characters for n in (1, 2, 3, 4) for i in range(len(c) - n + 1)}
    first, last = {c[0] for c in characters}, {c[-1] for c in characters}
    for token in map(bytes, itertools.product(range(256), repeat=2)):
        neighbours = token[0] in last and token[1] in first
        assert occurs_in_utf8(token) == (token in inside or neighbours), token
    assert all(map(occurs_in_utf8, sorted(inside)[::97]))
    assert not any(map(occurs_in_utf8, [b"\x80" * 4, b"\xed\xa0", b"\xf4\x90", b"\xe3\x81\xff", b"\xc0"]))


def test_a_token_that_the_split_pattern_would_split_is_cut():
    tokenizer = trained("minbpe-basic", ["a b a b a b"], 2)
    assert not vocabulary_table(tokenizer)["cut"].any()  # no split pattern
    parted = Tokenizer(
        tokenizer.base,
        list(zip(tokenizer.merges, tokenizer.merge_token_ids, strict=True)),
        split=get_split_pattern("gpt2"),
    )
    table = vocabulary_table(parted)
    by_text = dict(zip(table["text"], table["cut"], strict=True))
    assert [(text, by_text[text]) for text in table["text"][-2:]] == [("a␣", True), ("a␣b", True)]


def test_a_token_that_a_custom_pattern_does_not_cover_is_cut():
    tokenizer = Tokenizer(
        ByteVocabulary(bytes(range(256))), [((32, 97), 256)], split=custom_split_pattern("[a-z]+")
    )
    assert row(vocabulary_table(tokenizer), 256)["cut"]


DIGITS = {"type": "Digits", "individual_digits": True}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
#: What splits, what normalizes, what else the model says, and the texts of its longer tokens.
LIBRARIES = [
    ([DIGITS, BYTES], None, {}, ["12", "ab", "aĠ", "Ġb", "aĠb"]),
    ([{"type": "Whitespace"}], None, {}, ["ab", "a-b", "--", "a b"]),
    (
        [{"type": "Whitespace"}],
        {"type": "Replace", "pattern": {"String": "x"}, "content": "-"},
        {},
        ["axb", "xx"],
    ),
    (
        [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁"}],
        None,
        {},
        ["▁a", "▁a▁b", "a▁b"],
    ),
    ([{"type": "BertPreTokenizer"}], None, {"end_of_word_suffix": "</w>"}, ["ab</w>", "a.b</w>", "a.b"]),
    ([DIGITS], None, {"ignore_merges": True}, ["12", "a1", "ab"]),
    (
        [DIGITS],
        None,
        {"type": "WordPiece", "unk_token": "[?]", "continuing_subword_prefix": "##"},
        ["##ab", "##1a"],
    ),
    ([DIGITS], None, {"type": "WordLevel", "unk_token": "[?]"}, ["a1", "ab"]),
]


@pytest.mark.parametrize("made", [True, False], ids=["merges make them", "nothing makes them"])
@pytest.mark.parametrize(("steps", "normalizer", "model", "longer"), LIBRARIES)
def test_a_token_that_a_library_splits_is_cut(
    steps: list[dict], normalizer: dict | None, model: dict, longer: list[str], made: bool
) -> None:
    suffix = model.get("end_of_word_suffix", "")
    characters = sorted({*"".join(longer), *"xĠ▁"}) + ([each + suffix for each in "ab"] if suffix else [])
    vocab = {
        text: i for i, text in enumerate([*characters, *(["[?]"] if "unk_token" in model else []), *longer])
    }
    merges = [[text[0], text[1:]] for text in longer if made and text[1:] in vocab]
    file = tiny(
        {("added_tokens",): [], ("normalizer",): normalizer, ("decoder",): None, ("model", "vocab"): vocab}
    )
    file["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": steps}
    file["model"] |= {"merges": merges, "max_input_chars_per_word": 100, **model}
    tokenizer = read_tokenizer(as_file(file))
    library = tokenizers.Tokenizer.from_str(json.dumps(file))

    def pre_tokens(text: str) -> int:
        bare = text.removesuffix(suffix).removeprefix("##").replace("▁", " ").replace("Ġ", " ")
        normalized = library.normalizer.normalize_str(bare) if library.normalizer else bare
        return len(library.pre_tokenizer.pre_tokenize_str(normalized))

    table = vocabulary_table(tokenizer)
    expected = {vocab[text] for text in longer if pre_tokens(text) > 1}
    assert set(table["id"][table["cut"]]) == expected
    in_workers = replace(tokenizer.pipeline, isolated=True) if tokenizer.pipeline else None
    assert in_workers is not None
    with work_with(InlineWorkers()):
        tokenizer.pipeline = in_workers
        assert set(table["id"][vocabulary_table(tokenizer)["cut"]]) == expected


def test_a_base_symbol_that_is_merged_again_stays_one():
    tokenizer = trained("subword-nmt", ["a</w> a</w> a </w> </w>"], 9)
    table = vocabulary_table(tokenizer)
    symbols = len(tokenizer.base.symbols)
    assert table["kind"][:symbols].eq("base").all()
    assert table["rank"][:symbols].isna().all()


def test_a_tokenizer_without_merges_has_its_base_symbols():
    table = vocabulary_table(trained("minbpe", [CAT], 0))
    assert (len(table), table["unreachable"].sum(), table["cut"].sum()) == (256, 13, 0)


# --- uses ------------------------------------------------------------------------------------------------


def test_uses_are_counted_in_the_encoding():
    tokenizer = trained("minbpe", [CAT], 3, special_tokens=["<|end|>"])
    uses = token_uses(tokenizer, CAT + "<|end|>")
    assert len(uses) == 260
    assert (uses[257], uses[256], uses[258], uses[ord("c")], uses[259]) == (2, 0, 2, 1, 0)


@pytest.mark.full
def test_uses_take_no_more_memory_for_a_high_id():
    base = ByteVocabulary(bytes(range(256)))
    tokenizer = Tokenizer(base, [((97, 98), 2**31)], split=get_split_pattern("none"))
    tracemalloc.start()
    uses = token_uses(tokenizer, "abab c")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(uses), uses[256], uses[ord("c")], uses.sum()) == (257, 2, 1, 4)
    assert vocabulary_table(tokenizer)["id"].tolist() == [*range(256), 2**31]
    assert peak < 1_000_000


def test_characters_that_a_vocabulary_lacks_are_not_tokens_of_it():
    tokenizer = trained("subword-nmt", ["ab ab"], 1)
    assert token_uses(tokenizer, "ab 日").sum() == token_uses(tokenizer, "ab").sum() == 1


def test_a_text_that_cannot_be_spelled_has_no_uses():
    with pytest.raises(TokenizerError, match="has no symbol for"):
        token_uses(trained("course", [CAT], 1), "dog")


# --- search ----------------------------------------------------------------------------------------------


def test_search_finds_text_glyphs_ids_and_bytes():
    tokenizer = trained("huggingface", ["the cat\nin the hat\tthe 灯 灯台\u200b\u200b 12"] * 3, 60)
    table = vocabulary_table(tokenizer)
    assert set(found(table, "the")) == {"the", "␣the"}
    assert found(table, "␣the") == found(table, " the") == ["␣the"]
    assert found(table, "The") == []
    assert "⏎" in found(table, "⏎")
    assert "\\u200b\\u200b" in found(table, "\\u200b")
    assert found(table, "") == table["text"].tolist()
    # only the bytes count, whether whole characters or parts
    assert found(table, "灯") == found(table, "E7 81 AF") == ["␣灯", "20 E7 81 AF E5 8F", "␣灯台"]
    assert found(table, "e7 81 af") == found(table, "0xE781AF") == found(table, "0xe7 81 af")
    assert "E7" in found(table, "0xE7")
    assert found(table, "E7") == []  # two letters are a text
    assert [row(table, 7)["text"] in found(table, "7"), "7" in found(table, "7")] == [True, True]
    assert "12" in found(table, "12")


@pytest.mark.parametrize(
    "query", ["0x", "0xE", "E3 8", "\\uzzzz", "\\uffffff", "9" * 40, "²", "\ud800", "*["]
)
def test_any_query_is_answered(query):
    table = vocabulary_table(trained("minbpe", [CAT], 2))
    assert search(table, query).shape == (258,)


@pytest.mark.parametrize(
    "query",
    ["0x" + " " * 3_000 + "z", "0x" + "ab " * 1_000 + "z", "ab " * 1_000 + "z", " " * 3_000, "\\u" * 3_000],
)
@pytest.mark.full
def test_no_query_takes_longer_than_in_proportion(query):
    table = vocabulary_table(trained("minbpe", [CAT], 2))
    began = time.process_time()
    search(table, query)
    assert time.process_time() - began < 1  # by trying every way to read it, more than a minute


def test_bytes_in_hexadecimal_may_be_spaced_in_any_way():
    table = vocabulary_table(trained("minbpe", [CAT], 3))
    for query in ("0x7468", " 0X 74\t6 8 ", "74 68", "\n74  68\n"):
        assert found(table, query) == ["th", "the"], query
    for query in ("0x", "0x ", "0x746", "7468", "746 8", "74 6g", "x74 68"):
        assert found(table, query) == [], query


# --- the making of a token ------------------------------------------------------------------------------


def merges_of(tokenizer, token_id):
    made = making(tokenizer, token_id, most=5000)
    return [(step.rank + 1, step.token_id, step.start, step.middle, step.end) for step in made.steps]


def test_the_making_of_the_by_hand():
    tokenizer = trained("minbpe", [CAT], 2)
    made = making(tokenizer, 257, most=3)
    assert made.symbols == (116, 104, 101)
    assert made.ids == (257,)
    assert merges_of(tokenizer, 257) == [(1, 256, 0, 1, 2), (2, 257, 0, 2, 3)]


def test_what_no_merge_makes_has_no_making():
    tokenizer = trained("minbpe", [CAT], 1, special_tokens=["<|end|>"])
    assert making(tokenizer, 32, most=9) is None
    assert making(tokenizer, 257, most=9) is None
    with pytest.raises(TokenizerError, match="no token with id"):
        making(tokenizer, 258, most=9)


def test_a_token_of_too_many_symbols_has_no_making_and_a_deep_one_has():
    tokenizer = trained("minbpe-basic", ["a" * 3000], 10)  # a token of 1,024
    assert making(tokenizer, 265, most=1023) is None
    assert len(merges_of(tokenizer, 265)) == 1023
    deep = of_merges(*(("a" * n, "a") for n in range(1, 1500)))
    assert len(merges_of(deep, 256 + 1498)) == 1499


# --- GPT-2 -----------------------------------------------------------------------------------------------


def test_gpt2_has_no_merge_out_of_reach():
    table = vocabulary_table(load_pretrained("gpt2"))
    assert table["kind"].value_counts().to_dict() == {"merged": 50_000, "base": 256, "special": 1}
    # bytes that UTF-8 never has; all merges are within reach
    never = [b"\xc0", b"\xc1", *(bytes([value]) for value in range(0xF5, 0x100))]
    assert sorted(table["token"][table["unreachable"]]) == never
    assert row(table, 262)["text"] == "␣the"
    assert found(table, "50256") == ["<|endoftext|>"]
    # bytes that are not text: the upper half of the 256, and merges that end inside a character
    whole = [token.decode("utf-8", "replace").encode() == token for token in table["token"]]
    assert table["valid_utf8"].tolist() == whole


# --- any tokenizer ---------------------------------------------------------------------------------------


def symbols_of(tokenizer: Tokenizer, token_id: int, made_of: dict[int, tuple[int, int]]) -> list[int]:
    if token_id not in made_of:
        return [token_id]
    return [symbol for half in made_of[token_id] for symbol in symbols_of(tokenizer, half, made_of)]


@st.composite
def any_merges(draw: st.DrawFn) -> list[tuple[tuple[int, int], int]]:
    """Merges of any two existing tokens, even ones that training would not make; each pair once."""
    merges: dict[tuple[int, int], int] = {}
    for _ in range(draw(st.integers(0, 9))):
        ids = st.integers(0, 2 + len(merges))
        merges.setdefault((draw(ids), draw(ids)), 3 + len(merges))
    return list(merges.items())


@given(merges=any_merges())
def test_a_token_is_unreachable_if_merging_its_own_symbols_ends_in_something_else(merges):
    tokenizer = Tokenizer(ByteVocabulary(b"abc"), merges, split=get_split_pattern("none"))
    made_of = {token_id: pair for pair, token_id in merges}
    table = vocabulary_table(tokenizer)
    for token_id, unreachable in zip(table["id"], table["unreachable"], strict=True):
        ids, _ = encode_symbols(symbols_of(tokenizer, token_id, made_of), merges)
        assert unreachable == (ids != [token_id])
        assert not (unreachable and token_id in tokenizer.encode(tokenizer.token_bytes(token_id).decode()))


@pytest.mark.parametrize("recipe", RECIPES)
@given(texts=training_and_other_text())
def test_every_token_that_is_used_is_reachable(recipe, texts):
    tokenizer, text = trained(recipe, texts[0], 12), texts[1]
    table = vocabulary_table(tokenizer)
    assert dict(zip(table["id"], table["token"], strict=True)) == tokenizer.vocabulary
    ids = Counter(tokenizer.encode(text))
    assert {i: n for i, n in zip(table["id"], token_uses(tokenizer, text).tolist(), strict=True) if n} == ids
    assert not table["unreachable"][table["id"].isin(list(ids))].any()


@given(texts=TIGHT_TEXTS, query=st.text(max_size=3))
def test_search_finds_every_token_that_holds_the_query(texts, query):
    table = vocabulary_table(trained("minbpe", texts, 12))
    marked = search(table, query)
    for token, token_id, is_found in zip(table["token"], table["id"], marked, strict=True):
        if query.encode("utf-8", "surrogatepass") in token or query == str(token_id):
            assert is_found


@given(texts=TIGHT_TEXTS, place=st.integers(0, 11))
def test_the_making_of_a_token_spells_it_and_ends_in_it(texts, place):
    tokenizer = trained("minbpe", texts, 12)
    if not tokenizer.merges:
        return
    token_id = tokenizer.merge_token_ids[place % len(tokenizer.merges)]
    made = making(tokenizer, token_id, most=1000)
    assert tokenizer.decode_bytes(made.symbols) == tokenizer.token_bytes(token_id)
    assert made.ids == (token_id,)
    assert [step.rank for step in made.steps] == sorted(step.rank for step in made.steps)


@pytest.mark.full
def test_a_split_pattern_that_is_slow_on_every_token_is_stopped_once_for_all():
    merges = [((97 if i == 256 else i - 1, 97), i) for i in range(256, 340)]
    slow = custom_split_pattern(r"(?:a|aa)+c|(?s:.)", timeout=0.1)
    tokenizer = Tokenizer(ByteVocabulary(bytes(range(256))), merges, split=slow)
    begun = time.monotonic()
    with pytest.raises(SplitPatternError, match=r"more than 0\.5 seconds on the tokens of this vocabulary"):
        vocabulary_table(tokenizer)
    assert time.monotonic() - begun < 10
