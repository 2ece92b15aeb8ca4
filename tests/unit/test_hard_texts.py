"""The texts that tokenizers are compared on hold what docs/tokenizers.md says of them."""

from tests.support.hard_texts import WHITE_SPACE, assigned_characters, hard_texts, some_hard_texts

TEXTS = hard_texts()


def test_there_are_enough_and_no_text_twice():
    assert len(TEXTS) == len(set(TEXTS)) >= 10_000
    assert max(map(len, TEXTS)) <= 3_000
    assert len(some_hard_texts()) >= 500


def test_they_are_the_same_every_time():
    hard_texts.cache_clear()
    assert hard_texts() == TEXTS


def test_every_assigned_character_is_in_them():
    assert set(assigned_characters()) <= set("".join(TEXTS))
    assert len(assigned_characters()) > 280_000


def test_every_white_space_is_in_them_in_runs_and_between_letters():
    assert set("".join(WHITE_SPACE)) >= {c for c in assigned_characters() if c.isspace()}
    for space in WHITE_SPACE:
        assert {space, space * 2, space * 8, f"a{space}b", f"a {space} b"} <= set(TEXTS)
