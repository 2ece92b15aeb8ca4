"""Audits of the tokenizers that people use, against their libraries and against all of Unicode."""

from random import Random

import pytest

from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.audit.audit import audit_tokenizer
from bpeviz.audit.reach import Reach
from tests.support.real_tokenizers import REAL_TOKENIZERS, RealTokenizer

pytestmark = pytest.mark.usefixtures("real_files")
EACH = pytest.mark.parametrize("real", REAL_TOKENIZERS, ids=lambda real: real.model)
#: Those whose every character is tried: of tiktoken, of tokenizers, of SentencePiece, with and without walls.
TRIED = {"GPT-2", "GPT-4o (o200k)", "Llama 3", "DeepSeek V3", "Mistral v1"}
SOME = pytest.mark.parametrize(
    "real", [each for each in REAL_TOKENIZERS if each.model in TRIED], ids=lambda real: real.model
)
SURROGATES = range(0xD800, 0xE000)
#: Characters that are encoded together, one in a line.
AT_ONCE = 20_000


def all_characters() -> list[str]:
    return [chr(number) for number in range(0x110000) if number not in SURROGATES]


@EACH
def test_the_library_has_each_token_in_the_text_that_shows_it(real: RealTokenizer) -> None:
    tokenizer = real.open()
    table = vocabulary_table(tokenizer)
    ordinary = table[(table["kind"] != "special") & ~table["unreachable"]]
    reach, library = Reach(tokenizer), real.open_library()
    shown = sorted(reach.shown(ordinary["id"].tolist()))
    assert len(shown) > 0.95 * len(ordinary)
    odd = ordinary["id"][~ordinary["valid_utf8"]].tolist()
    some = [*Random(real.model).sample(shown, 300), *(i for i in odd if i in {*shown})][:700]
    texts = [text for token_id in some if (text := reach.text_with(token_id)) is not None]
    assert len(texts) >= 0.98 * len(some)
    encoded = library.encode_all(texts)
    found = [i for i in some if reach.text_with(i) is not None]
    assert all(i in each.ids for i, each in zip(found, encoded, strict=True))


@SOME
def test_no_character_of_unicode_has_an_unreachable_token(real: RealTokenizer) -> None:
    tokenizer = real.open()
    table = vocabulary_table(tokenizer)
    unreachable = set(table["id"][table["unreachable"]])
    characters, library = all_characters(), real.open_library()
    for start in range(0, len(characters), AT_ONCE):
        (encoded,) = library.encode_all(["\n".join(characters[start : start + AT_ONCE])])
        assert unreachable.isdisjoint(encoded.ids)


@SOME
def test_what_is_not_shown_is_in_no_character_of_unicode(real: RealTokenizer) -> None:
    tokenizer = real.open()
    missing = set(audit_tokenizer(tokenizer).ids["not-shown"].tolist())
    characters = all_characters()
    for start in range(0, len(characters), AT_ONCE):
        ids = tokenizer.encode(" ".join(characters[start : start + AT_ONCE]))
        assert missing.isdisjoint(ids)
