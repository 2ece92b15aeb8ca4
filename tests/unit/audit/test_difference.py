"""What differs between two vocabularies."""

from hypothesis import given
from hypothesis import strategies as st

from bpeviz import Tokenizer, load_pretrained
from bpeviz.audit.difference import vocabulary_difference
from bpeviz.core.base_vocabulary import ListedVocabulary
from bpeviz.text.split_patterns import SPLIT_PATTERNS

VOCABULARIES = st.dictionaries(
    st.integers(0, 30), st.sampled_from([b"a", b"b", b"ab", b"ba", b"c"]), min_size=1, max_size=8
)


def of_symbols(tokens: dict[int, bytes], **special: int) -> Tokenizer:
    return Tokenizer(ListedVocabulary(tokens), [], split=SPLIT_PATTERNS["none"], special_tokens=special)


def test_a_worked_example() -> None:
    before = of_symbols({0: b"a", 1: b"b", 2: b"ab"}, S=3)
    after = of_symbols({0: b"a", 1: b"b", 2: b"ba", 3: b"ab"}, S=4)
    found = vocabulary_difference(before, after)
    assert found.moved.tolist() == [[2, 3], [3, 4]]
    assert (found.added.tolist(), found.removed.tolist(), found.common) == ([2], [], 4)
    assert found.shares == (1.0, 0.8)


def test_a_special_token_is_not_the_ordinary_token_of_the_same_text() -> None:
    found = vocabulary_difference(of_symbols({0: b"S"}), of_symbols({1: b"x"}, S=0))
    assert (found.moved.tolist(), found.added.tolist(), found.removed.tolist()) == ([], [0, 1], [0])


@given(before=VOCABULARIES, after=VOCABULARIES)
def test_each_token_is_common_added_or_removed_once(
    before: dict[int, bytes], after: dict[int, bytes]
) -> None:
    found = vocabulary_difference(of_symbols(before), of_symbols(after))
    assert found.common + len(found.removed) == len(before)
    assert found.common + len(found.added) == len(after)
    for old, new in found.moved.tolist():
        assert before[old] == after[new]
        assert old != new
    in_both = {token for token in before.values() if token in after.values()}
    assert found.common >= len(in_both)
    for token in in_both:
        kept = [i for i, each in before.items() if each == token and i not in found.removed]
        assert len(kept) == min([*before.values()].count(token), [*after.values()].count(token))


def test_dropped_tokens_are_removed_and_the_others_move() -> None:
    gpt2 = load_pretrained("gpt2")
    found = vocabulary_difference(gpt2, gpt2.without([" the"]))
    assert len(found.removed) == 50
    assert all(new < old for old, new in found.moved.tolist())
    assert not len(vocabulary_difference(gpt2, gpt2.without([" the"], ids="holes")).moved)
