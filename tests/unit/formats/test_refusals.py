"""Tokenizer files that are refused: damaged, hostile, or of a tokenizer that cannot be reproduced."""

import json
from contextlib import suppress

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpeviz import BpevizError
from bpeviz.core import reach
from bpeviz.errors import SplitPatternError, TokenizerFileError
from bpeviz.formats import bounds, source, tiktoken
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.source import MAX_FILE_BYTES
from bpeviz.limits import read_limits
from tests.support.tokenizer_files import (
    NOTEBOOK_MERGES,
    NOTEBOOK_VOCABULARY,
    REMOVED,
    TINY,
    as_file,
    minbpe_model,
    notebook_pair,
    pair,
    rank_lines,
    ranks,
    split_then_bytes,
    tiny,
)


def refused(files: dict[str, bytes], **settings: str) -> str:
    """The message of the error, which names a file and says what to do: two sentences or more."""
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer(files, **settings)
    message = str(caught.value)
    assert message == f"{caught.value.file_name}: {caught.value.why}"
    assert message.endswith(".")
    assert len(message) < 600
    assert message.isprintable()
    return message


# --- not a tokenizer file --------------------------------------------------------------------------------

UNREADABLE = {
    "empty": (b"", "it is empty. What can be read: a Hugging Face tokenizer.json"),
    "white space": (b" \n\n", "it is empty"),
    "prose": (b"Call me Ishmael.\n", "not a tokenizer file. What can be read"),
    "two words": (b"Hello world\n", "not a tokenizer file. What can be read"),
    "binary": (b"\x0a\x0e\xff\xfe", "not UTF-8: the byte at offset 2"),
    "UTF-16 cut off": ("{}".encode("utf-16")[:-1], "not UTF-16: the byte at offset 4"),
    "a JSON list": (b"[1, 2]", "What can be read"),
    "JSON of something else": (b'{"model": "gpt2", "type": "x"}', "JSON, but not of a tokenizer"),
    "settings of a tokenizer": (b'{"a": 1, "b": "x", "c": true}', "JSON, but not of a tokenizer"),
    "JSON cut off": (
        b'{"model": {"type": "BPE",\n "vocab": {"a"',
        "not valid JSON: Expecting ':' delimiter at line 2",
    ),
    "two JSON objects": (b'{"a": 0} {}', "not valid JSON: Extra data"),
    "NaN": (b'{"a": NaN}', "holds NaN, which is not JSON"),
    "infinity": (b'{"a": -Infinity}', "holds -Infinity"),
    "a number without end": (b'{"a": ' + b"9" * 5000 + b"}", "thousands of digits"),
    "nested lists": (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
    "nested objects": (b'{"a": ' * 100_000, "nested too deeply"),
    "a vocab.txt": (
        b"[PAD]\n[UNK]\nthe\n##ing\n",
        "it is a vocab.txt, the vocabulary of a WordPiece tokenizer",
    ),
    "a vocab.txt without [PAD]": (b"the\n##ing\n", "it is a vocab.txt"),
    "a vocab.txt with a wide space": ("[UNK]\n\u3000\nthe\n".encode(), "it is a vocab.txt"),
    "codes of fastBPE": (
        b"e n</w> 1423\ne r 1300\n",
        "it is a file of codes of fastBPE, or",
    ),
    "a model of YouTokenToMe": (b"2 1\n97 5\n98 4\n4 5 6\n1 0 2 3\n", "it is a model of YouTokenToMe"),
    "a SentencePiece vocabulary": ("<unk>\t0\n▁the\t-1.5\n".encode(), "Give the .model file beside it"),
    "a text that begins with a bracket": (b"[1] Melville: Moby-Dick\n", "not a tokenizer file"),
    "a list in words": (b"[see below]\n", "not a tokenizer file"),
    "a link in brackets": (b"[[Anarchism]] is a political philosophy\n", "not a tokenizer file"),
    "a template in brackets": (b"[{{name}}] and {x}\n", "not a tokenizer file"),
    "words in braces": (b"{see below}\n", "not a tokenizer file"),
    "a key twice": (b'{"model": {"vocab": {"a": 0, "a": 1}}}', "the key 'a' occurs twice"),
}


@pytest.mark.parametrize(("data", "why"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_not_a_tokenizer_file(data, why):
    assert why in refused({"some file": data})


def test_a_file_that_is_too_large():
    assert "at most 67,108,864 are read" in refused({"x.json": bytes(MAX_FILE_BYTES + 1)})


def test_json_of_too_many_values(monkeypatch):
    monkeypatch.setattr(source, "MAX_JSON_VALUES", 30)
    assert "more than 30 JSON values" in refused(as_file(tiny()))


def test_a_file_of_too_many_lines(monkeypatch):
    monkeypatch.setattr(source, "MAX_LINES", 100)
    assert "more than 100 lines" in refused(ranks())
    assert "more than 100 lines" in refused(pair(IDS, "a b\n" * 101))


def test_too_few_files_and_too_many():
    assert "0 files: give the files of one tokenizer" in refused({})
    assert "7 files: give the files of one tokenizer" in refused(dict.fromkeys("abcdefg", b""))
    assert "these are not the files of one tokenizer" in refused(dict.fromkeys("abc", b""))


def test_half_a_pair():
    files = pair({"a": 0}, "#version: 0.2\n")
    assert "Give merges.txt" in refused({"vocab.json": files["vocab.json"]})
    assert "Give vocab.json" in refused({"merges.txt": files["merges.txt"]})
    assert "Give vocab.json" in refused({"without version": b"a b\n"})
    files = notebook_pair(NOTEBOOK_VOCABULARY, NOTEBOOK_MERGES)
    assert "Give bpe_merges.txt" in refused({"vocab.json": files["vocab.json"]})
    assert "Give vocab.json" in refused({"bpe_merges.txt": files["bpe_merges.txt"]})


def test_two_files_that_are_no_pair():
    vocabulary = pair({"a": 0}, "")["vocab.json"]
    whole = as_file(tiny())["tokenizer.json"]
    assert "tokenizer.json is a whole tokenizer: give it alone" in refused(
        {"vocab.json": vocabulary, "tokenizer.json": whole}
    )
    model = minbpe_model()["tokenizer.model"]
    assert "x.model is a whole tokenizer" in refused({"vocab.json": vocabulary, "x.model": model})
    of_notebook = notebook_pair(NOTEBOOK_VOCABULARY, NOTEBOOK_MERGES)
    assert "not a pair" in refused({"vocab.json": of_notebook["vocab.json"], "merges.txt": b"a b\n"})
    assert "not a pair" in refused({"vocab.json": vocabulary, "merges": of_notebook["bpe_merges.txt"]})
    assert "x.json and y.json: these two are not a pair" in refused(
        {"x.json": vocabulary, "y.json": vocabulary}
    )


def test_an_unknown_split_pattern():
    with pytest.raises(SplitPatternError):
        read_tokenizer(ranks(), split="gpt17")


# --- tokenizer.json --------------------------------------------------------------------------------------

VOCAB = ("model", "vocab")
MERGES = ("model", "merges")
ADDED = ("added_tokens",)
PRE = ("pre_tokenizer",)

DAMAGED = {
    "no vocabulary": ({VOCAB: REMOVED}, "model: vocab is missing; it must be an object"),
    "a vocabulary that is a list": ({VOCAB: [["a", 0]]}, "vocab is a list"),
    "no merges": ({MERGES: REMOVED}, "merges is missing"),
    "merges that are an object": ({MERGES: {}}, "merges is an object"),
    "a merge that is a number": ({MERGES: [1]}, "the merge of rank 0 is a whole number"),
    "a merge of numbers": ({MERGES: [[1, 2]]}, "the merge of rank 0 is a list"),
    "a merge of one token": ({MERGES: ["ab"]}, "the merge of rank 0 is 'ab', which is not two tokens"),
    "a merge of three tokens": ({MERGES: [["a", "b", "a"]]}, "the merge of rank 0 is a list"),
    "a merge of three words": ({MERGES: ["a b a"]}, "which is not two tokens"),
    "a merge of nothing": ({MERGES: ["a "]}, "which is not two tokens"),
    "a merge of an empty token": ({MERGES: [["", "a"]]}, "names '', which is not in the vocabulary"),
    "a merge of a token not there": ({MERGES: ["a x"]}, "names 'x', which is not in the vocabulary"),
    "a merge that makes a token not there": ({MERGES: ["b a"]}, "makes 'ba', which is not in the vocabulary"),
    "an id that is a text": ({(*VOCAB, "a"): "1"}, "the id of the token 'a' is a text"),
    "an id that is a truth": ({(*VOCAB, "a"): True}, "'a' is true or false"),
    "an id with a point": ({(*VOCAB, "a"): 1.0}, "'a' is a number with a point"),
    "an id without end": ({(*VOCAB, "a"): 1e999}, "holds Infinity"),
    "an id that is null": ({(*VOCAB, "a"): None}, "'a' is null"),
    "an id that is a list": ({(*VOCAB, "a"): [1]}, "'a' is a list"),
    "a negative id": ({(*VOCAB, "a"): -1}, "'a' is negative"),
    "a huge id": ({(*VOCAB, "a"): 2**64}, "'a' is above 2,500,000"),
    "an id twice": ({(*VOCAB, "a"): 2}, "the tokens 'a' and 'b' have the same id 2"),
    "no byte": ({VOCAB: {"<|end|>": 0}, MERGES: []}, "holds no single character or byte"),
    "an empty vocabulary": ({VOCAB: {}, MERGES: []}, "holds no single character or byte"),
    "added tokens that are an object": ({ADDED: {}}, "added_tokens is an object; it must be a list"),
    "an added token that is a text": ({ADDED: ["x"]}, "added_tokens[0] is a text"),
    "an added token without content": ({(*ADDED, 0, "content"): REMOVED}, "content is missing"),
    "an added token without id": ({(*ADDED, 0, "id"): REMOVED}, "added_tokens[0]: id is missing"),
    "an added token that is half a pair": ({(*ADDED, 0, "content"): "\ud800"}, "half of a surrogate pair"),
    "an added token of other bytes": ({ADDED: [{"id": 5, "content": "Ġab"}]}, "also a token of other bytes"),
    "a type that is a number": ({("model", "type"): 1}, "model: type is a whole number"),
    "a flag that is a text": ({("model", "ignore_merges"): "no"}, "ignore_merges is a text"),
    "a pre-tokenizer that is a text": ({PRE: "ByteLevel"}, "pre_tokenizer is a text"),
    "a pre-tokenizer without type": ({PRE: {}}, "pre_tokenizer: type is missing"),
    "no add_prefix_space": ({(*PRE, "add_prefix_space"): REMOVED}, "add_prefix_space is missing"),
    "a pattern that is a text": ({PRE: split_then_bytes("x")}, "pattern is a text"),
    "a normalizer that is a list": ({("normalizer",): []}, "normalizer is a list"),
    "another version": ({("version",): "2.0"}, "its version is '2.0'. Only version 1.0"),
}


def nested(depth: int) -> dict:
    step: dict = {"type": "NFC"}
    for _ in range(depth):
        step = {"type": "Sequence", "normalizers": [step]}
    return step


NOT_OURS = {
    "steps in steps in steps": ({("normalizer",): nested(100)}, "its steps are nested more than 20 deep"),
    "Unigram with a vocabulary of BPE": ({("model", "type"): "Unigram"}, "vocab is an object"),
    "WordPiece without its settings": (
        {("model", "type"): "WordPiece"},
        "the tokenizers library can't load it: ",
    ),
    "an unknown type": ({("model", "type"): "Morphemes"}, "its type is 'Morphemes'. BPE, Unigram, WordPiece"),
    "no type, no merges": ({("model", "type"): REMOVED, MERGES: REMOVED}, "its type is 'unknown'"),
    "an unknown step": ({PRE: {"type": "Syllables"}}, "the tokenizers library can't load it: "),
    "a regex that does not compile": (
        {PRE: split_then_bytes({"Regex": "("})},
        "the tokenizers library can't load it: ",
    ),
    "a dropout that is a truth": (
        {("model", "dropout"): True},
        "dropout must be null or a number from 0 to 1",
    ),
    "a dropout above 1": ({("model", "dropout"): 1.5}, "dropout must be null or a number from 0 to 1"),
}


@pytest.mark.parametrize(
    ("changes", "why"), [*DAMAGED.values(), *NOT_OURS.values()], ids=[*DAMAGED, *NOT_OURS]
)
def test_a_tokenizer_json_that_is_damaged_or_cannot_be_reproduced(changes, why):
    assert why in refused(as_file(tiny(changes)))


def test_tokens_too_long_to_find_their_merges(monkeypatch):
    monkeypatch.setattr(reach, "MAX_MERGED_SYMBOLS", 1)
    changes = {
        ("model", "ignore_merges"): True,
        MERGES: ["b Ġ", "a b", "ab Ġ"],
        (*VOCAB, "bĠ"): 9,
        (*VOCAB, "abĠ"): 10,
    }
    assert "its tokens are so long" in refused(as_file(tiny(changes)))


FOLDS_ALIKE = [
    "(?i:ab|s|t)|ss|ß|i|.",
    "(?i:s+s|k)|.",
    r"(?i:'(?:[sdmt]|ll|ve|re))|\s+|\S+",
    "(?i:[а-я]+)|.",
    "(?i:[^ß])|.",
    r"(?i:\p{L}+|\s|.)",
    "(?i:f(?-i:f))|.",
]


@pytest.mark.parametrize("pattern", FOLDS_ALIKE)
def test_a_regex_that_ignores_case_splits_as_in_the_library(pattern):
    text = "ß ẞ ss SS sſ ﬀ ff ﬁ fi ﬆ st İ i ı I K k ЁёЖж K's WE'LL aL ﬂ fl ŉ ʼn ΐ"
    split = read_tokenizer(as_file(tiny({PRE: split_then_bytes({"Regex": pattern})}))).split
    theirs = pre_tokenizers.Split(Regex(pattern), "isolated").pre_tokenize_str(text)
    assert split.split(text) == [piece for piece, _ in theirs]


# --- GPT-2's pair ----------------------------------------------------------------------------------------

IDS = {"a": 0, "b": 1, "ab": 2}
BAD_PAIRS = {
    "a line of one word": (
        (IDS, "#version: 0.2\na b\nab\n"),
        "merges.txt: line 3 is 'ab', which is not two tokens",
    ),
    "a line of three words": ((IDS, "a b\na b a\n"), "line 2 is 'a b a'"),
    "two spaces": ((IDS, "#version\na  b\n"), "line 2 is 'a  b'"),
    "a long line": ((IDS, "a b\n" + "x" * 10_000), "xxx…xxx"),
    "a token not there": ((IDS, "a x\n"), "merges.txt: the merge of rank 0, 'a' with 'x', names 'x'"),
    "a token not made": ((IDS, "b a\n"), "makes 'ba', which is not in the vocabulary"),
    "an id that is a text": ((IDS | {"c": "3"}, "a b\n"), "vocab.json: the id of the token 'c' is a text"),
    "an id twice": ((IDS | {"c": 1}, "a b\n"), "'b' and 'c' have the same id 1"),
    "no token": (({}, "a b\n"), "holds no single byte"),
    "a token of half a pair": (({"\ud800": 0, "a": 0}, "a b\n"), "half of a surrogate pair"),
}


@pytest.mark.parametrize(("files", "why"), BAD_PAIRS.values(), ids=BAD_PAIRS.keys())
def test_a_damaged_pair(files, why):
    assert why in refused(pair(*files))


# --- .tiktoken -------------------------------------------------------------------------------------------

BAD_RANKS = {
    "a rank with a point": ({b"ab": 256.0}, "line 257 is 'YWI= 256.0', which is not a token in base64"),
    "a negative rank": ({b"ab": -1}, "the id of the token 'YWI=' is negative"),
    "a huge rank": ({b"ab": 10**17}, "'YWI=' is above 2,500,000"),
    "a rank of thousands of digits": ({b"ab": "9" * 5000}, "which is not a token in base64 and its rank"),
    "a rank twice": ({b"ab": 256, b"ba": 256}, "line 258: the tokens 'ab' and 'ba' have the same rank 256"),
    "a rank that is a word": ({b"ab": "NaN"}, "line 257 is 'YWI= NaN'"),
    "a rank that is missing": ({b"ab": ""}, "line 257 is 'YWI= '"),
    "an empty token": ({b"": 256}, "line 257 is ' 256'"),
    "a byte after another token": ({b"ab": 5, b"\x05": 256}, "first 256 ranks are not the 256 bytes"),
}


@pytest.mark.parametrize(("tokens", "why"), BAD_RANKS.values(), ids=BAD_RANKS.keys())
def test_a_damaged_tiktoken_file(tokens, why):
    assert why in refused(ranks(tokens))


def test_a_tiktoken_file_without_all_bytes():
    assert "first 256 ranks are not the 256 bytes" in refused({"x": rank_lines({b"a": 0, b"b": 1}).encode()})


def test_a_token_twice_in_a_tiktoken_file():
    files = {"x": ranks()["cl100k_base.tiktoken"] + b"YWI= 256\nYWI= 257\n"}
    assert "line 258: the token 'ab' occurs twice" in refused(files)


@pytest.mark.parametrize("line", [b"YW*= 256", b"YWI 256", b"YWI= 256 1", b"YWI=", "YWI= ٣".encode()])
def test_a_line_that_is_no_rank_in_a_tiktoken_file(line):
    assert "line 257 is" in refused({"x": ranks()["cl100k_base.tiktoken"] + line})


def test_tokens_too_long_for_finding_their_merges(monkeypatch):
    monkeypatch.setattr(tiktoken, "MAX_SQUARED_LENGTHS", 256 + 15)
    assert "Export the tokenizer as tokenizer.json" in refused(ranks({b"ab": 256, b"abab": 257}))
    read_tokenizer(ranks({b"ab": 256, b"aba": 257}))


# --- minbpe's .model -------------------------------------------------------------------------------------

BAD_MODELS = {
    "another version": (b"minbpe v2\n\n0\n", "line 1 is 'minbpe v2'. Only the files of minbpe v1"),
    "no first line": (b"\nminbpe v1\n\n0\n", "line 1 is ''"),
    "nothing after the pattern": (b"minbpe v1\n\n", "line 3 is '', not the number of special tokens"),
    "a number that is a word": (b"minbpe v1\n\nNaN\n", "line 3 is 'NaN'"),
    "a number of special tokens below 0": (b"minbpe v1\n\n-1\n", "line 3 is '-1'"),
    "a number of other digits": ("minbpe v1\n\n٣\n".encode(), "line 3 is '٣'"),
    "more special tokens than lines": (b"minbpe v1\n\n5\n<x> 300\n", "announces more special tokens"),
    "numbers of thousands of digits": (b"minbpe v1\n\n" + b"9" * 5000, "not the number of special tokens"),
    "a special token without id": (b"minbpe v1\n\n1\n<x>\n", "line 4 is '<x>', not a special token and"),
    "a special token with a space": (b"minbpe v1\n\n1\na b 300\n", "line 4 is 'a b 300'"),
    "a special token of a negative id": (b"minbpe v1\n\n1\n<x> -1\n", "line 4 is '<x> -1'"),
    "a special token of a huge id": (b"minbpe v1\n\n1\n<x> 99999999999\n", "above 2,500,000"),
    "a special token of a byte's id": (b"minbpe v1\n\n1\n<x> 97\n", "the id 97, which is that of a byte"),
    "a special token of a merge's id": (b"minbpe v1\n\n1\n<x> 256\n97 98\n", "has the id 256, which"),
    "a special token twice": (b"minbpe v1\n\n2\n<x> 300\n<x> 301\n", "line 5: the special token '<x>'"),
    "a special id twice": (b"minbpe v1\n\n2\n<x> 300\n<y> 300\n", "or its id 300 occurs twice"),
    "a merge of one id": (b"minbpe v1\n\n0\n97\n", "line 4 is '97', not the two ids of a merge"),
    "a merge of three ids": (b"minbpe v1\n\n0\n97 98 99\n", "line 4 is '97 98 99'"),
    "a merge of words": (b"minbpe v1\n\n0\n97 98\na b\n", "line 5 is 'a b'"),
    "a merge with a point": (b"minbpe v1\n\n0\n97 98.0\n", "line 4 is '97 98.0'"),
    "a merge of a negative id": (b"minbpe v1\n\n0\n-1 98\n", "line 4 is '-1 98'"),
    "a merge of thousands of digits": (b"minbpe v1\n\n0\n1 " + b"9" * 5000, "not the two ids of a merge"),
    "a merge of itself": (b"minbpe v1\n\n0\n256 97\n", "line 4 merges the id 256, which is not a byte"),
    "a merge of a later one": (b"minbpe v1\n\n0\n97 257\n97 98\n", "line 4 merges the id 257"),
    "a merge twice": (b"minbpe v1\n\n0\n97 98\n97 98\n", "line 5: the merge of 97 with 98 occurs"),
    "groups that capture": (b"minbpe v1\n(a)|.\n0\n", "has groups that capture"),
    "a search backwards": (b"minbpe v1\n(?r)a|.\n0\n", "is searched backwards"),
}


@pytest.mark.parametrize(("data", "why"), BAD_MODELS.values(), ids=BAD_MODELS.keys())
def test_a_damaged_minbpe_model(data, why):
    assert why in refused({"x.model": data})


@pytest.mark.parametrize("pattern", ["(", "a*", "a" * 501, "[" * 10_000, r"(?R)a"])
def test_a_pattern_of_a_minbpe_model_that_is_no_split_pattern(pattern):
    with pytest.raises(SplitPatternError):
        read_tokenizer(minbpe_model(pattern=pattern))


def test_tokens_that_double_without_end():
    lines = ["97 97", *(f"{i} {i}" for i in range(256, 20_000))]
    assert "the token of line 20 has 131,072 bytes; at most 65,536 are read" in refused(minbpe_model(*lines))


def test_a_minbpe_model_of_too_many_lines(monkeypatch):
    monkeypatch.setattr(source, "MAX_LINES", 3)
    assert "more than 3 lines" in refused(minbpe_model("97 98"))


# --- limits of every format ------------------------------------------------------------------------------

#: The same tokenizer, of "ab" and "abab", in every format.
IN_EVERY_FORMAT = {
    "huggingface": as_file(
        tiny(
            {
                ("model", "vocab"): {"a": 1, "b": 2, "ab": 3, "abab": 4},
                ("model", "merges"): ["a b", "ab ab"],
                ("added_tokens",): [{"id": 9, "content": "<x>"}, {"id": 10, "content": "<y>"}],
            }
        )
    ),
    "gpt2": pair({"a": 1, "b": 2, "ab": 3, "abab": 4}, "a b\nab ab\n")
    | as_file({"tokenizer_class": "GPT2Tokenizer"}, "tokenizer_config.json"),
    "tiktoken": ranks({b"ab": 256, b"abab": 257}),
    "minbpe": minbpe_model("97 98", "256 256", specials=("<x> 300", "<y> 301")),
    "llms-from-scratch": notebook_pair(
        {"1": "a", "2": "b", "3": "ab", "4": "abab", "9": "<x>", "10": "<y>"},
        [{"pair": [1, 2], "new_id": 3}, {"pair": [3, 3], "new_id": 4}],
    ),
}
EVERY_FORMAT = pytest.mark.parametrize("files", IN_EVERY_FORMAT.values(), ids=IN_EVERY_FORMAT.keys())


@EVERY_FORMAT
def test_the_length_of_a_token_is_limited(files, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_TOKEN_BYTES", 4)
    read_tokenizer(files)
    monkeypatch.setattr(bounds, "MAX_TOKEN_BYTES", 3)
    assert "has 4 bytes; at most 3 are read" in refused(files)


@EVERY_FORMAT
def test_the_bytes_of_all_tokens_are_limited(files, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_TOTAL_BYTES", 5)
    assert "its tokens up to this one hold more than 5 bytes" in refused(files)


@EVERY_FORMAT
def test_the_number_of_tokens_is_limited(files, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_TOKENS", 3)
    assert "tokens; at most 3 are read" in refused(files)


@pytest.mark.parametrize("file_format", ["huggingface", "gpt2", "llms-from-scratch"])
def test_the_number_of_merges_is_limited(file_format, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_MERGES", 1)
    assert "it has 2 merges; at most 1 are read" in refused(IN_EVERY_FORMAT[file_format])


@pytest.mark.parametrize("file_format", ["huggingface", "minbpe", "llms-from-scratch"])
@pytest.mark.parametrize(("limit", "value"), [("MAX_SPECIAL_TOKENS", 1), ("MAX_SPECIAL_CHARACTERS", 5)])
def test_special_tokens_are_limited(file_format, limit, value, monkeypatch):
    monkeypatch.setattr(bounds, limit, value)
    assert "it has 2 special tokens of 6 characters; at most" in refused(IN_EVERY_FORMAT[file_format])


@pytest.mark.parametrize("file_format", ["huggingface", "minbpe", "llms-from-scratch"])
def test_the_length_of_a_special_token_is_limited(file_format, monkeypatch):
    """One token of a million characters is compared with the text at each of a million places."""
    monkeypatch.setattr(bounds, "MAX_SPECIAL_LENGTH", 2)
    assert "has 3 characters; at most 2 are read" in refused(IN_EVERY_FORMAT[file_format])


def test_real_tokenizers_are_well_below_the_limits():
    assert read_limits({}).max_upload_bytes <= source.MAX_FILE_BYTES
    assert bounds.MAX_TOKENS > 901_629  # XLM-V's
    assert bounds.MAX_MERGES > 580_604  # gemma's
    assert source.MAX_LINES > bounds.MAX_MERGES
    assert source.MAX_TOKEN_ID > 2 * bounds.MAX_TOKENS
    assert bounds.MAX_SPECIAL_TOKENS > 26_089  # Jurassic-2's
    assert source.MAX_JSON_VALUES > bounds.MAX_TOKENS + 3 * bounds.MAX_MERGES


def test_a_token_of_megabytes_is_refused_before_it_is_joined():
    long = "a" * 16_000_000
    assert "has 16,000,000 bytes" in refused(as_file(tiny({VOCAB: {"a": 0, long: 1}, MERGES: [[long, "a"]]})))


# --- the pair of "LLMs from scratch" ---------------------------------------------------------------------

OF_BOTH = NOTEBOOK_MERGES
BAD_NOTEBOOKS = {
    "an id with a sign": ({"-1": "c"}, OF_BOTH, "JSON, but not of a tokenizer"),
    "an id with a nought before": ({"06": "c"}, OF_BOTH, "the key '06' is not a token id"),
    "an id of other digits": ({"٦": "c"}, OF_BOTH, "the key '٦' is not a token id"),
    "an id of thousands of digits": ({"9" * 5000: "c"}, OF_BOTH, "is not a token id"),
    "a huge id": ({"99999999": "c"}, OF_BOTH, "is above 2,500,000"),
    "a token that is a number": ({"6": 6}, OF_BOTH, "the token of id '6' is a whole number"),
    "a token that is null": ({"6": None}, OF_BOTH, "the token of id '6' is null"),
    "a token that is a list": ({"6": ["c"]}, OF_BOTH, "the token of id '6' is a list"),
    "an empty token": ({"6": ""}, OF_BOTH, "the token of id '6' is empty"),
    "half of a pair": ({"6": "\ud800"}, OF_BOTH, "half of a surrogate pair"),
    "a character twice": ({"6": "a"}, OF_BOTH, "the character 'a' has two ids, 0 and 6"),
    "characters with a hole between": ({"7": "c"}, OF_BOTH, "'c' has 7 where 3 would be next"),
    "a special token twice": ({"7": "<|end|>"}, OF_BOTH, "the special token '<|end|>' occurs twice"),
    "no character": ({"0": "aa", "1": "bb", "2": "cc"}, [], "holds no single character"),
    "a merge without pair": ({}, [{"new_id": 4}], "the merge of rank 0: pair is missing; it must be a list"),
    "a merge without id": ({}, [{"pair": [0, 1]}], "the merge of rank 0: new_id is missing"),
    "a pair that is a text": ({}, [{"pair": "ab", "new_id": 4}], "pair is a text"),
    "a pair of one": ({}, [{"pair": [0], "new_id": 4}], "its pair is not two whole numbers"),
    "a pair of three": ({}, [{"pair": [0, 1, 2], "new_id": 4}], "not two whole numbers"),
    "a pair of texts": ({}, [{"pair": ["0", "1"], "new_id": 4}], "not two whole numbers"),
    "a pair with a truth": ({}, [{"pair": [0, True], "new_id": 4}], "not two whole numbers"),
    "a pair with a point": ({}, [{"pair": [0, 1.0], "new_id": 4}], "not two whole numbers"),
    "an id that is a text": ({}, [{"pair": [0, 1], "new_id": "4"}], "new_id is a text"),
    "an id that is NaN": ({}, [{"pair": [0, 1], "new_id": float("nan")}], "holds NaN"),
    "an id that is a truth": ({}, [{"pair": [0, 1], "new_id": True}], "new_id is true or false"),
    "a merge of an id not there": ({}, [{"pair": [0, 99], "new_id": 4}], "names an id that is not in the"),
    "a merge of a negative id": ({}, [{"pair": [0, -1], "new_id": 4}], "names an id that is not in the"),
    "a merge of a later one": (
        {},
        OF_BOTH[::-1],
        "it uses 'ab', no character, and no merge before it makes it",
    ),
    "a merge of a special token": ({}, [{"pair": [0, 3], "new_id": 4}], "it uses '<|end|>'"),
    "a merge of itself": ({}, [{"pair": [0, 4], "new_id": 4}], "it uses 'ab'"),
    "a merge that makes another token": ({}, [{"pair": [1, 0], "new_id": 4}], "it makes 'ba', which the"),
    "a merge that makes an id not there": ({}, [{"pair": [0, 1], "new_id": 9}], "it makes 'ab', which the"),
    "a merge twice": ({}, [OF_BOTH[0], OF_BOTH[0]], "its pair or its new_id occurs twice"),
    "a token made twice": (
        {"4": "aa", "5": "aaa"},
        [{"pair": [0, 0], "new_id": 4}, {"pair": [0, 4], "new_id": 5}, {"pair": [4, 0], "new_id": 5}],
        "the merge of rank 2: its pair or its new_id",
    ),
}


@pytest.mark.parametrize(("tokens", "merges", "why"), BAD_NOTEBOOKS.values(), ids=BAD_NOTEBOOKS.keys())
def test_a_damaged_pair_of_the_notebook(tokens, merges, why):
    vocabulary = tokens if "holds no single" in why else NOTEBOOK_VOCABULARY | tokens
    assert why in refused(notebook_pair(vocabulary, merges))


# --- anything at all -------------------------------------------------------------------------------------

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["a", "ab"])
)
ANY_JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(["tokenizer.json", "vocab.json", "merges.txt", "x.tiktoken", "x.model"])


def read_or_refuse(files: dict[str, bytes]) -> None:
    """Whatever is wrong is a BpevizError; whatever is read can encode and decode."""
    with suppress(BpevizError):
        tokenizer = read_tokenizer(files)
        assert len(tokenizer.vocabulary) <= tokenizer.n_vocab
        ids = tokenizer.encode("ab ab")
        decoded = tokenizer.decode(ids)
        # A pipeline may normalize; an added token without an id in the vocabulary may take that of another.
        may_change = (
            tokenizer.pipeline or tokenizer.decoder or set(ids) & set(tokenizer.special_tokens.values())
        )
        assert decoded == "ab ab" or may_change


def paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [p for key, v in inner for p in [(*path, key), *paths(v, (*path, key))]]


@given(files=st.dictionaries(NAMES, st.binary(max_size=60), max_size=3))
def test_any_bytes(files):
    read_or_refuse(files)


@given(
    files=st.dictionaries(
        NAMES, st.text(st.sampled_from('{}[]":, ab01=#\n\r\ufeffĠ'), max_size=40), max_size=2
    )
)
def test_any_text_of_the_characters_that_matter(files):
    read_or_refuse({name: text.encode() for name, text in files.items()})


@given(value=ANY_JSON, key=st.sampled_from(["model", "vocab", "a"]))
def test_any_json(value, key):
    read_or_refuse(as_file({key: value}))


@given(path=st.sampled_from(paths(TINY)), value=ANY_JSON)
def test_anything_in_place_of_a_part_of_a_tokenizer_json(path, value):
    read_or_refuse(as_file(tiny({path: value})))


@given(path=st.sampled_from(paths(TINY)))
def test_a_tokenizer_json_without_one_of_its_parts(path):
    read_or_refuse(as_file(tiny({path: REMOVED})))


def test_an_added_token_that_takes_the_id_of_another_is_decoded_as_in_the_library():
    """The library numbers it by the size of the vocabulary, whose ids here begin with 1."""
    file = as_file(tiny({("model", "vocab", "<|end|>"): REMOVED}))
    library = tokenizers.Tokenizer.from_str(file["tokenizer.json"].decode())
    ours, ids = read_tokenizer(file), library.encode("ab ab").ids
    assert ours.encode("ab ab") == ids == [4, 5]
    assert ours.decode(ids) == library.decode(ids, skip_special_tokens=False) == "ab<|end|>"


@pytest.mark.filterwarnings("ignore::bpeviz.errors.TokenizerFileWarning")  # such a pair says no split pattern
@given(
    ids=st.dictionaries(st.text("abĠ", max_size=3), st.integers(-1, 12) | LEAVES, max_size=8),
    pairs=st.lists(st.tuples(st.text("abĠ", max_size=2), st.text("abĠ", max_size=2)), max_size=4),
)
def test_any_vocabulary_and_merges(ids, pairs):
    merges = "".join(f"{left} {right}\n" for left, right in pairs)
    read_or_refuse(pair(ids, "#version: 0.2\n" + merges))
    read_or_refuse(as_file(tiny({VOCAB: ids, MERGES: [*map(list, pairs)], ADDED: []})))


@given(at=st.integers(0, 10_000), value=st.integers(0, 255))
def test_one_byte_changed_in_a_tokenizer_json(at, value):
    data = bytearray(json.dumps(TINY).encode())
    data[at % len(data)] = value
    read_or_refuse({"tokenizer.json": bytes(data)})


@given(tokens=st.dictionaries(st.binary(max_size=4), st.integers(-1, 300), max_size=5))
def test_any_ranks(tokens):
    read_or_refuse(ranks(tokens))


NUMBERS = st.integers(-1, 300).map(str) | st.sampled_from(["", "x", "1.0", "٣", "9" * 30])


@given(
    pattern=st.text("a|().*+?[]\\ ", max_size=8),
    total=NUMBERS,
    lines=st.lists(st.tuples(st.sampled_from(["", "<x> "]), NUMBERS, NUMBERS), max_size=6),
)
def test_any_minbpe_model(pattern, total, lines):
    text = "".join(f"{special}{left} {right}\n" for special, left, right in lines)
    read_or_refuse({"x": f"minbpe v1\n{pattern}\n{total}\n{text}".encode()})


@given(
    tokens=st.dictionaries(st.integers(-1, 12).map(str), st.text("abĠ<", max_size=3) | LEAVES, max_size=8),
    merges=st.lists(
        st.fixed_dictionaries(
            {"pair": st.lists(st.integers(-1, 9), max_size=3), "new_id": st.integers(-1, 9)}
        ),
        max_size=4,
    ),
)
def test_any_pair_of_the_notebook(tokens, merges):
    read_or_refuse(notebook_pair(tokens, merges))


@given(path=st.sampled_from(paths(NOTEBOOK_MERGES)), value=ANY_JSON)
def test_anything_in_place_of_a_part_of_the_notebooks_merges(path, value):
    changed = json.loads(json.dumps(NOTEBOOK_MERGES))
    *outer, last = path
    place = changed
    for key in outer:
        place = place[key]
    place[last] = value
    read_or_refuse(notebook_pair(NOTEBOOK_VOCABULARY, changed))
