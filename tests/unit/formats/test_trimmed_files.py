"""Files without some tokens: by hand, and as ``tokenizers``, tiktoken and ``sentencepiece`` read them."""

import io
import json

import pytest
import sentencepiece
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as TheirTokenizer

from bpeviz.errors import TokenizerError, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.trimmed_files import keeps_its_format, trimmed_files
from bpeviz.tokenizer.parts import TokenizerParts
from tests.support.tokenizer_files import NOT_STRIPPED, as_file, minbpe_model, pair, rank_lines, tiny
from tests.support.trained_files import bert_like

#: Two special tokens that the vocabulary doesn't hold: the library numbers them after it.
ADDED = [
    {"id": 6 + i, "content": content, "normalized": False, "special": True, **NOT_STRIPPED}
    for i, content in enumerate(("<cls>", "<sep>"))
]
#: ab, Ġab and abb, of which Ġab is dropped in most tests; the vocabulary has 7 tokens before, 6 after.
MODEL = {
    ("model", "vocab"): {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "abb": 5},
    ("model", "merges"): [["a", "b"], ["Ġ", "ab"], ["ab", "b"]],
    ("added_tokens",): ADDED,
}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<cls>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
    "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
    "special_tokens": {"<cls>": {"id": "<cls>", "ids": [6], "tokens": ["<cls>"]}},
}
ROBERTA = {
    "type": "RobertaProcessing",
    "sep": ["<sep>", 7],
    "cls": ["<cls>", 6],
    "trim_offsets": True,
    "add_prefix_space": False,
}
BERT = {"type": "BertProcessing", "sep": ["<sep>", 7], "cls": ["<cls>", 6]}


def trimmed(changes, tokens=(4,), **how) -> dict:
    return json.loads(trimmed_files(as_file(tiny(MODEL | changes)), tokens, **how)["tokenizer.json"])


def library(values: dict) -> TheirTokenizer:
    return TheirTokenizer.from_str(json.dumps(values))


def test_only_what_fell_is_taken_out_of_a_tokenizer_json():
    before = tiny(MODEL)
    left = trimmed({})
    assert left["model"]["vocab"] == {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "abb": 4}
    assert left["model"]["merges"] == [["a", "b"], ["ab", "b"]]
    assert [(t["content"], t["id"]) for t in left["added_tokens"]] == [("<cls>", 5), ("<sep>", 6)]
    for same in ("normalizer", "pre_tokenizer", "decoder", "truncation", "version"):
        assert left[same] == before[same]


@pytest.mark.parametrize("ids", ["closed", "holes"])
@pytest.mark.parametrize("processor", [TEMPLATE, ROBERTA, BERT, {"type": "Sequence", "processors": [BERT]}])
def test_the_library_puts_the_same_tokens_around_a_text(processor, ids):
    left = trimmed({("post_processor",): processor}, ids=ids)
    whole = library(tiny(MODEL | {("post_processor",): processor}))
    assert library(left).encode("abb ab").tokens[0] == whole.encode("abb ab").tokens[0] == "<cls>"
    names = library(left).get_vocab()
    for encoding in (library(left).encode("abb ab"), library(left).encode("ab<sep>", "b")):
        assert [names[token] for token in encoding.tokens] == encoding.ids


@pytest.mark.parametrize("ids", ["closed", "holes"])
@pytest.mark.parametrize("ignore_merges", [False, True])
def test_the_ids_of_the_file_are_the_librarys_and_those_in_memory(ids, ignore_merges):
    changes = {("model", "ignore_merges"): ignore_merges}
    left = trimmed(changes, ids=ids)
    read = read_tokenizer(as_file(left))
    in_memory = read_tokenizer(as_file(tiny(MODEL | changes))).without([4], ids=ids)
    text = "abb ab<sep>ab"
    assert library(left).encode(text, add_special_tokens=False).ids == read.encode(
        text, allowed_special="all"
    )
    assert in_memory.encode(text, allowed_special="all") == read.encode(text, allowed_special="all")
    assert in_memory.vocabulary == read.vocabulary


def test_a_padding_follows_and_merges_stay_texts():
    padding = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None, "pad_id": 7}
    padding |= {"pad_type_id": 0, "pad_token": "<sep>"}
    left = trimmed({("padding",): padding, ("model", "merges"): ["a b", "Ġ ab", "ab b"]})
    assert left["padding"]["pad_id"] == 6
    assert left["model"]["merges"] == ["a b", "ab b"]


def test_of_several_merges_for_a_token_only_the_one_that_acts_is_left():
    """Ġ + ab makes Ġab; Ġa + b, which never acted, would act without "ab"."""
    changes = {
        ("model", "vocab"): {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġa": 4, "Ġab": 5},
        ("model", "merges"): [["a", "b"], ["Ġ", "a"], ["Ġ", "ab"], ["Ġa", "b"]],
        ("added_tokens",): [],
    }
    left = trimmed(changes, [3])
    assert left["model"]["vocab"] == {"a": 0, "b": 1, "Ġ": 2, "Ġa": 3}
    assert library(left).encode("ab ab").tokens == ["a", "b", "Ġa", "b"]


WORDS = {("model", "end_of_word_suffix"): "</w>", ("pre_tokenizer",): {"type": "WhitespaceSplit"}}


def ignoring_merges(pairs, wholes, **kind) -> dict:
    """A tokenizer.json of a, b and Ġ or c</w>, in which each of the pairs that follow is a merge, by
    numbers."""
    texts, merges = ["a", "b", "c", "Ġ"], []
    if kind.get("words"):
        texts = ["a", "b", "a</w>", "b</w>"]
    for left, right in pairs:
        one, other = texts[left % len(texts)], texts[right % len(texts)]
        if one + other not in texts and not one.endswith("</w>"):
            merges.append([one, other])
            texts.append(one + other)
    texts += [text for text in wholes if text not in texts]
    vocab = {text: i for i, text in enumerate(texts)}
    model = {("model", "vocab"): vocab, ("model", "merges"): merges, ("model", "ignore_merges"): True}
    model |= WORDS if kind.get("words") else {("normalizer",): kind.get("normalizer")}
    return tiny({**model, ("added_tokens",): []})


@given(
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=9),
    wholes=st.lists(st.text("abcĠ", min_size=2, max_size=5), max_size=3),
    picks=st.lists(st.integers(0, 99), min_size=1, max_size=2),
    text=st.text("ab ", max_size=16),
    kind=st.sampled_from([{}, {"normalizer": {"type": "NFC"}}, {"words": True}]),
)
def test_if_pre_tokens_are_looked_up_no_merge_is_new_and_only_what_is_unreachable_is_taken_out(
    pairs, wholes, picks, text, kind
):
    file = ignoring_merges(pairs, wholes, **kind)
    whole = read_tokenizer(as_file(file))
    droppable = [i for i in file["model"]["vocab"].values() if i > 3]
    if not whole.paired:
        return
    dropped = [droppable[pick % len(droppable)] for pick in picks]
    left = json.loads(trimmed_files(as_file(file), dropped)["tokenizer.json"])
    assert left["model"]["vocab"].keys() == {
        token for token, i in file["model"]["vocab"].items() if i not in dropped
    }
    assert [merge for merge in left["model"]["merges"] if merge not in file["model"]["merges"]] == []
    read, in_memory = read_tokenizer(as_file(left)), whole.without(dropped)
    assert read.vocabulary == in_memory.vocabulary
    assert library(left).encode(text).ids == read.encode(text) == in_memory.encode(text)
    assert TokenizerParts.of(in_memory).tokenizer(isolated=False).ignores_merges


def test_a_whole_pre_token_stays_what_it_is_without_the_tokens_that_made_it():
    """xabcd holds no “ef”, and “efgh” is a pre-token that is a token."""
    pairs = [(0, 1), (1, 2), (4, 5)]  # ab, bc, abbc
    left = trimmed_files(as_file(ignoring_merges(pairs, ["acac"])), [4])["tokenizer.json"]
    tokens = library(json.loads(left)).encode("abbc acac cabbc").tokens
    assert tokens == ["abbc", "Ġ", "a", "c", "a", "c", "Ġ", "c", "a", "b", "bc"]


def test_ranks_are_lines_without_those_that_fell():
    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256, b"abb": 257, b" a": 258}
    file = {"gpt2-split.tiktoken": rank_lines(ranks).encode()}
    for ids, rank in (("closed", 256), ("holes", 258)):
        out = trimmed_files(file, [256], ids=ids)["gpt2-split.tiktoken"]
        read = read_tokenizer({"gpt2-split.tiktoken": out})
        left = {bytes([i]): i for i in range(256)} | {b" a": rank}
        assert out.decode() == rank_lines(left)
        theirs = tiktoken.Encoding("left", pat_str=r" ?\w+", mergeable_ranks=left, special_tokens={})
        assert read.encode("ab ab") == theirs.encode("ab ab") == [97, 98, rank, 98]


def test_a_sentencepiece_model_closes_up_as_the_library_numbers_it():
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["the then than that thatch " * 9, "then the"] * 5),
        model_writer=written,
        model_type="bpe",
        vocab_size=30,
        minloglevel=2,
        num_threads=1,
        pad_id=3,
    )
    file = {"tokenizer.model": written.getvalue()}
    whole = read_tokenizer(file)
    dropped = [whole.token_to_id(" th")]
    out = trimmed_files(file, dropped)["tokenizer.model"]
    theirs = sentencepiece.SentencePieceProcessor()
    theirs.LoadFromSerializedProto(out)
    text = "that the thatch then"
    assert theirs.encode(text) == whole.without(dropped).encode(text)
    assert theirs.decode(theirs.encode(text)) == text == whole.without(dropped).decode(theirs.encode(text))
    assert theirs.get_piece_size() == len(whole.without(dropped)) < len(whole)
    assert (theirs.unk_id(), theirs.pad_id()) == (0, 3)
    with pytest.raises(TokenizerFileError, match="it can't have holes"):
        trimmed_files(file, dropped, ids="holes")


def test_other_files_need_a_format():
    vocabulary = {"a": 0, "b": 1, "Ġ": 2, "ab": 3}
    for files in (pair(vocabulary, "#version: 0.2\na b\n"), minbpe_model("97 98")):
        assert not keeps_its_format(files)
        token = read_tokenizer(files, split="gpt2").token_to_id("ab")
        with pytest.raises(TokenizerFileError, match="Give another one: huggingface"):
            trimmed_files(files, [token], split="gpt2")
        written = trimmed_files(files, [token], split="gpt2", format="huggingface")
        assert [*written] == ["tokenizer.json"]
    assert keeps_its_format(as_file(tiny()))


def test_wordpiece_has_nothing_that_falls():
    with pytest.raises(TokenizerError, match="This tokenizer has no merges"):
        trimmed_files({"tokenizer.json": bert_like()}, [300])
