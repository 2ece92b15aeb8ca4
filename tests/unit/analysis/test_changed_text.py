"""Tokenizers that change the text first: every count of tokens is that of the library's ids.

"ﬁ" becomes f + i, "½" six tokens: several tokens end with one character of the text.
"""

import json
from functools import cache

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.compare import compare
from bpeviz.analysis.text_statistics import per_line, per_script, text_totals
from bpeviz.analysis.word_changes import WordChange, cut_in_words, word_changes
from bpeviz.formats.reading import read_tokenizer
from bpeviz.tokenizer.encoding import encode_step_by_step
from bpeviz.tokenizer.one_token import Makings, why_not_one_token, why_of_pre_token
from bpeviz.ui.encode.one_token_answer import answer
from tests.support import made_tokenizers as made
from tests.support import trained_files
from tests.support.tokenizer_files import as_file, tiny

PIECES = [
    "ﬁ",
    "½",
    "é",
    "É",
    "İ",
    "㎏",
    "ﷺ",
    "ǆ",
    "a\u0301",
    "x",
    "ax",
    "fi",
    " ",
    "  ",
    "\n",
    "12",
    "日本",
    "😀",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def of_characters(**changes: object) -> Tokenizer:
    model = {"vocab": {"a": 0, "f": 1, "i": 2, "x": 3, "ax": 4, "1": 5, "⁄": 6, "2": 7}, "merges": ["a x"]}
    values = tiny(
        {("added_tokens",): [], ("decoder",): None, ("pre_tokenizer",): {"type": "WhitespaceSplit"}}
    )
    values["model"] |= model
    return read_tokenizer(as_file(values | {"normalizer": {"type": "NFKC"}} | changes))


@cache
def read(name: str) -> tuple[Tokenizer, tokenizers.Tokenizer]:
    file = {
        "CLIP": trained_files.clip_like,
        "GPT-1": trained_files.bpe_with_word_ends,
        "Llama 2": lambda: made.llama2_like(made.sentencepiece_bpe()),
        "T5": made.t5_like,
        "BERT": trained_files.bert_like,
        "Llama 2 in NFKC": lambda: with_nfkc(made.llama2_like(made.sentencepiece_bpe())),
    }[name]()
    return read_tokenizer({"tokenizer.json": file}), tokenizers.Tokenizer.from_str(file.decode())


def with_nfkc(file: bytes) -> bytes:
    values = json.loads(file)
    steps = [{"type": "NFKC"}, *filter(None, [values["normalizer"]])]
    return json.dumps(values | {"normalizer": {"type": "Sequence", "normalizers": steps}}).encode()


NAMES = ["CLIP", "GPT-1", "Llama 2", "T5", "BERT", "Llama 2 in NFKC"]


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
def test_all_counts_of_tokens_are_the_librarys(name: str, text: str) -> None:
    tokenizer, library = read(name)
    total = len(library.encode(text, add_special_tokens=False).ids)
    encoded = tokenizer.encode_text(text)
    counts = encoded.token_counts(len(tokenizer.merges))
    assert (
        compare(text, tokenizer, tokenizer).a.token_total
        == encoded.token_total(len(tokenizer.merges))
        == total
    )
    if text:
        assert text_totals(text, counts).tokens == per_script(text, counts)["tokens"].sum() == total
        assert per_line(text, counts)["tokens"].sum() == total
        assert word_changes([text], tokenizer, tokenizer).a == total


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS.filter(str.strip))
def test_a_text_is_said_to_be_one_token_only_if_it_is(name: str, text: str) -> None:
    tokenizer, library = read(name)
    ids = library.encode(text, add_special_tokens=False).ids
    why = why_not_one_token(tokenizer, text, 0, len(text.encode()))
    assert why.token_ids == tuple(ids)
    if why.reason == "one-token":
        assert len(ids) == 1
    encodings = encode_step_by_step(tokenizer, text)
    makings = Makings.of_words(tokenizer, encodings)
    for encoding in encodings:
        if why_of_pre_token(makings, encoding).reason == "one-token":
            assert len(encoding.ids) == 1


def said(tokenizer: Tokenizer, text: str, part: str) -> str:
    start = text.encode().index(part.encode())
    why = why_not_one_token(tokenizer, text, start, start + len(part.encode()))
    return " ".join(answer(tokenizer, text, why)).replace("\u2068", "").replace("\u2069", "")


def test_what_a_ligature_becomes_is_named() -> None:
    assert said(of_characters(), "ﬁ", "ﬁ") == (
        "“ﬁ” is not one token: no merge joins “f” + “i”. This tokenizer first turns it into “fi”. "
        "It becomes 2 tokens: “f” (1) + “i” (2). The only merge does not make “fi”."
    )
    assert said(of_characters(), "xﬁx", "x").startswith("“x” is one token: it is a base symbol.")


def test_a_character_that_becomes_several_pre_tokens() -> None:
    split = {"type": "Split", "pattern": {"Regex": "."}, "behavior": "Isolated", "invert": False}
    assert said(of_characters(pre_tokenizer=split), "a½", "½") == (
        "“½” is not one token: the pre-tokenizer of its file cuts what the tokenizer turns it into. "
        "This tokenizer first turns it into “1⁄2”. It becomes 3 tokens: “1” (5) + “⁄” (6) + “2” (7)."
    )


def test_a_capital_letter_that_becomes_a_small_one_is_one_token() -> None:
    lower = of_characters(normalizer={"type": "Lowercase"})
    assert said(lower, "AX", "AX") == (
        "“AX” is one token: merge 1 makes it. This tokenizer first turns it into “ax”. Its id is 4."
    )


def test_the_words_that_change_count_each_token_of_a_character() -> None:
    found = word_changes(["ﬁ ax"], of_characters(), load_pretrained("gpt2"))
    assert (found.a, found.b) == (3, 4)
    assert [(each.word, each.a, each.b) for each in found.words] == [("ﬁ", 2, 3)]
    byte_by_byte = train_tokenizer("x", "minbpe", num_merges=0)
    (ligature,) = word_changes(["ﬁ"], of_characters(), byte_by_byte).words
    assert ligature == WordChange("ﬁ", 1, 2, 3, (b"", "ﬁ".encode()), (b"\xef", b"\xac", b"\x81"))
    assert cut_in_words(ligature.cut_a) == "ﬁ (2 tokens)"


def test_a_word_that_shares_a_token_with_its_neighbour_shows_all_of_it() -> None:
    """cl100k's tokens of "." may hold the line ends after it."""
    gpt2, cl100k = load_pretrained("gpt2"), load_pretrained("cl100k_base")
    found = word_changes(["One.\n\nTwo.\n\n"], gpt2, cl100k)
    assert [(each.word, each.a, each.b) for each in found.words] == [(".", 2, 0), ("\n", 2, 1)]
    assert (found.words[0].cut_a, found.words[0].cut_b) == ((b".",), (b".\n\n",))
