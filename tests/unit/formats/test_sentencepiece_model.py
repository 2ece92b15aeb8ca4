"""SentencePiece's .model files, loaded by the library itself: the same ids, line by line."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from bpeviz import Tokenizer, train_tokenizer
from bpeviz.core.base_vocabulary import CharacterVocabulary
from bpeviz.errors import TokenizerFileError
from bpeviz.formats.writing import refusal, write_tokenizer
from bpeviz.runs.samples import SAMPLES, read_sample
from bpeviz.text.split_patterns import get_split_pattern
from tests.support.texts import every_assigned_character
from tests.support.tokenizers import of_characters, trained_on_hard_texts

UNKNOWN = 0


def model_of(tokenizer: Tokenizer) -> bytes:
    return write_tokenizer(tokenizer, "sentencepiece")["tokenizer.model"]


def library(tokenizer: Tokenizer) -> SentencePieceProcessor:
    return SentencePieceProcessor(model_proto=model_of(tokenizer))


def lines(text: str) -> list[str]:
    return re.split("[\n\x00\x1f]+", text)


def test_a_tiny_model():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=2)
    model = sentencepiece_model_pb2.ModelProto.FromString(model_of(tokenizer))
    assert [(p.piece, p.score, p.type) for p in model.pieces] == [
        ("<unk>", 0, model.SentencePiece.UNKNOWN),
        ("<s>", 0, model.SentencePiece.CONTROL),
        ("</s>", 0, model.SentencePiece.CONTROL),
        ("a", 0, model.SentencePiece.NORMAL),
        ("b", 0, model.SentencePiece.NORMAL),
        ("▁", 0, model.SentencePiece.NORMAL),
        ("ab", 0, model.SentencePiece.NORMAL),
        ("▁ab", -1, model.SentencePiece.NORMAL),
    ]
    assert library(tokenizer).encode("ab ab  b") == tokenizer.encode("ab ab  b") == [6, 7, 5, 5, 4]


def test_special_tokens_keep_their_ids_and_are_plain_text():
    tokenizer = train_tokenizer(
        "<s> a </s> <unk>",
        "sentencepiece",
        num_merges=0,
        special_tokens=["<pad>", "</s>", "<unk>", "<s>", "é!"],
    )
    theirs = library(tokenizer)
    assert (theirs.pad_id(), theirs.eos_id(), theirs.unk_id(), theirs.bos_id()) == (0, 1, 2, 3)
    assert [theirs.id_to_piece(i) for i in range(5)] == ["<pad>", "</s>", "<unk>", "<s>", "é!"]
    assert theirs.is_control(4)
    assert theirs.encode("a<s> </s>") == tokenizer.encode("a<s> </s>")
    without = library(train_tokenizer("a", "sentencepiece", special_tokens=["<unk>"]))
    assert (without.pad_id(), without.eos_id(), without.unk_id(), without.bos_id()) == (-1, -1, 0, -1)


def test_samples_of_all_scripts():
    text = "\n".join(read_sample(title, 20_000) for title in SAMPLES)
    tokenizer = train_tokenizer(text, "sentencepiece", num_merges=1_500)
    theirs = library(tokenizer)
    other = read_sample("Many languages")[::-1].replace("a", " ▁ ").replace(" ", "\t \r\n▅▁")
    known = "".join(filter({*text, "▁"}.__contains__, other))
    for line in [*lines(text), *lines(known)]:
        ids = tokenizer.encode(line)
        assert theirs.encode(line) == ids
        assert theirs.decode(ids) == tokenizer.decode(ids)


@pytest.mark.full  # takes long
def test_every_assigned_character():
    characters = every_assigned_character()
    text = f"{characters} {characters[::2]}"
    tokenizer = train_tokenizer(text, "sentencepiece", num_merges=20)
    theirs = library(tokenizer)
    for line in lines(text):
        assert theirs.encode(line) == tokenizer.encode(line)


@given(made=trained_on_hard_texts("sentencepiece"))
def test_any_trained_tokenizer_gives_the_ids_of_the_library_or_is_refused(made):
    tokenizer, texts = made
    if why := refusal(tokenizer, "sentencepiece"):
        assert "special token" in why
        return
    theirs = library(tokenizer)
    assert theirs.vocab_size() == len(tokenizer)
    for text in texts:
        ids = tokenizer.encode(text)
        assert [i for line in lines(text) for i in theirs.encode(line)] == ids
        assert [i for i in theirs.encode(text) if i != theirs.unk_id()] == ids


def test_line_ends_inside_a_text_are_unknown_to_the_library():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=2)
    text = "ab\n\x00ab\x1f ab\n"
    assert tokenizer.encode(text) == [6, 6, 7]
    assert library(tokenizer).encode(text) == [6, UNKNOWN, 6, UNKNOWN, 7, UNKNOWN]


def test_characters_not_learned_are_unknown_to_the_library():
    tokenizer = train_tokenizer("ab ab", "sentencepiece", num_merges=2)
    assert library(tokenizer).encode("abxyab") == tokenizer.encode("abxyab") == [6, UNKNOWN, 6]


def test_a_tokenizer_cut_short():
    tokenizer = train_tokenizer(read_sample("Many languages"), "sentencepiece", num_merges=50)
    text = "ab, the and of"
    for merges in (0, 1, 20):
        assert library(tokenizer.after(merges)).encode(text) == tokenizer.after(merges).encode(text)
    nothing = train_tokenizer("", "sentencepiece")
    assert library(nothing).encode("") == nothing.encode("") == []


def spelled(**changes: object) -> Tokenizer:
    base = CharacterVocabulary({"a": 1}, **{"space": "▁", "whitespace": "drop-separators"} | changes)
    return Tokenizer(base, [], split=get_split_pattern("sentencepiece"), special_tokens={"<unk>": 0})


REFUSED: dict[str, tuple[Callable[[], Tokenizer], str]] = {
    "bytes": (lambda: train_tokenizer("ab", "minbpe"), "it is made of bytes, and the file holds characters"),
    "ends of words": (lambda: train_tokenizer("ab", "subword-nmt"), "does not write spaces as ▁"),
    "another sign for a space": (lambda: spelled(space="Ġ"), "does not write spaces as ▁"),
    "line ends that are tokens": (lambda: spelled(whitespace="keep"), "does not write spaces as ▁"),
    "another split pattern": (
        lambda: of_characters(split="gpt2"),
        "its split pattern is gpt2, and SentencePiece splits before spaces only",
    ),
    "no unknown token": (lambda: of_characters(special_tokens=()), "it has no special token <unk>"),
    "U+0000 in a special token": (
        lambda: of_characters(special_tokens=("<unk>", "<\0>")),
        r"its special token '<\x00>' holds U+0000",
    ),
    "a special token that was learned": (
        lambda: train_tokenizer("<s><s>", "sentencepiece"),
        "its special token '<s>' has the text or the id of another token",
    ),
    "two tokens of one text": (
        lambda: of_characters("a", ((1, 1, 2), (2, 1, 3), (1, 2, 4))),
        "two of its tokens have the text 'aaa'",
    ),
    "two merges for one token": (
        lambda: of_characters("ab", ((1, 2, 3), (3, 2, 4), (2, 2, 5), (1, 5, 4))),
        "two of its merges make the same token",
    ),
    "a gap between ids": (lambda: of_characters("ab", ((1, 2, 9),)), "its ids have gaps"),
    # "ab" is merged first, so "bc" and then "abc" never come of "abc"
    "a token that is never made": (
        lambda: of_characters("abc", ((1, 2, 4), (2, 3, 5), (1, 5, 6))),
        "its merges never make one of its tokens",
    ),
    "a token across a space": (lambda: of_characters("ab▁", ((1, 3, 4),)), "its merges never make one"),
    "a token across a line end": (lambda: of_characters("a\n", ((1, 2, 3),)), "its merges never make one"),
    "a line end": (lambda: of_characters("a\n"), "its merges never make one"),
}


@pytest.mark.parametrize(("make", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_the_file_cannot_hold_is_refused(make, why):
    with pytest.raises(TokenizerFileError, match="cannot hold this tokenizer") as caught:
        write_tokenizer(make(), "sentencepiece")
    assert why in caught.value.why
    assert caught.value.why.isprintable()


def test_the_library_makes_a_token_that_our_merges_never_make():
    """So the refusal of such tokenizers is true."""
    merges = ((1, 2, 4), (2, 3, 5), (1, 5, 6))
    tokenizer = of_characters("abc", merges)
    model = sentencepiece_model_pb2.ModelProto.FromString(model_of(of_characters("abc", merges[:2])))
    model.pieces.add(piece="abc", score=-2)
    assert tokenizer.encode("abc") == [4, 3]
    assert SentencePieceProcessor(model_proto=model.SerializeToString()).encode("abc") == [6]
