"""The session's runs: which is shown, which beside it, what is kept."""

import pytest

from bpeviz.limits import limits
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch import reports
from bpeviz.ui.watch.state import WatchFields, WatchState
from tests.support.trained import run_of

CAT = NamedText("cat", "the cat in the hat and the cat on the mat. " * 3)
DOG = NamedText("dog", "a dog and a log and a fog. " * 3)


def trained(text: NamedText = CAT, like: Run | None = None, **settings: object) -> Run:
    return run_of(text, TrainingSettings(**settings), lambda *_: None, like=like)  # type: ignore[arg-type]


def forked(parent: Run, rank: int = 2) -> Run:
    pair = parent.history.pair_counts(rank).iloc[1]
    return fork_run(parent, Choice(rank, (int(pair["left"]), int(pair["right"]))), lambda *_: None)


def with_fork() -> tuple[Session, Run, Run]:
    state, parent = Session(), trained()
    state.show(parent)
    state.step = 2
    fork = forked(parent)
    state.show_fork(parent.number, fork)
    return state, parent, fork


def test_a_fork_is_shown_at_its_step_with_its_parent_beside_it() -> None:
    state, parent, fork = with_fork()
    assert state.run is fork
    assert state.run_beside is parent
    assert (state.step, state.start) == (2, 2)


def test_two_runs_are_compared_once() -> None:
    _, parent, fork = with_fork()
    watch = WatchState()
    compared = watch.compared(fork, parent)
    assert (compared.run, compared.other) == (fork, parent)
    assert watch.compared(fork, parent) is compared
    assert watch.compared(parent, fork) is not compared


def test_runs_change_places() -> None:
    state, parent, fork = with_fork()
    state.step = 7
    state.turn_to(parent.number)
    assert (state.run, state.run_beside) == (parent, fork)
    assert (state.step, state.start) == (7, 7)


def test_another_text_starts_at_its_beginning_with_nothing_beside_it() -> None:
    state, _, fork = with_fork()
    dog = trained(DOG)
    state.show(dog)
    assert (state.shown, state.run_beside, state.step) == (dog.number, None, 0)
    assert state.comparable() == []
    state.turn_to(fork.number)
    assert [r.number for r in state.comparable()] == [state.runs[0].number]


def test_no_two_runs_have_the_same_name() -> None:
    state, parent, fork = with_fork()
    state.show(trained(DOG))
    assert [r.name for r in state.runs] == ["cat", fork.name, "dog"]
    state.rename(fork.number, "cat")
    assert [r.name for r in state.runs] == ["cat", "cat · 2", "dog"]
    state.drop(parent.number)
    state.show(trained(DOG, num_merges=2))
    assert [r.name for r in state.runs] == ["cat · 2", "dog", "dog · 2"]


def test_a_run_can_be_named_and_an_empty_name_is_none() -> None:
    state, parent, _ = with_fork()
    state.rename(parent.number, "  the first ")
    state.rename(parent.number, "   ")
    assert state.runs[0].name == "the first"
    assert state.run_beside is not None
    assert state.run_beside.name == "the first"


def test_dropping_the_shown_run_brings_back_the_one_beside_it() -> None:
    state, parent, fork = with_fork()
    state.drop(fork.number)
    assert (state.run, state.run_beside, state.runs) == (parent, None, [parent])
    state.drop(parent.number)
    assert state.runs == [parent]  # the last one stays


def test_dropping_the_run_beside_leaves_the_shown_one() -> None:
    state, parent, fork = with_fork()
    state.drop(parent.number)
    assert (state.run, state.run_beside, state.runs) == (fork, None, [fork])


def test_the_oldest_run_goes_when_there_are_too_many_but_not_one_on_the_page() -> None:
    state, parent, fork = with_fork()
    for _ in range(limits().kept_runs):
        fork = forked(fork, 3)
        state.turn_to(parent.number)
        state.show_fork(parent.number, fork)
    assert len(state.runs) == limits().kept_runs
    assert parent in state.runs
    assert state.shown == fork.number


def test_a_picked_pair_stays_where_its_tokens_are_the_same_and_goes_where_not() -> None:
    _, parent, fork = with_fork()
    base, made = parent.steps[0].pair, (parent.steps[2].token_id, parent.steps[0].pair[0])
    watch = WatchState()
    for pair, then in ((base, base), (made, None)):
        watch.follow(parent)
        watch.pick(pair)
        watch.follow(parent)
        watch.follow(fork)
        assert watch.pair == then


def test_a_saved_pair_that_the_shown_run_does_not_have_is_not_picked() -> None:
    run = trained()
    for pair, then in ((run.steps[0].pair, run.steps[0].pair), ((0, 10**6), None)):
        watch = WatchState(WatchFields(pair=pair))
        watch.follow(run)
        assert watch.pair == then


def test_another_run_forgets_the_chosen_fork() -> None:
    _, parent, fork = with_fork()
    choice = Choice(1, parent.steps[1].pair)
    watch = WatchState(fork=choice)
    watch.follow(parent)
    assert watch.fork == choice
    watch.follow(fork)
    assert watch.fork is None


@pytest.mark.parametrize(("saved", "panel"), [("", "Pairs"), ("Race", "Race"), ("Minimap", "Pairs")])
def test_the_saved_panel_opens_if_it_is_there(saved: str, panel: str) -> None:
    assert WatchState(WatchFields(panel=saved)).panel == panel


def test_a_moment_is_kept_while_the_player_rests_there() -> None:
    state, _, fork = with_fork()
    state.step = 2
    at_step = state.run_at_step()
    assert state.run_at_step() is at_step
    assert (at_step.run, at_step.step) == (fork, 2)
    state.step = 3
    assert (state.run_at_step().run, state.run_at_step().step) == (fork, 3)
    with pytest.raises(LookupError):
        Session().run_at_step()


def test_more_merges_of_a_fork_make_its_choices_again_and_other_rules_do_not() -> None:
    _, _, fork = with_fork()
    longer = trained(like=fork, num_merges=900)
    assert longer.choices == fork.choices
    assert longer.steps[: len(fork.steps)] == fork.steps
    assert longer.name == fork.name
    other = trained(like=fork, recipe="minbpe")
    assert other.choices == ()
    assert (other.name, other.about) == ("cat", "cat, minbpe")
    assert trained(DOG, like=fork).choices == ()


def test_a_fork_is_named_after_what_was_chosen() -> None:
    parent = trained()
    pair = parent.steps[1].pair
    label = parent.pair_label(pair)
    assert fork_run(parent, Choice(0, pair), lambda *_: None).about == f"{label} at merge 1"
    assert (
        fork_run(parent, Choice(1, pair, "veto"), lambda *_: None).about == f"without {label} from merge 2 on"
    )


@pytest.mark.parametrize(
    ("painted", "at", "reported", "reruns"),
    [
        pytest.param(True, 0, 1, True, id="a step of the person"),
        pytest.param(False, 0, 0, False, id="a long text is painted"),
        pytest.param(False, 0, 1, False, id="a long text is painted, and the person was quick"),
        pytest.param(True, 3, 3, False, id="a long text is painted once more"),
    ],
)
def test_only_a_step_of_the_person_reruns_parts_alone(
    monkeypatch: pytest.MonkeyPatch, *, painted: bool, at: int, reported: int, reruns: bool
) -> None:
    state = Session(step=at, shown=2)
    state.pages.of(WatchState).painted = painted
    reran: list[str] = []
    monkeypatch.setattr(reports, "session", lambda: state)
    monkeypatch.setattr(reports, "_run", lambda: reran.append("beside"))
    reports.note_step(2, reported)
    assert bool(reran) == reruns
    assert (state.step, state.pages.of(WatchState).painted) == (reported, True)


def test_a_late_report_about_another_run_is_not_a_step_of_the_new_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A run that the person began while the last one played may have fewer merges."""
    state = Session(shown=2)
    monkeypatch.setattr(reports, "session", lambda: state)
    reports.note_step(1, 39)
    assert state.step == 0
