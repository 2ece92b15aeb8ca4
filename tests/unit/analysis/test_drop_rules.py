"""Which tokens a rule drops: by hand, then what it costs on the text that it looks at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained, train_tokenizer
from bpeviz.analysis.drop_rules import DropRule, tokens_of_rule
from bpeviz.errors import TokenizerError
from bpeviz.tokenizer.trimming import Trimming
from tests.support.texts import TIGHT_TEXTS


def dropped(tokenizer: Tokenizer, rule: DropRule) -> set[bytes]:
    return {tokenizer.token_bytes(i) for i in tokens_of_rule(tokenizer, Trimming(tokenizer), rule)}


def the_cat() -> Tokenizer:
    """th, the, at, ␣c."""
    return train_tokenizer("the cat in the hat", "minbpe", num_merges=4)


def test_a_part_of_a_used_token_is_used_too():
    assert dropped(the_cat(), DropRule(never_used_in="the")) == {b"at", b" c"}
    assert dropped(the_cat(), DropRule(never_used_in="a c")) == {b"th", b"the", b"at"}


def test_longer_than_counts_bytes():
    assert dropped(the_cat(), DropRule(longer_than=2)) == {b"the"}
    assert dropped(the_cat(), DropRule(longer_than=0)) == {b"th", b"the", b"at", b" c"}


def test_a_script_is_that_of_the_first_letter():
    tokenizer = train_tokenizer("日本 日本 дом дом the the 12 12", "minbpe", num_merges=30)
    assert "日本".encode() in dropped(tokenizer, DropRule(script="Han"))
    assert all(b"\xd0" in token for token in dropped(tokenizer, DropRule(script="cyrillic")))
    assert b" the" in dropped(tokenizer, DropRule(script="Latin"))
    assert b"12" in dropped(tokenizer, DropRule(script="Common"))
    with pytest.raises(TokenizerError, match="There is no script 'Klingon'"):
        dropped(tokenizer, DropRule(script="Klingon"))


def test_a_token_meets_all_conditions():
    assert dropped(the_cat(), DropRule(never_used_in="c", longer_than=2)) == {b"the"}
    assert dropped(the_cat(), DropRule(longer_than=1, script="Greek")) == set()


def test_without_a_condition_nothing_is_dropped():
    assert dropped(the_cat(), DropRule()) == set()


def test_special_tokens_and_bytes_stay():
    gpt2 = load_pretrained("gpt2")
    left = gpt2.without(tokens_of_rule(gpt2, Trimming(gpt2), DropRule(never_used_in="")))
    assert len(left) == 257


@given(texts=TIGHT_TEXTS, used=st.text("ab é", max_size=20))
def test_what_a_text_never_needs_costs_it_nothing(texts, used):
    tokenizer = train_tokenizer(texts, "minbpe", num_merges=30)
    if not tokenizer.merges:
        return
    trimming = Trimming(tokenizer)
    fall = trimming.fall(tokens_of_rule(tokenizer, trimming, DropRule(never_used_in=used)))
    assert not fall.fallen
    left = tokenizer.trimmed(trimming, fall, "holes")
    assert left.encode(used) == tokenizer.encode(used)
