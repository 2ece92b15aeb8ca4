import pytest

from bpeviz.runs.samples import SAMPLES, STANDARD_LIBRARY, read_sample


def test_there_are_samples_in_at_least_nine_kinds_of_text() -> None:
    assert len(SAMPLES) >= 10
    assert STANDARD_LIBRARY.title in SAMPLES


@pytest.mark.parametrize("title", [t for t in SAMPLES if t != STANDARD_LIBRARY.title])
def test_a_sample_is_2_to_20_kilobytes_of_text(title: str) -> None:
    assert 2_000 <= len(read_sample(title).encode("utf-8")) <= 20_000


@pytest.mark.parametrize("size", [1_000_000, 4_000_000])
def test_the_standard_library_is_cut_to_the_size_asked_for(size: int) -> None:
    text = read_sample(STANDARD_LIBRARY.title, size)
    assert size - 2_000 < len(text.encode("utf-8")) <= size
    assert "def " in text
