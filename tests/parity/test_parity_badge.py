"""The badge of parity without a browser: its text for each result, and that the run keeps it."""

from typing import Any

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from bpeviz.parity import Difference, Parity
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.run_training import fork_run
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.session import Session
from bpeviz.ui.watch import parity_badge
from bpeviz.ui.watch.state import WatchState
from tests.support.trained import run_of

CAT = "the cat in the hat and the cat on the mat. " * 3
BUTTON = "parity"  # its key: the label has the name of the library


def page() -> None:
    from bpeviz.ui.watch.page import watch_page

    watch_page()


def trained(text: str = CAT, **settings: Any) -> Run:
    return run_of(NamedText("cats", text), TrainingSettings(**settings), lambda share, phase: None)


def opened(run: Run) -> AppTest:
    state = Session()
    state.show(run)
    app = AppTest.from_function(page, default_timeout=120)
    app.session_state["session"] = state
    app.run()
    assert not app.exception
    return app


def button(app: AppTest, label: str) -> Any:
    (found,) = [b for b in app.button if label in (b.label, b.key)]
    return found


def checked(app: AppTest) -> AppTest:
    button(app, BUTTON).click().run()
    assert not app.exception
    return app


def badge(app: AppTest) -> str:
    """The badge of a run that is identical, or the label of the menu and what is in it."""
    badges = [m.value for m in app.markdown if m.value.startswith(":green-badge")]
    menus = [menu for menu in app.get("popover") if menu.proto.popover.label.startswith((":orange", ":gray"))]
    menus_say = [f"{menu.proto.popover.label} {menu.caption[0].value}" for menu in menus]
    (shown,) = badges + menus_say
    return shown.replace("\\", "")


def worker_gives(monkeypatch: pytest.MonkeyPatch, parity: Parity) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def check(text: str, recipe: Any, merges: Any, **settings: Any) -> Parity:
        asked.append({"text": text, "recipe": recipe.name, "merges": merges, **settings})
        for seconds in (0.0, 1.2):
            settings["on_wait"](seconds)
        return parity

    monkeypatch.setattr("bpeviz.ui.watch.parity_badge.check_parity", check)
    return asked


def test_nothing_is_checked_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = worker_gives(monkeypatch, Parity("identical", "huggingface"))
    app = opened(trained())
    assert button(app, BUTTON)
    assert asked == []


def test_the_shown_run_is_really_checked() -> None:
    run = trained()
    app = checked(opened(run))
    assert badge(app).startswith(":green-badge[")
    assert f"Identical for all {len(run.steps)} merges: tokenizers " in badge(app)
    assert app.session_state["session"].pages.of(WatchState).parities[run.number].identical


def test_the_run_is_checked_by_its_own_rules_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = worker_gives(monkeypatch, Parity("identical", "rustbpe", "rustbpe", "9.9", 12))
    run = trained(recipe="rustbpe", num_merges=12, min_frequency=1)
    app = checked(opened(run))
    assert badge(app) == ":green-badge[:material/check_circle: Identical for all 12 merges: rustbpe 9.9]"
    app.run()
    assert badge(app).startswith(":green")
    (settings,) = asked
    del settings["on_wait"]
    assert settings == {
        "text": CAT,
        "recipe": "rustbpe",
        "merges": [(step.pair, step.token_id) for step in run.steps],
        "num_merges": 12,
        "min_frequency": 1,
        "special_tokens": (),
        "split": run.split,
        "counted": run.history.corpus,
    }


def test_a_check_says_that_it_waits_for_its_turn_and_then_how_long_it_trains(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker_gives(monkeypatch, Parity("identical", "huggingface", "tokenizers", "1", 5))
    said: list[str] = []

    def caption(self: DeltaGenerator, body: str, **options: Any) -> None:
        said.append(body)

    monkeypatch.setattr(parity_badge.DeltaGenerator, "caption", caption)
    checked(opened(trained()))
    words = [body for body in said if body.startswith(("Waiting", "Training"))]
    assert words == ["Waiting for other trainings", "Training with tokenizers, 1 s so far"]


@pytest.mark.gate
def test_a_run_with_other_limits_and_special_tokens_is_identical() -> None:
    settings = {"vocab_size": 265, "num_merges": 20_000, "max_token_length": 4, "special_tokens": ("<s>",)}
    run = trained(min_frequency=1, **settings)
    assert badge(checked(opened(run))).startswith(":green-badge[:material/check_circle: Identical for all")
    assert len(run.steps) == 265 - 257


def test_another_run_has_a_badge_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    worker_gives(monkeypatch, Parity("identical", "huggingface", "tokenizers", "1", 5))
    app = checked(opened(trained()))
    first = app.session_state["session"].run.number
    app.session_state["session"].show(trained(num_merges=5))
    app.run()
    assert button(app, BUTTON)
    app.session_state["session"].turn_to(first)
    app.run()
    assert badge(app).startswith(":green")


def test_a_difference_shows_its_tokens_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    difference = Difference("tie", 2, (b"*a*", b":red[b]"), (b"`", b"$x$"), "Both pairs occur 3 times.")
    worker_gives(monkeypatch, Parity("different", "huggingface", "tokenizers", "1", 2, difference))
    app = checked(opened(trained()))
    assert badge(app).startswith(":orange[:material/difference: Differs from tokenizers 1]")
    assert (
        "Merge 3 is the first that differs: bpeviz joins *a* + :red[b], tokenizers 1 joins ` + $x$."
        in badge(app)
    )
    (raw,) = [c.value for c in app.caption if c.value.startswith("Merge 3")]
    assert r"\*a\*" in raw
    assert r"\:red\[b\]" in raw


def test_a_version_without_trainers_is_installed_but_of_no_use(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Parity("missing", "huggingface", "tokenizers", "1.0.0", reason="It needs a version below 1.")
    worker_gives(monkeypatch, missing)
    said = badge(checked(opened(trained())))
    assert "Library has no trainer" in said
    assert said.endswith("It needs a version below 1.")


@pytest.mark.parametrize("status", ["missing", "failed"])
def test_what_may_be_mended_can_be_checked_again(monkeypatch: pytest.MonkeyPatch, status: Any) -> None:
    worker_gives(
        monkeypatch, Parity(status, "huggingface", "tokenizers", reason="Install it: pip install it")
    )
    app = checked(opened(trained()))
    assert badge(app).startswith(":gray[")
    assert "pip install it" in badge(app)
    button(app, "Check again").click().run()
    assert button(app, BUTTON)


def test_a_run_with_choices_says_why_it_is_not_checked() -> None:
    run = trained()
    fork = fork_run(run, Choice(0, run.steps[1].pair), lambda share, phase: None)
    assert "No library makes the merges that you chose" in badge(checked(opened(fork)))


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"split": "cl100k"}, "tokenizers cuts the text by the pattern gpt2"),
        ({"split": "custom", "custom_pattern": r"\w+|\W+"}, "trained with the pattern custom"),
        ({"recipe": "minbpe"}, "no library on PyPI for the recipe minbpe"),
        ({"recipe": "rustbpe", "max_token_length": 3}, "rustbpe makes tokens of any length"),
    ],
)
def test_what_cannot_be_checked_says_why(settings: dict[str, Any], says: str) -> None:
    assert says in badge(checked(opened(trained(**settings))))
