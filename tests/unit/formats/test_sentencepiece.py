"""SentencePiece's .model files: trained here, read, and damaged. tests/parity has the real files."""

import io
from contextlib import suppress
from functools import cache

import pytest
import sentencepiece
from hypothesis import example, given
from hypothesis import strategies as st

from bpeviz.core.gap_ranks import NEVER, WALL
from bpeviz.errors import BpevizError, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer

LINES = [
    "the cat in the hat sat on the mat",
    "a hat is that",
    "naïve café 東京 is a city",
    "that cat sat",
] * 4
TEXTS = ("", " ", "the cat", "  the  hat ", "中 <s> the", "café\n\tx", "ｆｕｌｌ ﬁ", "🙂 that's")


@cache
def model(kind: str, **settings: object) -> bytes:
    """A model of a kind, trained on a few lines."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LINES),
        model_writer=written,
        model_type=kind,
        vocab_size=330 if settings.get("byte_fallback") else 70,
        hard_vocab_limit=False,
        minloglevel=2,
        **settings,
    )
    return written.getvalue()


MODELS = {
    "BPE": ("bpe", {}),
    "BPE with byte fallback": ("bpe", {"byte_fallback": True}),
    "BPE on text as it is": (
        "bpe",
        {"normalization_rule_name": "identity", "add_dummy_prefix": False, "remove_extra_whitespaces": False},
    ),
    "BPE with the space at the end of a word": ("bpe", {"treat_whitespace_as_suffix": True}),
    "BPE with pieces of ones own": ("bpe", {"user_defined_symbols": ["<sep>", "that"]}),
    "BPE with folded case": ("bpe", {"normalization_rule_name": "nmt_nfkc_cf"}),
    "Unigram": ("unigram", {}),
    "Unigram with byte fallback": ("unigram", {"byte_fallback": True}),
    "words": ("word", {}),
    "characters": ("char", {}),
}


@pytest.mark.parametrize("name", MODELS)
def test_ids_and_decoding_are_those_of_the_library(name: str) -> None:
    kind, settings = MODELS[name]
    data = model(kind, **{k: tuple(v) if isinstance(v, list) else v for k, v in settings.items()})
    tokenizer = read_tokenizer({"x.model": data})
    theirs = sentencepiece.SentencePieceProcessor(model_proto=data)
    assert bool(tokenizer.merges) == (kind == "bpe")
    for text in (*TEXTS, *LINES[:3], "a<sep>that that<sep>"):
        encoded = tokenizer.encode_text(text)
        assert encoded.ids == theirs.encode(text)
        assert encoded.token_total(len(tokenizer.merges)) == len(encoded.ids)
        assert tokenizer.decode(encoded.ids) == theirs.decode(encoded.ids)


def test_the_mark_before_a_text_is_no_byte_of_it() -> None:
    tokenizer = read_tokenizer({"x.model": model("bpe")}).after(0)
    encoded = tokenizer.encode_text("hat")
    assert encoded.gap_ranks.tolist() == [NEVER, NEVER, WALL]
    assert encoded.hidden_ranks.tolist() == [NEVER]
    assert b"".join(map(tokenizer.token_bytes, encoded.ids)) == b" hat"


def test_a_file_that_is_cut_off_or_changed_ends_in_a_sentence() -> None:
    data = model("bpe")
    with pytest.raises(TokenizerFileError, match="the rest can't be read"):
        read_tokenizer({"x.model": data[: len(data) // 2 + 1]})
    with pytest.raises(TokenizerFileError):
        read_tokenizer({"x.model": data[:200] + b"\xff" * 100})


@example(cut=44, value=b"\x06")  # a piece that isn't like <0x0A> stands for a byte
@given(cut=st.integers(0, 4_000), value=st.binary(min_size=1, max_size=4))
def test_a_changed_file_is_refused_or_has_the_ids_of_the_library(cut: int, value: bytes) -> None:
    data = model("bpe")
    place = cut % len(data)
    changed = data[:place] + value + data[place + len(value) :]
    with suppress(BpevizError):
        tokenizer = read_tokenizer({"x.model": changed})
        theirs = sentencepiece.SentencePieceProcessor(model_proto=changed)
        assert tokenizer.encode("the cat") == theirs.encode("the cat")
