"""Added tokens that aren't special: found in every text as the library finds them, and never merged by a
training that begins with their file."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import sentencepiece
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Corpus, Trainer
from bpeviz.analysis.tokenizer_metrics import tokenizer_metrics
from bpeviz.errors import TrainingSettingsError
from bpeviz.formats.continued_files import continued_files
from bpeviz.formats.reading import read_tokenizer
from bpeviz.formats.writing import write_tokenizer
from bpeviz.training.special_text import special_text
from tests.support.tokenizer_files import NOT_STRIPPED, as_file

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
ALPHABET = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
VOCABULARY = {token: i for i, token in enumerate([*ALPHABET, "ab", "Ġa"])}
LOWERCASE = {"type": "Lowercase"}


def added(content: str, *, special: bool = False, normalized: bool = False, **flags: bool) -> dict[str, Any]:
    return {
        "id": 0,
        "content": content,
        **NOT_STRIPPED,
        **flags,
        "normalized": normalized,
        "special": special,
    }


def byte_level(tokens: Sequence[Mapping[str, Any]], normalizer: object = None) -> dict[str, Any]:
    model = {"type": "BPE", "vocab": VOCABULARY, "merges": [["a", "b"], ["Ġ", "a"]]}
    numbered = [{**token, "id": len(VOCABULARY) + i} for i, token in enumerate(tokens)]
    parts = {"normalizer": normalizer, "pre_tokenizer": BYTE_LEVEL, "decoder": BYTE_LEVEL}
    return {"version": "1.0", "added_tokens": numbered, "model": model, **parts}


def library(values: object, *, special: bool = False) -> tokenizers.Tokenizer:
    read = tokenizers.Tokenizer.from_str(json.dumps(values))
    read.encode_special_tokens = not special
    return read


CONTENTS = st.text("ab< ", min_size=1, max_size=4)
FLAGS = st.dictionaries(st.sampled_from(["special", "normalized"]), st.booleans())
TOKENS = st.lists(st.builds(lambda content, flags: added(content, **flags), CONTENTS, FLAGS), max_size=6)


@given(tokens=TOKENS, text=st.text("abA< \n", max_size=30), normalizer=st.sampled_from([None, LOWERCASE]))
def test_they_are_found_as_the_library_finds_them(tokens, text, normalizer):
    values = byte_level({token["content"]: token for token in tokens}.values(), normalizer)
    tokenizer = read_tokenizer(as_file(values))
    for allowed in ((), "all"):
        expected = library(values, special=allowed == "all").encode(text).ids
        ids, gap_ranks = tokenizer.encode_with_gap_ranks(text, allowed_special=allowed)
        assert tokenizer.encode(text, allowed_special=allowed) == ids == expected
        assert len(gap_ranks) == len(text)
    whole = write_tokenizer(tokenizer, "huggingface") if normalizer is None else as_file(values)
    assert read_tokenizer(whole).found_always == tokenizer.found_always


def test_nothing_is_found_inside_a_special_token_that_is_read_as_text():
    values = byte_level([added("<|a|>", special=True), added("<|"), added("a", normalized=True)])
    tokenizer = read_tokenizer(as_file(values))
    one, a = (tokenizer.special_tokens[token] for token in ("<|", "a"))
    assert [i for i in tokenizer.encode("<|a|><|") if i in (one, a)] == [a, one]


RUNS = [added(" " * size) for size in (8, 4, 2)]


@pytest.mark.parametrize(
    ("tokens", "normalizer", "text"),
    [
        pytest.param(RUNS, None, "        a\n    aab aab aab", id="runs of spaces, as in GPT-NeoX"),
        pytest.param([added("covid", normalized=True)], None, "covid anticovid covids " * 3, id="add_tokens"),
        pytest.param(
            [added("Covid", normalized=True)], LOWERCASE, "Covid covids COVID " * 3, id="normalized"
        ),
        pytest.param(
            [added("xy", lstrip=True)], None, "aa  xy aa xy aaxy " * 3, id="spaces before it are dropped"
        ),
        pytest.param([added("aa", single_word=True)], None, "aa baab aa " * 3, id="only as a word"),
        pytest.param([added("<a>", special=True)], None, "<a>b" * 3, id="special"),
    ],
)
def test_a_training_that_begins_with_them_learns_what_the_library_makes(tokens, normalizer, text):
    values = byte_level(tokens, normalizer)
    tokenizer = read_tokenizer(as_file(values))
    trainer = Trainer(Corpus.from_text(text), start=tokenizer, num_merges=4)
    new = [(step.pair, step.token_id) for step in trainer.steps() if step.token_id >= tokenizer.n_vocab]
    file = continued_files(as_file(values), new)["tokenizer.json"]
    ids = library(json.loads(file)).encode(text).ids
    assert trainer.tokenizer().encode(text) == ids
    assert trainer.history().token_totals[-1] == len(ids)


SENTENCES = ["the cat in the hat", "a cat and a hat"] * 3


@pytest.mark.parametrize(
    ("symbols", "size", "text"),
    [
        ("<br>", 40, "the<br>cat<br>in<br>the<br>hat"),
        ("", 40, "the☃cat☃in☃the☃hat ☃☃"),  # <unk>
        ("<br>,▁▁", 300, "the<br>☃cat<br>☃in  the  hat<br>☃"),  # bytes of ☃
    ],
)
def test_user_defined_pieces_and_unk_are_never_merged(symbols: str, size: int, text: str):
    written = io.BytesIO()
    settings = {"user_defined_symbols": symbols, "byte_fallback": size > 256, "vocab_size": size}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=written,
        model_type="bpe",
        hard_vocab_limit=False,
        remove_extra_whitespaces=False,
        minloglevel=2,
        **settings,
    )
    files = {"tokenizer.model": written.getvalue()}
    trainer = Trainer(Corpus.from_text(text), start=read_tokenizer(files), num_merges=6, min_frequency=1)
    for _ in trainer.steps():
        pass
    new = [(step.pair, step.token_id) for step in trainer.result().new_steps]
    file = continued_files(files, new)["tokenizer.model"]
    ids = sentencepiece.SentencePieceProcessor(model_proto=file).encode(text)
    assert trainer.tokenizer().encode(text) == ids
    assert trainer.token_total == len(ids)


def test_pieces_of_a_special_token_that_stands_as_text_are_named():
    start = read_tokenizer(as_file(byte_level([added("<|im|>", special=True), added("<|x|>")])))

    def said(text: str) -> str:
        trainer = Trainer(Corpus.from_text(text), start=start, num_merges=4, min_frequency=1)
        return special_text((list(trainer.steps()), trainer.result())[1])

    assert said("<|im|> " * 9) == (
        "The text seems to hold the special token '<|im|>' as text: new merges made '<|' and '|>' of it. "
        "Take it out of the text if it isn't meant as text."
    )
    assert said("im im <|x|>" * 9) == said("<| im" * 9) == ""


def test_counts_that_may_hide_one_are_refused():
    tokenizer = read_tokenizer(as_file(byte_level([added("covid")])))
    for counts in ({"anticovid": 2}, {"co": 1, "vid": 1}):
        with pytest.raises(TrainingSettingsError, match="finds 'covid' in every text"):
            Trainer(Corpus.from_counts(counts), start=tokenizer, num_merges=1)
    Trainer(Corpus.from_counts({"covid": 2, " ab": 1}), start=tokenizer, num_merges=1)


def test_a_word_that_is_one_is_one_token_for_the_metrics():
    tokenizer = read_tokenizer(as_file(byte_level([added("covid"), added("  ")])))
    metrics = tokenizer_metrics(["covid  ab covids"], tokenizer)
    assert (metrics.word_total, metrics.whole_words) == (3, 2)


PAIR = {
    "vocab.json": json.dumps(VOCABULARY).encode(),
    "merges.txt": "#version: 0.2\na b\nĠ a\n".encode(),
}


@pytest.mark.parametrize(
    ("beside", "always"),
    [
        ({"added_tokens_decoder": {"258": {"content": "    ", "special": False}}}, True),
        ({"added_tokens_decoder": {"258": {"content": "    "}}}, True),
        ({"added_tokens_decoder": {"258": {"content": "    ", "special": True}}}, False),
        ({"added_tokens_decoder": {"258": {"content": "    "}}, "pad_token": "    "}, False),
        ({"pad_token": {"content": "    "}}, False),
    ],
)
def test_in_a_pair_the_config_says_which_are_special(beside: dict[str, object], always: bool):
    config = json.dumps({"tokenizer_class": "GPT2Tokenizer", **beside}).encode()
    tokenizer = read_tokenizer({**PAIR, "tokenizer_config.json": config})
    assert (258 in tokenizer.encode("    ab")) == always


def test_added_tokens_json_lists_tokens_that_are_not_special():
    files = {**PAIR, "added_tokens.json": b'{"<x>": 258, "<pad>": 259}'}
    special = json.dumps({"pad_token": "<pad>"}).encode()
    tokenizer = read_tokenizer({**files, "special_tokens_map.json": special}, split="gpt2")
    assert tokenizer.found_always == {"<x>"}
    assert tokenizer.encode("<x>a")[0] == 258
