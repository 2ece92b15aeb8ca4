"""The pairs to guess from, and why each is or isn't the next merge."""

import pytest

from bpeviz.core.token_chain import Pair
from bpeviz.lessons.guessing import candidates
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from tests.support.trained import run_of


def run(text: str, recipe: str = "minbpe-basic", split: str = "none", merges: int = 3) -> Run:
    return run_of(
        NamedText("text", text), TrainingSettings(recipe, split, num_merges=merges, min_frequency=1)
    )


def test_the_most_frequent_pair_is_right_and_the_others_say_how_far_they_are() -> None:
    found = candidates(run("aaabdaaabac"), 0, 3)
    assert [(c.label, c.right, c.ties) for c in found] == [
        ("a + a", True, False),
        ("a + b", False, False),
        ("b + d", False, False),
    ]
    assert [c.why for c in found] == [
        "a + a occurs 4 times, more often than any other pair.",
        "a + b occurs 2 times, 2 fewer than the most frequent pair.",
        "b + d occurs once, 3 fewer than the most frequent pair.",
    ]


@pytest.mark.parametrize(
    ("recipe", "right", "loser"),
    [
        ("minbpe-basic", "it was seen first in the text.", "but it comes later in the text."),
        ("rustbpe", "its ids are smallest (97 and 98).", "but its ids are larger (256 and 97)."),
        ("subword-nmt", "it comes last in the alphabet.", "but it comes earlier in the alphabet."),
    ],
)
def test_a_tie_is_explained_by_the_rule_of_the_recipe(recipe: str, right: str, loser: str) -> None:
    split = "spaces" if recipe == "subword-nmt" else "none"
    found = candidates(run("aaabdaaabac", recipe, split), 1, 4)
    (winner,) = [c for c in found if c.right]
    assert winner.why.endswith(f"This trainer takes it because {right}")
    ties = [c for c in found if c.ties]
    assert ties
    assert all(c.why.endswith(loser) for c in ties)


def test_labels_are_in_alphabetical_order_so_that_the_place_gives_nothing_away() -> None:
    found = candidates(run("the cat in the hat and the cat", merges=8), 2, 5)
    assert [c.label for c in found] == sorted(c.label for c in found)
    assert sum(c.right for c in found) == 1


def test_a_merge_chosen_by_hand_is_the_right_one() -> None:
    parent = run("aaabdaaabac")
    pair: Pair = (ord("b"), ord("d"))
    fork = fork_run(parent, Choice(0, pair), lambda share, phase: None)
    found = {c.label: c for c in candidates(fork, 0, 2)}
    assert found["b + d"].right
    assert found["b + d"].why == "b + d occurs once. It was chosen by hand, not by the recipe."
    assert found["a + a"].why == "a + a occurs 4 times, but the next merge is chosen by hand."


def test_a_vetoed_pair_is_no_candidate_and_says_why_if_somebody_picks_it() -> None:
    parent = run("aaabdaaabac")
    (best,) = [c.pair for c in candidates(parent, 0, 1)]
    fork = fork_run(parent, Choice(0, best, "veto"), lambda share, phase: None)
    assert "a + a" not in [c.label for c in candidates(fork, 0, 3)]
    assert len(candidates(fork, 0, 3)) == 3
    found = {c.label: c for c in candidates(fork, 0, 3, also=best)}
    assert found["a + a"].why == "a + a occurs 4 times, but a person vetoed it."
    assert not found["a + a"].right
    assert found["a + b"].why == "a + b occurs 2 times, more often than any other pair that isn't vetoed."
    assert found["b + d"].why == "b + d occurs once, 1 fewer than the most frequent pair that isn't vetoed."


def test_a_pair_outside_the_candidates_is_one_of_them_if_somebody_picks_it() -> None:
    pair: Pair = (ord("a"), ord("c"))
    found = candidates(run("aaabdaaabac"), 0, 2, also=pair)
    assert [c.label for c in found] == ["a + a", "a + b", "a + c"]
    assert candidates(run("aaabdaaabac"), 0, 2, also=(ord("a"), ord("a"))) == candidates(
        run("aaabdaaabac"), 0, 2
    )
