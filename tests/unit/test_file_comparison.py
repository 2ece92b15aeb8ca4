"""The comparison of tokenizers with the real libraries: that it sees differences and shrinks them."""

from dataclasses import dataclass, replace

import pytest

from bpeviz import train_tokenizer
from bpeviz.errors import TokenizerFileError
from tests.support.file_comparison import compare_file, differences
from tests.support.real_libraries import Encoded
from tests.support.real_tokenizers import REAL_TOKENIZERS

GPT2 = REAL_TOKENIZERS[0]
LIBRARY = GPT2.open_library()
TEXTS = ["", "a", "It's 12345 cats.", "日本 \n\n x", "a<|endoftext|>b <|endoftext|>", "é" * 30]


@dataclass(frozen=True)
class Changed:
    """GPT-2 in tiktoken with a mistake in texts that hold an ``x``."""

    ids: int = 0
    ends: int = 0
    decoded: str = ""

    def encode_all(self, texts):
        return [
            Encoded([i + self.ids for i in e.ids], [(a + self.ends, b + self.ends) for a, b in e.ends])
            if "x" in text
            else e
            for text, e in zip(texts, LIBRARY.encode_all(texts), strict=True)
        ]

    def decode(self, ids):
        text = LIBRARY.decode(ids)
        return text + self.decoded if "x" in text else text


def test_a_tokenizer_of_the_librarys_ids_is_identical():
    comparison = compare_file(GPT2, TEXTS)
    assert (comparison.result, comparison.texts, comparison.differences) == ("identical", len(TEXTS), 0)


@pytest.mark.parametrize(
    ("library", "kind"),
    [(Changed(ids=1), "ids"), (Changed(ends=1), "boundaries"), (Changed(decoded="!"), "decoding")],
)
def test_a_difference_of_each_kind_is_found_and_shrunk(library, kind):
    real = replace(GPT2, open_library=lambda: library, open_without_special=None)
    comparison = compare_file(real, [*TEXTS, "The fox of Texas", "six"])
    assert comparison.differences == 4
    assert [(each.kind, each.text) for each in comparison.smallest] == [(kind, "x")]
    assert comparison.result.startswith(f"{kind} of 'x': ")


def test_special_tokens_as_plain_text_are_compared_with_a_library_that_takes_them_so():
    real = replace(GPT2, open_without_special=lambda: LIBRARY)
    comparison = compare_file(real, TEXTS)
    assert [(each.kind, each.text) for each in comparison.smallest] == [("plain ids", "<|endoftext|>")]


def test_an_error_is_a_difference():
    tokenizer = train_tokenizer("aaaa", "course")
    (found,) = differences(tokenizer, Changed(), ["z"])
    assert found.kind == "ids"
    assert str(found.ours).startswith("TokenizerError: ")


def test_a_file_that_does_not_open_is_refused_with_the_reason():
    def refuse():
        raise TokenizerFileError("a.json", "it is damaged.")

    comparison = compare_file(replace(GPT2, open=refuse), TEXTS)
    assert (comparison.result, comparison.texts) == ("refused: a.json: it is damaged.", 0)
