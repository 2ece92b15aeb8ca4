"""What the library is asked with a tokenizer.json of ours; and nothing is used that later versions lack."""

import json
import sys
from types import SimpleNamespace
from typing import Any

import pytest
import tokenizers

from bpeviz.errors import PipelineError, TokenizerFileError
from bpeviz.formats.reading import read_tokenizer
from bpeviz.text import characters
from bpeviz.text.library import encode, ids_of_added, load, normalizer_of

BERT = {
    "tokenizer.json": json.dumps(
        {
            "version": "1.0",
            "added_tokens": [],
            "normalizer": {"type": "BertNormalizer", "lowercase": True, "clean_text": True}
            | {"strip_accents": None, "handle_chinese_chars": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {
                "type": "WordPiece",
                "vocab": {"[UNK]": 0, "a": 1, "##b": 2, "!": 3},
                "unk_token": "[UNK]",
                "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100,
            },
        }
    ).encode()
}
NO_PLACES = 'which characters a token comes from. Install an older one: pip install "tokenizers<1"'


def only(monkeypatch: pytest.MonkeyPatch, *parts: str) -> None:
    """Leave of the library what loads a file, encodes and decodes. Encodings have these ``parts``."""
    from_file = tokenizers.Tokenizer.from_file

    class Tokenizer:
        def __init__(self, path: str) -> None:
            self._library = from_file(path)
            self.decode = self._library.decode

        from_file = classmethod(lambda cls, path: cls(path))

        def encode(self, text: str, add_special_tokens: bool) -> SimpleNamespace:
            encoding = self._library.encode(text, add_special_tokens=add_special_tokens)
            return SimpleNamespace(**{part: getattr(encoding, part) for part in parts})

    monkeypatch.setitem(sys.modules, "tokenizers", SimpleNamespace(Tokenizer=Tokenizer))


@pytest.mark.parametrize(
    ("step", "text", "becomes"),
    [
        (None, "ÀB ﬁ", "ÀB ﬁ"),
        ({"type": "Lowercase"}, "ÀB", "àb"),
        ({"type": "NFKC"}, "ﬁ①", "fi1"),
        ({"type": "Replace", "pattern": {"Regex": "[ab]+"}, "content": ""}, "xaby", "xy"),
        ({"type": "Prepend", "prepend": "▁"}, "a", "▁a"),
        ({"type": "Strip", "strip_left": True, "strip_right": True}, " \t", ""),
    ],
)
def test_a_text_becomes_what_a_normalizer_makes_of_it(step: Any, text: str, becomes: str) -> None:
    assert normalizer_of(step)(text) == becomes


def test_added_tokens_get_the_ids_that_the_library_gives_them() -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0, "b": 1, "?": 2}, "unk_token": "?"}
    contents = ["<s>", "b", "", "<pad>", "<s>"]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False) | {"special": True}
    added = [{"id": 9, "content": content} | flags for content in contents]
    file = {"normalizer": None, "pre_tokenizer": None, "added_tokens": added, "model": model}
    library, ids = load(file)
    assert ids == {"b": 1, "<pad>": 4, "<s>": 3} == ids_of_added(contents, model["vocab"], 3)
    for content, number in ids.items():
        assert library.encode(content, add_special_tokens=False).ids == [number]


def test_newer_characters_are_found_by_ids_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = characters._stand_ins.__wrapped__()
    assert found.any()
    only(monkeypatch, "ids")
    assert (characters._stand_ins.__wrapped__() == found).all()


def test_a_pipeline_uses_nothing_else_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "ids", "offsets", "word_ids")
    tokenizer = read_tokenizer(BERT)
    encoded = tokenizer.encode_text("Ab  ä!")
    assert encoded.ids == [1, 2, 1, 3]
    assert len(encoded.gap_ranks) == len("Ab  ä!".encode())
    assert tokenizer.decode([1, 2, 3]) == "ab!"


def test_a_version_that_says_no_places_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    library: Any = SimpleNamespace(encode=lambda text, **options: SimpleNamespace(ids=[1]))
    with pytest.raises(PipelineError, match=NO_PLACES):
        encode(library, "a")
    only(monkeypatch, "ids")
    with pytest.raises(TokenizerFileError, match=NO_PLACES):
        read_tokenizer(BERT)
