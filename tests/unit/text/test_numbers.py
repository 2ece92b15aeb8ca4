import pytest

from bpeviz.text.numbers import how_often


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 times"), (1, "once"), (2, "2 times"), (1234, "1,234 times")]
)
def test_a_count_is_said_as_in_a_sentence(count: int, said: str) -> None:
    assert how_often(count) == said
