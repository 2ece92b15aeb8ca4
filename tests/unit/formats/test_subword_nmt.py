"""Codes of subword-nmt, written and read; the library itself cuts texts into the same tokens."""

import io
import tracemalloc
from contextlib import nullcontext, suppress
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from subword_nmt.apply_bpe import BPE
from subword_nmt.learn_bpe import learn_bpe

from bpeviz import RECIPES, Tokenizer, train_tokenizer
from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats import bounds, source
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import caution, refusal, write_tokenizer
from bpeviz.runs.samples import SAMPLES, read_sample
from bpeviz.text.split_patterns import get_split_pattern
from tests.support.texts import END_OF_WORD_TEXT, has_inner_space
from tests.support.tokenizer_files import pair
from tests.support.tokenizers import trained_on_hard_texts

HEADING = "#version: 0.2\n"


def codes_of(tokenizer: Tokenizer) -> str:
    return write_tokenizer(tokenizer, "subword-nmt")["codes.bpe"].decode()


def read(codes: str) -> Tokenizer:
    return read_tokenizer({"codes.bpe": codes.encode()})


def segmented(tokenizer: Tokenizer, line: str) -> str:
    """The tokens of a line as subword-nmt writes them: @@ after each that does not end a word."""
    words = [tokenizer.encode(word) for word in line.split(" ") if word]
    assert list(chain.from_iterable(words)) == tokenizer.encode(line)
    tokens = [[tokenizer.token_bytes(i).decode() for i in word] for word in words]
    return " ".join("@@ ".join(word).removesuffix("</w>") for word in tokens)


def lines(text: str) -> list[str]:
    """The lines of a text as Python reads them from a file, which is how the library gets them."""
    return [line.rstrip("\n") for line in io.StringIO(text, newline=None)]


def assert_same(tokenizer: Tokenizer, codes: str, texts: list[str]) -> None:
    theirs = BPE(io.StringIO(codes))
    for line in chain.from_iterable(map(lines, texts)):
        assert segmented(tokenizer, line) == theirs.segment(line)


# --- by hand ---------------------------------------------------------------------------------------------


def test_a_tiny_file():
    tokenizer = train_tokenizer("low low lower", "subword-nmt", num_merges=2)
    assert codes_of(tokenizer) == HEADING + "l o\nlo w</w>\n"
    assert segmented(tokenizer, "low  wlow") == "low w@@ low"
    assert_same(tokenizer, codes_of(tokenizer), ["low lower  wlow olor"])


def test_a_tiny_file_is_read():
    tokenizer = read(HEADING + "l o\nlo w</w>\n")
    assert tokenizer.vocabulary == dict(
        enumerate([b"l", b"l</w>", b"o", b"o</w>", b"w", b"w</w>", b"lo", b"low</w>"])
    )
    assert tokenizer.merges == [(0, 2), (6, 5)]
    assert (tokenizer.special_tokens, tokenizer.split) == ({}, get_split_pattern("spaces"))
    assert segmented(tokenizer, "low  lo wolow") == "low l@@ o w@@ o@@ low"
    assert tokenizer.decode(tokenizer.encode("low wo")) == "low wo"


def test_characters_that_no_merge_uses_are_not_in_the_file():
    tokenizer = train_tokenizer("low low lower", "subword-nmt", num_merges=2)
    again = read(codes_of(tokenizer))
    assert segmented(tokenizer, "lower") == segmented(again, "lower") == "lo@@ w@@ e@@ r"
    assert again.token_to_id("e") is None
    assert BPE(io.StringIO(codes_of(tokenizer))).segment("loweß") == "lo@@ w@@ e@@ ß"


@pytest.mark.parametrize(
    "codes",
    [
        "#version: 0.2.0\na b</w>\n",
        "#version: 0.2\r\na b</w>\r\n",
        "#version: 0.2 \n a b</w> \n\n",
        "\ufeff#version: 0.2\na b</w>",
        "#version: 0.2\na b</w>\na b</w>\n",
        "#version: 0.2\na b</w>\nb a\na b</w>\n",
    ],
)
def test_forms_of_the_file_that_the_library_takes(codes):
    assert segmented(read(codes), "ab") == BPE(io.StringIO(codes.lstrip("\ufeff"), newline=None)).segment(
        "ab"
    )


def test_the_first_of_two_lines_of_a_pair_counts():
    codes = HEADING + "a b\nb c\na b\nc d</w>\n"
    tokenizer = read(codes)
    assert len(tokenizer.merges) == 3
    assert_same(tokenizer, codes, ["abcd aabbcd"])


def test_lines_with_a_token_that_no_line_makes_are_left_out():
    codes = HEADING + "ab c\na b</w>\nabc d</w>\nb a\na </w>\n"
    tokenizer = read(codes)
    assert [tokenizer.token_bytes(i) for i in tokenizer.merge_token_ids] == [b"ab</w>", b"ba"]
    assert_same(tokenizer, codes, ["abcd ab baab dab"])


def test_a_merge_that_makes_a_token_again_keeps_its_id():
    """In "</w>x", the end of the word is four characters."""
    tokenizer = train_tokenizer("a</w>a a a</w>a", "subword-nmt", num_merges=9)
    assert len(set(tokenizer.merge_token_ids)) < len(tokenizer.merges) or "a</w>" in codes_of(tokenizer)
    again = read(codes_of(tokenizer))
    assert_same(again, codes_of(tokenizer), ["a</w>a a a</w>a</w>", "</w> <"])


# --- by the library --------------------------------------------------------------------------------------


def test_samples_of_all_scripts():
    text = "\n".join(read_sample(title, 20_000) for title in SAMPLES)
    tokenizer = train_tokenizer(text, "subword-nmt", num_merges=1_500)
    codes = codes_of(tokenizer)
    assert_same(tokenizer, codes, [text])
    again = read(codes)
    known = {symbol for symbol in again.base.ids if len(symbol) == 1} | {*" \r\n"}
    assert_same(again, codes, ["".join(filter(known.__contains__, text[::-1]))])


@given(made=trained_on_hard_texts("subword-nmt"))
def test_any_trained_tokenizer_gives_the_tokens_of_the_library(made):
    tokenizer, texts = made
    if not tokenizer.merges:
        return
    assert_same(tokenizer, codes_of(tokenizer), texts)


@given(made=trained_on_hard_texts("subword-nmt"), other=END_OF_WORD_TEXT)
def test_any_saved_tokenizer_is_read_back_with_the_tokens_of_the_library(made, other):
    tokenizer, texts = made
    codes = codes_of(tokenizer)
    if not tokenizer.merges or {"Ġ", "▁"} & {*codes}:
        return
    again = read(codes)
    assert codes_of(again) == codes
    assert_same(again, codes, [*texts, other])


@given(made=trained_on_hard_texts("subword-nmt"), num_merges=st.integers(1, 40))
def test_any_codes_that_the_library_learns_are_read_with_its_tokens(made, num_merges):
    _, texts = made
    words = "\n".join(texts)
    learned = io.StringIO()
    with suppress(ValueError):  # it calls max() on no pairs
        learn_bpe(io.StringIO(words, newline=None), learned, num_merges, min_frequency=1)
    codes = learned.getvalue()
    if codes == HEADING or {"Ġ", "▁"} & {*codes}:
        return
    # then some codes use a token that only a later line makes
    may_be_refused = suppress(TokenizerFileError) if has_inner_space(words) else nullcontext()
    with may_be_refused:
        tokenizer = read(codes)
        assert_same(tokenizer, codes, texts)


CODES = st.lists(
    st.lists(
        st.sampled_from(["a", "b", "ab", "a</w>", "b</w>", "ab</w>", "</w>", "aa", "é"]), max_size=3
    ).map(" ".join),
    max_size=6,
).map("\n".join)


@given(codes=CODES | st.text(st.sampled_from("ab</w> \n\r#\t\x00"), max_size=60))
def test_any_file_is_read_with_the_tokens_of_the_library_or_refused(codes):
    with suppress(TokenizerFileError):
        tokenizer = read(HEADING + codes)
        texts = ["ab ba aab", "é a aaaa", "bab</w>ab"]
        full = [line for line in codes.split("\n") if line.strip("\r")]  # the library takes no empty lines
        assert_same(tokenizer, HEADING + "\n".join(full), texts)


# --- what is codes and what is GPT-2's merges -------------------------------------------------------------


def test_codes_without_an_end_of_a_word_are_read_if_they_have_a_heading_and_no_byte_of_gpt2():
    assert read(HEADING + "a b\n").merges == [(0, 2)]
    for other in ("a b\n", HEADING, HEADING + "a b\nĠ ab\n", HEADING + "▁ a\n"):
        with pytest.raises(TokenizerFileError, match=r"Give vocab\.json"):
            read(other)


def test_merges_of_gpt2_that_make_the_mark_are_still_half_a_pair():
    merges = HEADING + "< /\n</ w\n</w >\nĠ </w>\n"
    tokens = ["<", "/", "w", ">", "Ġ", "</", "</w", "</w>", "Ġ</w>"]
    files = pair({token: i for i, token in enumerate(tokens)}, merges)
    assert read_tokenizer(files, split="none").encode(" </w>") == [8]
    with pytest.raises(TokenizerFileError, match=r"Give vocab\.json"):
        read(merges)


# --- what is wrong with a file ----------------------------------------------------------------------------

MALFORMED = {
    "no heading": (
        "t h\nth e</w>\n",
        "line 1 is 't h'. Only codes that begin with #version: 0.2 can be read",
    ),
    "the mark as a separate symbol": ("e </w>\n", "line 1 is 'e </w>'. Only codes that begin with"),
    "another version": ("#version: 0.1\ne n</w>\n", "line 1 is '#version: 0.1'. Only codes"),
    "one word": (HEADING + "a b</w>\nab\n", "line 3 is 'ab', which is not two tokens"),
    "three words": (HEADING + "a b</w> 7\n", "line 2 is 'a b</w> 7', which is not two tokens"),
    "two spaces": (HEADING + "a  b</w>\n", "line 2 is 'a  b</w>'"),
    "lines in another order": (
        HEADING + "ab c</w>\na b\n",
        "line 2 uses 'ab', which only a later line makes. subword-nmt writes such codes if words hold white",
    ),
    "not UTF-8": (HEADING.encode() + b"a \xff</w>\n", "it is not UTF-8: the byte at offset 16"),
}


@pytest.mark.parametrize(("codes", "why"), MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_wrong_is_said_in_one_message(codes, why):
    with pytest.raises(TokenizerFileError) as caught:
        read_tokenizer({"codes.bpe": codes if isinstance(codes, bytes) else codes.encode()})
    assert why in caught.value.why
    assert str(caught.value).endswith(".")
    assert str(caught.value).isprintable()


LARGE = {
    "a long token": (HEADING + "a b</w>\n" + "x" * 40_000 + " " + "y" * 40_000, "at most 65,536 are read"),
    "long lines": (HEADING + f"{'x' * 30_000} {'y' * 30_000}</w>\n" * 300 + "a", "line 302 is 'a'"),
    "many long lines": (
        HEADING + "".join(f"{i}{'x' * 30_000} {'y' * 30_000}</w>\n" for i in range(400)),
        "hold more than 20,000,000 bytes",
    ),
    "a long heading": ("#version:" + " 0.2" * 200_000 + "x\na b</w>", "Only codes that begin with"),
    "many lines": (HEADING + "a b</w>\n" * (source.MAX_LINES + 1), "more than 750,000 lines"),
    "many merges": (HEADING + "a b</w>\n" * (bounds.MAX_MERGES + 1), "it has 700,001 merges"),
    "many characters": (
        HEADING + "".join(f"{chr(0x10000 + i)} {chr(0x50000 + i)}</w>\n" for i in range(210_000)),
        "it has 1,050,000 tokens; at most 1,000,000 are read",
    ),
    "empty lines": (HEADING + "\n" * 500_000 + "a</w>\n", "line 500,002 is 'a</w>'"),
    "white space": (HEADING + " " * 10_000_000, "line 2 is '', which is not two tokens"),
}


@pytest.mark.parametrize(("codes", "why"), LARGE.values(), ids=LARGE.keys())
@pytest.mark.full
def test_large_files_are_refused_without_much_memory(codes, why):
    tracemalloc.start()
    with pytest.raises(TokenizerFileError) as caught:
        read(codes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert why in caught.value.why
    assert len(str(caught.value)) < 600
    # a million characters take more, though less each than 400,000 took under the lower limit
    assert peak < (300_000_000 if "1,050,000 tokens" in why else 150_000_000)


# --- what the file cannot hold ----------------------------------------------------------------------------


def with_mark(mark: str = "</w>", whitespace: str = "drop-spaces", symbols: str = "ab") -> Tokenizer:
    ids = {symbol: i for i, symbol in enumerate(symbols)}
    base = CharacterVocabulary(ids, end_of_word=mark, whitespace=whitespace)
    return Tokenizer(base, [((0, 1), 2)], split=get_split_pattern("spaces"))


def with_two_equal_tokens() -> Tokenizer:
    base = CharacterVocabulary({"a": 0}, end_of_word="</w>", whitespace="drop-spaces")
    merges = [((0, 0), 1), ((1, 0), 2), ((0, 1), 3)]
    return Tokenizer(base, merges, split=get_split_pattern("spaces"))


REFUSED = {
    "bytes": (lambda: train_tokenizer("ab", "minbpe"), "it is made of bytes, and the file holds characters"),
    "no mark": (lambda: train_tokenizer("ab", "sentencepiece"), "does not mark the end of a word with </w>"),
    "another mark": (lambda: with_mark("_"), "does not mark the end of a word with </w>"),
    "another split pattern": (
        lambda: train_tokenizer("ab", "subword-nmt", split="whitespace"),
        "its split pattern is whitespace, and subword-nmt splits at spaces and line ends",
    ),
    "other white space": (lambda: with_mark(whitespace="keep"), "subword-nmt splits at spaces"),
    "a space in a token": (lambda: with_mark(symbols="a "), "holds a space or a line end"),
    "two tokens of one text": (with_two_equal_tokens, "two of its tokens have the text 'aaa'"),
}


@pytest.mark.parametrize(("make", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_file_cannot_hold_is_refused(make, why):
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer") as caught:
        write_tokenizer(make(), "subword-nmt")
    assert why in caught.value.why


def test_a_merge_that_never_happens_is_left_out():
    base = CharacterVocabulary({"a": 0, "b</w>": 1}, end_of_word="</w>", whitespace="drop-spaces")
    tokenizer = Tokenizer(base, [((0, 1), 2), ((0, 1), 2)], split=get_split_pattern("spaces"))
    assert codes_of(tokenizer) == HEADING + "a b</w>\n"


def test_special_tokens_are_not_in_the_file():
    tokenizer = train_tokenizer("ab ab", "subword-nmt", num_merges=1, special_tokens=["ab", "<s>"])
    assert refusal(tokenizer, "subword-nmt") == ""
    assert codes_of(tokenizer) == HEADING + "a b</w>\n"


def test_a_file_without_merges_comes_with_a_caution():
    tokenizer = train_tokenizer("ab ab", "subword-nmt", num_merges=0)
    assert codes_of(tokenizer) == HEADING
    assert "neither subword-nmt nor bpeviz can load" in caution(tokenizer, "subword-nmt", "codes.bpe")
    with pytest.raises(SystemExit):
        BPE(io.StringIO(codes_of(tokenizer)))
    assert caution(train_tokenizer("ab ab", "subword-nmt"), "subword-nmt", "codes.bpe") == ""
    assert RECIPES["subword-nmt"].special_tokens == ()
