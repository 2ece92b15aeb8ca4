"""Audits of the tokenizers that people use, against their libraries and against all of Unicode."""

from random import Random

import pytest

from bpeviz.analysis.vocabulary import vocabulary_table
from bpeviz.audit.audit import audit_tokenizer
from bpeviz.audit.reach import Reach
from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample
from bpeviz.tokenizer.encoding import encode_step_by_step
from tests.support.real_tokenizers import REAL_TOKENIZERS, RealTokenizer

pytestmark = pytest.mark.usefixtures("real_files")
EACH = pytest.mark.parametrize("real", REAL_TOKENIZERS, ids=lambda real: real.model)
#: Those whose every character is tried: of tiktoken, of tokenizers, of SentencePiece, with and without walls.
TRIED = {"GPT-2", "GPT-4o (o200k)", "Llama 3", "DeepSeek V3", "Mistral v1"}
SOME = pytest.mark.parametrize(
    "real", [each for each in REAL_TOKENIZERS if each.model in TRIED], ids=lambda real: real.model
)
TEXT = "".join(read_sample(title)[:3_000] for title in SAMPLES if title != STANDARD_LIBRARY.title)
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


@EACH
def test_the_figures_by_other_routes(real: RealTokenizer) -> None:
    tokenizer = real.open()
    found = audit_tokenizer(tokenizer, TEXT)
    special = set(tokenizer.special_tokens.values())
    ordinary = {i: token for i, token in tokenizer.vocabulary.items() if i not in special}
    ids = {name: set(rows.tolist()) for name, rows in found.ids.items()}
    made = {i for _, i in tokenizer.paired} - special
    assert ids["base"] == set(tokenizer.base.symbol_ids) - special
    assert ids["merged"] == made - ids["base"] - set(tokenizer.whole_token_ids)
    assert ids["cuts-a-character"] == {
        i for i, token in ordinary.items() if token.decode("utf-8", "replace").encode() != token
    }
    assert ids["overlong"] == {i for i, t in ordinary.items() if sum(b & 0xC0 != 0x80 for b in t) > 16}
    steps = [step for part in encode_step_by_step(tokenizer, TEXT) for step in part.steps]
    kept, passed = set(tokenizer.encode(TEXT)), {half for step in steps for half in step.pair}
    assert ids["on-the-way"] == (passed - kept) & ordinary.keys()
    assert ids["never-used"] == ordinary.keys() - passed - kept
    words: dict[str, set[int]] = {}
    for i in ordinary.keys() - ids["cuts-a-character"]:
        word = ordinary[i].decode().removesuffix(tokenizer.base.end_of_word or "\0").removeprefix(" ")
        if len(word.encode()) <= 100 and sum(map(str.isalpha, word)) > 1:
            words.setdefault(word.lower(), set()).add(i)
    assert ids["variants"] == {i for family in words.values() if len(family) > 1 for i in family}
