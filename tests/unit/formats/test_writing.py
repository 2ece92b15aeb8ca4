"""Tokenizer files that are written: read back here, and loaded by the libraries that they are for.

minbpe and the notebook "LLMs from scratch" are not on PyPI. Small readers of their formats stand in for them
here, which share no code with bpeviz. test_sentencepiece_model.py, test_metaspace.py and test_subword_nmt.py
test the files of SentencePiece's and subword-nmt's recipes.
"""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import regex
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe
from tokenizers import models, pre_tokenizers

from bpeviz import RECIPES, Tokenizer, custom_split_pattern, load_pretrained, train_tokenizer
from bpeviz.core.base_vocabulary import ByteVocabulary, CharacterVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import FILE_FORMATS, refusal, write_tokenizer
from bpeviz.runs.samples import SAMPLES, read_sample
from bpeviz.text.split_patterns import SPLIT_PATTERNS, get_split_pattern
from tests.support.texts import TIGHT_TEXTS
from tests.support.tokenizer_files import notebook_pair

END = "<|endoftext|>"
TITLES = [*SAMPLES]
BYTES = ByteVocabulary(bytes(range(256)))

#: The formats that can hold what each recipe makes of the samples, with its own special tokens.
HELD = {
    "course": {"huggingface", "gpt2"},
    "minbpe-basic": {"huggingface", "tiktoken", "minbpe"},
    "minbpe": {"huggingface", "tiktoken", "minbpe"},
    "tiktoken-educational": {"huggingface", "gpt2", "tiktoken", "minbpe"},
    "huggingface": {"huggingface", "gpt2", "tiktoken"},
    "rustbpe": {"huggingface", "tiktoken", "minbpe"},
    "llms-from-scratch-simple": {"llms-from-scratch"},
    "subword-nmt": {"subword-nmt"},
    "sentencepiece": {"huggingface", "sentencepiece"},
}
OTHERS_TEST = ("subword-nmt", "sentencepiece")
PAIRS = [
    (recipe, file_format)
    for recipe, formats in HELD.items()
    for file_format in sorted(formats)
    if recipe not in OTHERS_TEST
]


def sample(title: str) -> str:
    return read_sample(title, 20_000)


@cache
def trained(recipe: str, special_tokens: tuple[str, ...] | None = None) -> Tokenizer:
    """A tokenizer that learned from the beginnings of all samples."""
    return train_tokenizer(map(sample, TITLES), recipe, num_merges=400, special_tokens=special_tokens)


@cache
def written(recipe: str, file_format: str) -> dict[str, bytes]:
    return write_tokenizer(trained(recipe), file_format)


def assert_same(tokenizer: Tokenizer, other: Tokenizer) -> None:
    assert other.base == tokenizer.base
    assert other.merges == tokenizer.merges
    assert other.merge_token_ids == tokenizer.merge_token_ids
    assert other.special_tokens == tokenizer.special_tokens
    assert other.vocabulary == tokenizer.vocabulary
    assert other.split == tokenizer.split


# --- by hand ---------------------------------------------------------------------------------------------


def tiny(**changes: object) -> Tokenizer:
    """All bytes by value, "ab" and " ab", one special token."""
    settings = {"split": get_split_pattern("gpt2"), "special_tokens": {END: 258}} | changes
    return Tokenizer(BYTES, [((97, 98), 256), ((32, 256), 257)], **settings)


def characters() -> Tokenizer:
    return train_tokenizer("ab ab", "llms-from-scratch-simple", num_merges=2)


def test_a_tiny_tokenizer_json():
    whole = json.loads(write_tokenizer(tiny())["tokenizer.json"])
    assert whole["model"]["merges"] == [["a", "b"], ["Ġ", "ab"]]
    assert {"a": 97, "Ġ": 32, "ab": 256, "Ġab": 257, END: 258}.items() <= whole["model"]["vocab"].items()
    assert [(t["content"], t["id"], t["special"]) for t in whole["added_tokens"]] == [(END, 258, True)]


def test_a_tiny_pair_of_gpt2():
    files = write_tokenizer(tiny(), "gpt2")
    assert files["merges.txt"].decode() == "#version: 0.2\na b\nĠ ab\n"
    assert list(json.loads(files["vocab.json"]).items())[-3:] == [("ab", 256), ("Ġab", 257), (END, 258)]


def test_a_tiny_tiktoken_file():
    ((name, data),) = write_tokenizer(tiny(), "tiktoken").items()
    assert name == "gpt2-split.tiktoken"
    assert data.decode().splitlines()[255:] == ["/w== 255", "YWI= 256", "IGFi 257"]


def test_a_tiny_minbpe_model():
    model = write_tokenizer(tiny(), "minbpe")["tokenizer.model"].decode()
    pattern = SPLIT_PATTERNS["gpt2"].regex
    assert model == f"minbpe v1\n{pattern}\n1\n{END} 258\n97 98\n32 256\n"
    unsplit = tiny(split=get_split_pattern("none"), special_tokens=[])
    assert write_tokenizer(unsplit, "minbpe")["tokenizer.model"] == b"minbpe v1\n\n0\n97 98\n32 256\n"


def test_a_tiny_pair_of_the_notebook():
    files = write_tokenizer(characters(), "llms-from-scratch")
    expected = {"32": " ", "97": "a", "256": "Ġ", "257": END, "258": "ab", "259": "abĠ"}
    assert expected.items() <= json.loads(files["vocab.json"]).items()
    assert json.loads(files["bpe_merges.txt"]) == [
        {"pair": [97, 98], "new_id": 258, "pre_tokens": "words"},
        {"pair": [258, 256], "new_id": 259},
    ]


# --- every recipe in every format that can hold it -------------------------------------------------------


@pytest.mark.parametrize("recipe", RECIPES)
def test_which_formats_can_hold_what_a_recipe_makes(recipe):
    if recipe not in HELD:
        pytest.skip("its formats are not named here")
    assert {name for name in FILE_FORMATS if not refusal(trained(recipe), name)} == HELD[recipe]


@pytest.mark.parametrize(("recipe", "file_format"), PAIRS)
def test_what_is_written_is_read_back_the_same(recipe, file_format):
    again = read_tokenizer(written(recipe, file_format))
    assert_same(trained(recipe), again)
    for title in TITLES:
        assert again.encode(sample(title)) == trained(recipe).encode(sample(title))


@pytest.mark.parametrize("special_tokens", [(END,), ("<|pad|>", END, "日本", "é!")], ids=len)
@pytest.mark.parametrize(("recipe", "file_format"), PAIRS)
def test_special_tokens_keep_their_ids(recipe, file_format, special_tokens):
    tokenizer = trained(recipe, special_tokens)
    if file_format == "gpt2" and len(special_tokens) > 1:
        assert "'<|pad|>' would not be known" in refusal(tokenizer, file_format)
        return
    again = read_tokenizer(write_tokenizer(tokenizer, file_format))
    assert again.special_tokens == ({} if file_format == "tiktoken" else tokenizer.special_tokens)
    assert again.merge_token_ids == tokenizer.merge_token_ids
    assert again.merges == tokenizer.merges


@pytest.mark.parametrize("file_format", ["huggingface", "gpt2", "tiktoken"])
def test_gpt2_itself_is_written_and_read_back(file_format):
    gpt2 = load_pretrained("gpt2")
    again = read_tokenizer(write_tokenizer(gpt2, file_format))
    assert again.merges == gpt2.merges
    assert again.merge_token_ids == gpt2.merge_token_ids
    assert (again.base, again.split) == (gpt2.base, gpt2.split)
    assert again.special_tokens == ({} if file_format == "tiktoken" else gpt2.special_tokens)
    text = sample("Many languages")
    assert again.encode(text) == gpt2.encode(text)


def test_a_tokenizer_cut_short_is_written_as_it_is():
    short = load_pretrained("gpt2").after(100)
    assert_same(short, read_tokenizer(write_tokenizer(short)))
    assert read_tokenizer(write_tokenizer(short.after(0), "gpt2")).merges == []


# --- the real libraries, and readers that stand in for them ----------------------------------------------

Encode = Callable[[str], Sequence[int]]


def by_tokenizers(files: dict[str, bytes], tokenizer: Tokenizer, folder: Path) -> Encode:
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode())
    assert theirs.get_added_tokens_decoder().keys() == set(tokenizer.special_tokens.values())
    return lambda text: theirs.encode(text).ids


def by_tokenizers_from_the_pair(files: dict[str, bytes], tokenizer: Tokenizer, folder: Path) -> Encode:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    theirs = tokenizers.Tokenizer(
        models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt"))
    )
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return lambda text: theirs.encode(text).ids


def by_tiktoken(files: dict[str, bytes], tokenizer: Tokenizer, folder: Path) -> Encode:
    ((name, data),) = files.items()
    (folder / name).write_bytes(data)
    theirs = tiktoken.Encoding(
        "written",
        pat_str=tokenizer.split.regex or r"[\s\S]+",
        mergeable_ranks=load_tiktoken_bpe(str(folder / name)),
        special_tokens=tokenizer.special_tokens,
    )
    return lambda text: theirs.encode(text, allowed_special="all")


def by_minbpe(files: dict[str, bytes], tokenizer: Tokenizer, folder: Path) -> Encode:
    lines = iter(files["tokenizer.model"].decode().splitlines())
    assert next(lines) == "minbpe v1"
    pattern = next(lines)
    specials = {t: int(i) for t, i in (next(lines).split() for _ in range(int(next(lines))))}
    assert specials == tokenizer.special_tokens
    new_id = {tuple(map(int, line.split())): number for number, line in enumerate(lines, 256)}

    def encode(text: str) -> list[int]:
        pieces = regex.findall(pattern, text) if pattern else [text]
        return [i for piece in pieces for i in merged([*piece.encode()], new_id)]

    return encode


def by_the_notebook(files: dict[str, bytes], tokenizer: Tokenizer, folder: Path) -> Encode:
    id_of = {token: int(i) for i, token in json.loads(files["vocab.json"]).items()}
    assert tokenizer.special_tokens.items() <= id_of.items()
    new_id = {tuple(m["pair"]): m["new_id"] for m in json.loads(files["bpe_merges.txt"])}

    def encode(text: str) -> list[int]:
        words = re.findall(r"(\s*)(\S+)", text.lstrip())
        spelled = ["Ġ" * bool(space) + word for space, word in words]
        return [i for word in spelled for i in merged([id_of[c] for c in word], new_id)]

    return encode


def merged(ids: list[int], new_id: dict[tuple[int, ...], int]) -> list[int]:
    """The ids after merging all places of the known pair with the lowest id, again and again."""
    while pairs := [new_id[p] for p in pairwise(ids) if p in new_id]:
        lowest = min(pairs)
        shorter: list[int] = []
        for i in ids:
            if shorter and new_id.get((shorter[-1], i)) == lowest:
                shorter[-1] = lowest
            else:
                shorter.append(i)
        ids = shorter
    return ids


LIBRARIES = {
    "huggingface": by_tokenizers,
    "gpt2": by_tokenizers_from_the_pair,
    "tiktoken": by_tiktoken,
    "minbpe": by_minbpe,
    "llms-from-scratch": by_the_notebook,
}


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    """Have tiktoken read a file again each time."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")


@pytest.mark.parametrize(("recipe", "file_format"), PAIRS)
def test_the_library_encodes_the_samples_to_the_same_ids(recipe, file_format, tmp_path):
    tokenizer = trained(recipe)
    theirs = LIBRARIES[file_format](written(recipe, file_format), tokenizer, tmp_path)
    for title in TITLES:
        # merged() takes long for a text that is not split
        text = sample(title)[: 2_000 if tokenizer.split.regex is None and file_format == "minbpe" else None]
        assert theirs(text) == tokenizer.encode(text)


@pytest.mark.parametrize("recipe", ["huggingface", "minbpe", "rustbpe", "course"])
@pytest.mark.parametrize("file_format", ["huggingface", "tiktoken"])
def test_the_library_finds_special_tokens(recipe, file_format, tmp_path):
    tokenizer = trained(recipe, ("<|pad|>", END, "日本", "é!"))
    if refusal(tokenizer, file_format):
        assert recipe == "course"
        return
    theirs = LIBRARIES[file_format](write_tokenizer(tokenizer, file_format), tokenizer, tmp_path)
    text = f"the cat{END} é!é<|pad|><|pad|>日日本{END[:-1]}"
    assert theirs(text) == tokenizer.encode(text, allowed_special="all")


@pytest.mark.parametrize("file_format", ["huggingface", "gpt2", "tiktoken"])
def test_the_library_encodes_by_gpt2_as_written(file_format, tmp_path):
    gpt2 = load_pretrained("gpt2")
    theirs = LIBRARIES[file_format](write_tokenizer(gpt2, file_format), gpt2, tmp_path)
    for title in TITLES:
        assert theirs(sample(title)) == gpt2.encode(sample(title))


@pytest.mark.parametrize("name", SPLIT_PATTERNS)
def test_the_library_splits_by_every_named_pattern_as_written(name, tmp_path):
    tokenizer = Tokenizer(BYTES, [], split=SPLIT_PATTERNS[name])
    files = write_tokenizer(tokenizer)
    assert read_tokenizer(files).split == SPLIT_PATTERNS[name]
    theirs = tokenizers.Tokenizer.from_str(files["tokenizer.json"].decode()).pre_tokenizer
    assert theirs is not None
    text = sample("Many languages") + " I'LL we'ſ  \n\n 1234567  \n  "
    spans = [(start, end) for _, (start, end) in theirs.pre_tokenize_str(text)]
    assert [text[start:end] for start, end in spans] == SPLIT_PATTERNS[name].split(text)


@st.composite
def any_trained(draw: st.DrawFn) -> tuple[Tokenizer, list[str]]:
    """A tokenizer of any recipe, trained on difficult texts, and these."""
    texts = draw(TIGHT_TEXTS)
    recipe = draw(st.sampled_from([recipe for recipe in HELD if recipe not in OTHERS_TEST]))
    special_tokens = draw(st.sampled_from([(), (END,), (END, "<x>"), ("a",), ("ab",), (" a",), ("é", "Ġa")]))
    split = draw(st.sampled_from([RECIPES[recipe].split, "gpt2", "none"]))
    num_merges = draw(st.integers(0, 30))
    tokenizer = train_tokenizer(
        texts, recipe, split=split, num_merges=num_merges, special_tokens=special_tokens
    )
    return tokenizer, texts


@given(made=any_trained(), file_format=st.sampled_from([*FILE_FORMATS]))
def test_any_trained_tokenizer_is_read_back_the_same_or_refused(made, file_format):
    tokenizer, texts = made
    if why := refusal(tokenizer, file_format):
        with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer") as caught:
            write_tokenizer(tokenizer, file_format)
        assert caught.value.why.startswith(f"{why} ")
        return
    unmarked = file_format == "llms-from-scratch" and not tokenizer.merges  # as the caution says
    again = read_tokenizer(
        write_tokenizer(tokenizer, file_format), split=tokenizer.split if unmarked else None
    )
    assert again.merges == list(dict.fromkeys(tokenizer.merges))
    assert (again.base, again.split) == (tokenizer.base, tokenizer.split)
    if file_format != "tiktoken":
        assert again.special_tokens == tokenizer.special_tokens
        assert again.vocabulary == tokenizer.vocabulary
    for text in texts:
        assert again.encode(text) == tokenizer.encode(text)


@given(made=any_trained(), file_format=st.sampled_from([*FILE_FORMATS]))
def test_any_trained_tokenizer_gives_the_ids_of_the_library(made, file_format, tmp_path_factory):
    tokenizer, texts = made
    if refusal(tokenizer, file_format):
        return
    folder = tmp_path_factory.mktemp("written")
    theirs = LIBRARIES[file_format](write_tokenizer(tokenizer, file_format), tokenizer, folder)
    finds_special_tokens = file_format in ("huggingface", "tiktoken")
    for text in texts:
        ids = tokenizer.encode(text, allowed_special="all" if finds_special_tokens else ())
        assert list(theirs(text)) == ids


# --- what a format cannot hold ---------------------------------------------------------------------------


def numbered(*ids: int) -> Tokenizer:
    """Two merges, which make "ab" and "abc" with these ids."""
    merges = [((97, 98), ids[0]), ((ids[0], 99), ids[1])]
    return Tokenizer(BYTES, merges, split=get_split_pattern("none"))


def alike() -> Tokenizer:
    """Two tokens "aaa"."""
    merges = [((97, 97), 256), ((256, 97), 257), ((97, 256), 258)]
    return Tokenizer(BYTES, merges, split=get_split_pattern("gpt2"))


def custom(pattern: str) -> Tokenizer:
    return tiny(split=custom_split_pattern(pattern))


def of_characters(**changes: object) -> Tokenizer:
    base = CharacterVocabulary({"a": 0, "b": 1, "Ġ": 2}, **{"space": "Ġ", "whitespace": "keep"} | changes)
    return Tokenizer(base, [], split=get_split_pattern("gpt2"))


def spelling_a_heading() -> Tokenizer:
    first, *others = b"#version"
    merges = [((255 + i if i else first, other), 256 + i) for i, other in enumerate([*others, 97])]
    return Tokenizer(BYTES, merges, split=get_split_pattern("gpt2"))


REFUSED = {
    "characters as tokenizer.json": (characters, "huggingface", "it is made of characters"),
    "characters as GPT-2's pair": (characters, "gpt2", "it is made of characters"),
    "characters as ranks": (characters, "tiktoken", "it is made of characters"),
    "characters as .model": (characters, "minbpe", "it is made of characters"),
    "bytes as characters": (tiny, "llms-from-scratch", "it is made of bytes"),
    "two tokens alike": (alike, "huggingface", "two of its tokens spell 'aaa'"),
    "two tokens alike in a pair": (alike, "gpt2", "two of its tokens spell 'aaa'"),
    "two tokens alike as ranks": (alike, "tiktoken", "tiktoken merges whatever spells a token"),
    "a special token that is a byte": (
        lambda: tiny(special_tokens={"é": 300}),
        "huggingface",
        "its special token 'é' has the spelling or the id of another token",
    ),
    "a special token that is a byte not there": (
        lambda: train_tokenizer("bbbb", "course", num_merges=0, special_tokens=["a"]),
        "huggingface",
        "its special token 'a' has the spelling",
    ),
    "a special token that is a merge": (
        lambda: tiny(special_tokens={"ab": 300}),
        "gpt2",
        "its special token 'ab' has the spelling",
    ),
    "a special token of a merge's id": (
        lambda: tiny(special_tokens={"<x>": 257}),
        "huggingface",
        "or the id",
    ),
    "a pattern of another meaning": (
        lambda: custom(r"\w+|\W+"),
        "huggingface",
        r"its split pattern holds \w, which Hugging Face's library takes for letters, marks and all numbers",
    ),
    "a pattern of other pieces": (
        lambda: custom(r"\X"),
        "huggingface",
        "what Hugging Face's library may not",
    ),
    "an unsplit text as GPT-2's pair": (
        lambda: tiny(split=get_split_pattern("none")),
        "gpt2",
        "its split pattern is not gpt2",
    ),
    "another special token in a pair": (
        lambda: tiny(special_tokens={"<x>": 300}),
        "gpt2",
        "its special token '<x>' would not be known",
    ),
    "a merge that looks like a heading": (spelling_a_heading, "gpt2", "a merge of it begins with #version"),
    "ids in another order": (lambda: numbered(400, 300), "tiktoken", "its ids are not in the order of its"),
    "no byte at all": (
        lambda: train_tokenizer("", "course", special_tokens=[]),
        "huggingface",
        "it learned from an empty text",
    ),
    "too few bytes": (lambda: trained("course"), "tiktoken", "it lacks some of the 256 bytes"),
    "bytes of other ids": (lambda: load_pretrained("gpt2"), "minbpe", "takes each byte's value as its id"),
    "merges of other ids": (lambda: numbered(256, 258), "minbpe", "numbers merges 256, 257"),
    "a special token of two words": (lambda: tiny(special_tokens={"a b": 300}), "minbpe", "has white space"),
    "a special token of no byte": (lambda: tiny(special_tokens={"<x>": 97}), "minbpe", "the id of another"),
    "a pattern of two lines": (lambda: custom("a|\n|."), "minbpe", "takes more than one line"),
    "a pattern that begins with a space": (lambda: custom(" |."), "minbpe", "takes more than one line"),
    "a pattern that captures": (lambda: custom("(a)|."), "minbpe", "has groups that capture"),
    "words with a mark at their end": (
        lambda: trained("subword-nmt"),
        "llms-from-scratch",
        "it does not write spaces as Ġ",
    ),
    "words with a mark at their end as tokenizer.json": (
        lambda: trained("subword-nmt"),
        "huggingface",
        "it is made of characters, but does not write spaces as ▁",
    ),
    "characters by another pattern": (of_characters, "llms-from-scratch", "its split pattern is gpt2"),
    "a special token of one character": (
        lambda: trained("llms-from-scratch-simple", ("!",)),
        "llms-from-scratch",
        "its special token '!' is one character",
    ),
}


@pytest.mark.parametrize(("make", "file_format", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_a_format_cannot_hold_is_refused_with_the_formats_that_can(make, file_format, why):
    tokenizer = make()
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer") as caught:
        write_tokenizer(tokenizer, file_format)
    message = str(caught.value)
    assert why in message
    assert message.startswith(f"The format {file_format} cannot hold this tokenizer: ")
    assert message.endswith(".")
    assert message.isprintable()
    assert len(message) < 400
    for other in FILE_FORMATS:
        if refusal(tokenizer, other) is None:
            assert other in message.partition(" Save it as: ")[2]
            write_tokenizer(tokenizer, other)
    if all(refusal(tokenizer, other) for other in FILE_FORMATS):
        assert "Train with another recipe" in message


def test_a_pattern_of_known_pieces_is_written():
    pattern = r"(?i:'s|'t)|\p{Lu}?[\p{L}\-']+|(?<=a)\d{1,3}|\s+(?!\S)|[^\s\p{L}]++|\s"
    again = read_tokenizer(write_tokenizer(custom(pattern)))
    assert (again.split.name, again.split.regex) == ("custom", pattern)


def test_a_named_pattern_typed_by_hand_is_written():
    for name in ("cl100k", "gpt2", "whitespace"):
        again = read_tokenizer(write_tokenizer(custom(str(SPLIT_PATTERNS[name].regex))))
        assert again.split == SPLIT_PATTERNS[name]


def test_a_merge_that_never_happens_is_left_out():
    merges = [((97, 98), 256), ((97, 99), 257), ((97, 98), 256)]
    tokenizer = Tokenizer(BYTES, merges, split=get_split_pattern("gpt2"))
    for file_format in ("huggingface", "gpt2"):
        again = read_tokenizer(write_tokenizer(tokenizer, file_format))
        assert again.merges == [(97, 98), (97, 99)]
        assert again.encode("abac") == tokenizer.encode("abac") == [256, 257]


def test_an_unknown_format():
    with pytest.raises(
        TokenizerFileError,
        match="huggingface, gpt2, tiktoken, minbpe, llms-from-scratch, sentencepiece, subword-nmt",
    ):
        write_tokenizer(tiny(), "onnx")


PRESENT_NOTEBOOK = {
    "a  ab": ["a", "Ġ", "Ġab"],
    "ab\nab\r\n ab ": ["ab", "\n", "ab", "\r", "\n", "Ġab", "Ġ"],
    "a\tab \t ab": ["a", "ab", "Ġ", "Ġab"],
    "ab \tab\u2003": ["ab", "Ġab"],
}


@pytest.mark.parametrize("text", PRESENT_NOTEBOOK)
def test_a_pair_of_the_present_notebook_is_read_and_written(text):
    """The tokens come from a run of the notebook itself, at its commit 052c2de."""
    tokens = ["a", "b", "Ġ", "\n", "\r", "ab", "Ġab"]
    merges = [{"pair": [0, 1], "new_id": 5}, {"pair": [2, 5], "new_id": 6}]
    files = notebook_pair(dict(enumerate(tokens)), merges)
    tokenizer = read_tokenizer(files)
    assert [tokens[i] for i in tokenizer.encode(text)] == PRESENT_NOTEBOOK[text]
    again = write_tokenizer(tokenizer, "llms-from-scratch")
    assert {name: json.loads(data) for name, data in again.items()} == {
        name: json.loads(data) for name, data in files.items()
    }


def test_merges_that_do_not_show_their_notebook_get_a_mark():
    tokenizer = train_tokenizer("abab", "llms-from-scratch-simple", num_merges=1)
    files = write_tokenizer(tokenizer, "llms-from-scratch")
    assert json.loads(files["bpe_merges.txt"]) == [{"pair": [97, 98], "new_id": 258, "pre_tokens": "words"}]
    assert read_tokenizer(files).split == tokenizer.split
