"""The page Learn without a browser: lessons by address, guesses, stops, the challenge."""

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from bpeviz.lessons.lesson import GROUPS
from bpeviz.lessons.reading import lesson_files, lesson_named
from bpeviz.runs.run import NamedText, Run
from bpeviz.runs.samples import FIRST_STEP, read_sample
from bpeviz.training.choice import Choice
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.kit.tour import tour_button
from bpeviz.ui.learn.captions import as_markdown
from bpeviz.ui.learn.card import GAVE_UP, Card, Pressed, read_pressed
from bpeviz.ui.learn.challenge_view import asked_steps
from bpeviz.ui.learn.state import TOUR, LessonsDone
from bpeviz.ui.session.describe import describe
from bpeviz.ui.session.pages import Pages
from bpeviz.ui.session.saving_state import Digests
from bpeviz.ui.session.session import Session
from tests.support.app_test import CAT, drawn, given, menus, opened, pasted, press, shown_run, state_of
from tests.support.lesson_table import said as words
from tests.support.paths import APP
from tests.support.trained import run_of


def on_learn_page(state: Session | None = None, **parameters: str) -> AppTest:
    app = AppTest.from_function(_page, default_timeout=120)
    app.session_state["session"] = state or Session()
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def _page():  # without types: AppTest runs this source alone
    from bpeviz.ui.learn.page import learn_page

    learn_page()


def with_run(text: str = CAT, merges: int = 20) -> Session:
    state = Session()
    state.show(run_of(NamedText("text", text), TrainingSettings(num_merges=merges, min_frequency=1)))
    return state


def said(app: AppTest) -> str:
    """All text of the page."""
    elements: list[Any] = [*app.text, *app.markdown, *app.caption, *app.info, *app.error]
    return "\n".join(element.value.replace("\\", "") for element in elements)


def asked(app: AppTest, name: str) -> str:
    """A parameter of the address."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


@pytest.fixture(autouse=True)
def card_of_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the card with widgets of Streamlit: what Python sends it, and a button for each that it has."""
    for module in ("lesson_view", "challenge_view"):
        monkeypatch.setattr(f"bpeviz.ui.learn.{module}.mount_card", draw_card)


def draw_card(card: Card, *, key: str, on_press: Callable[[Pressed], None]) -> None:
    def press_on(**message: object) -> None:
        pressed = {"place": card.place, "acts": card.acts, **message}
        read = read_pressed({"pressed": pressed}, card)
        assert read is not None
        on_press(read)

    def button(label: str, **message: object) -> None:
        st.button(label, key=f"{key}-{label}", on_click=press_on, kwargs=message)

    question = card.stop["guess"]
    st.text(f"{card.noun} {card.place + 1} of {card.stops}{card.score}")
    st.text(words(card.stop["caption"]))
    if card.asks:
        for place, each in enumerate(question["answers"]):
            button(words(each["words"]), does="answer", answer=place)
        button("Show the answer", does="answer", answer=GAVE_UP)
    else:
        button("Forward", does="forward")
    if question and not card.asks:
        given = words(card.given["words"]) if card.given else "nothing"
        right = next(each for each in question["answers"] if each["right"])
        why = f"{right['why']} {card.given['why'] if card.given else ''} {words(question['because'])}"
        st.text(f"Given {given}, right {words(right['words'])}. {why}")
    if card.place:
        button("Back", does="back")
    st.text(card.leads)


def answers(app: AppTest) -> list[str]:
    """What a person can answer."""
    labels = [
        button.label
        for button in app.button
        if (button.key or "").startswith(("lesson_card", "challenge_card"))
    ]
    return [label for label in labels if label not in ("Back", "Forward", "Show the answer")]


def test_the_list_names_every_lesson() -> None:
    app = on_learn_page()
    lessons = {slug: lesson_named(slug) for slug in lesson_files() if slug != TOUR}
    assert [b.key for b in app.button if b.key and b.key.startswith("lesson-")] == [
        f"lesson-{slug}" for kind in GROUPS for slug, lesson in lessons.items() if lesson.kind == kind
    ]
    assert {lesson.kind for lesson in lessons.values()} == set(GROUPS)


def test_a_lesson_has_a_tick_once_its_last_stop_was_seen() -> None:
    state = Session()
    assert "lesson-what-is-a-merge" not in ticked(on_learn_page(state))
    stops = len(lesson_named("what-is-a-merge").stops)
    app = on_learn_page(state, lesson="what-is-a-merge", stop=str(stops))
    if answers(app):
        press(app, "Show the answer")
    assert ticked(on_learn_page(state)) == ["lesson-what-is-a-merge"]
    document, texts = describe(state, Digests())
    assert Pages(document.pages, texts).of(LessonsDone).saved.lessons == ("what-is-a-merge",)


def ticked(app: AppTest) -> list[str]:
    return [b.key for b in app.button if b.key and b.proto.icon == ":material/check_circle:"]


def test_a_lesson_opens_at_its_first_stop_with_its_address() -> None:
    app = on_learn_page()
    app.button(key="lesson-what-is-a-merge").click().run()
    assert asked(app, "lesson") == "what-is-a-merge"
    assert asked(app, "stop") == "1"
    assert "each of the 11 bytes is a token" in said(app)
    press(app, "Forward")
    assert asked(app, "stop") == "2"
    assert "11 tokens became 9" in said(app)
    press(app, "Back")
    assert asked(app, "stop") == "1"
    press(app, "Show all lessons")
    assert "lesson" not in app.query_params
    assert "Each question is a short lesson" in said(app)


@pytest.mark.parametrize("stop", ["0", "7", "-1", "two", "99999999999999", "²"])
def test_a_stop_that_is_not_there_is_the_first(stop: str) -> None:
    app = on_learn_page(lesson="what-is-a-merge", stop=stop)
    assert "stop 1 of 6" in said(app)


@pytest.mark.parametrize(
    "link", [{"lesson": "../../etc/passwd"}, {"lesson": ""}, {"challenge": "0"}, {"challenge": "<b>"}]
)
def test_a_link_that_names_no_lesson_shows_the_list(link: dict[str, str]) -> None:
    app = on_learn_page(**link)
    assert app.error[0].value.replace("\\", "") == "This link names no lesson. Choose one below."
    assert "Each question is a short lesson" in said(app)


def test_a_tie_is_explained_after_the_guess_and_not_before() -> None:
    app = on_learn_page(lesson="what-if-it-is-a-tie", stop="1")
    assert "seen first in the text" not in said(app)
    assert "Forward" not in [button.label for button in app.button]
    press(app, "a + b")
    assert "Given a + b, right aa + a." in said(app)
    assert "aa + a occurs 2 times, and 2 pairs share that count." in said(app)
    assert "a + b occurs 2 times too, but it comes later in the text." in said(app)
    press(app, "Forward")
    assert asked(app, "stop") == "2"


@pytest.mark.parametrize(
    ("picked", "says"),
    [("aa + a", "Given aa + a, right aa + a."), ("b + d", "Given b + d, right aa + a.")],
)
def test_a_guess_is_right_or_wrong(picked: str, says: str) -> None:
    app = on_learn_page(lesson="what-if-it-is-a-tie", stop="1")
    press(app, picked)
    assert says in said(app)


def guess_in_the_text(monkeypatch: pytest.MonkeyPatch, left: str, right: str) -> None:
    """Have a button in place of the player, which picks a pair as a click in the text does."""
    from bpeviz.ui.learn import challenge_view, player

    def mount(_: bytes, *, key: str, run: Run, on_guess: Any, guess_at: int) -> None:
        ids = [run.tokenizer.token_to_id(half.encode()) for half in (left, right)]
        if on_guess:
            st.button("In the text", on_click=on_guess, args=(tuple(ids),))

    for module in (player, challenge_view):
        monkeypatch.setattr(module, "mount", mount)


@pytest.mark.parametrize(
    ("pair", "says"),
    [
        (("aa", "a"), "Given aa + a, right aa + a."),
        (("a", "b"), "Given a + b, right aa + a."),
        (("a", "c"), "a + c occurs once, 1 fewer than the most frequent pair."),
    ],
)
def test_a_pair_picked_in_the_text_is_the_answer(
    monkeypatch: pytest.MonkeyPatch, pair: tuple[str, str], says: str
) -> None:
    guess_in_the_text(monkeypatch, *pair)
    app = on_learn_page(lesson="what-if-it-is-a-tie", stop="1")
    press(app, "In the text")
    assert says in said(app)
    assert "Forward" in [button.label for button in app.button]
    assert "In the text" not in [button.label for button in app.button]


def test_a_pair_that_is_none_of_the_answers_can_be_picked_in_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = with_run("aab aab aab aab cd ef gh xy", 3)
    assert state.run
    guess_in_the_text(monkeypatch, "x", "y")
    app = on_learn_page(state, challenge="1")
    assert "x + y" not in answers(app)
    press(app, "In the text")
    assert "Given x + y, right" in said(app)
    assert "x + y occurs once" in said(app)
    assert "0 right so far" in said(app)


def test_a_person_can_see_the_answer_without_a_guess() -> None:
    app = on_learn_page(lesson="why-is-arithmetic-hard", stop="1")
    assert "GPT-2 merges digits like letters" not in said(app)
    press(app, "Show the answer")
    assert "Given nothing, right 123 45 67." in said(app)
    assert "GPT-2 merges digits like letters" in said(app)


def at_the_end(state: Session, lesson: str, stop: int) -> AppTest:
    """The main page, after the button at the end of a lesson."""
    state.page = "learn"
    app = on_learn_page(state, lesson=lesson, stop=str(stop))
    assert not app.get("link_button")
    press(app, "Forward")
    app = AppTest.from_file(APP, default_timeout=60)
    app.session_state["session"] = state
    app.run()
    assert not app.exception
    return app


def test_the_last_stop_leads_to_the_main_page_on_its_sample_and_saves_nothing() -> None:
    state = Session()
    app = at_the_end(state, "why-do-trainers-disagree", 6)
    assert "Text **English prose** · 6,344 bytes" in menus(app)
    assert "minbpe" in menus(app)
    assert (shown_run(state).settings.num_merges, state.step) == (200, 4)
    assert state.form.asked
    assert not app.query_params
    given(app, NamedText("mine", CAT))
    assert [run.corpus.name for run in state.runs] == ["mine"]


def test_a_run_of_the_person_s_own_stays_on_show_with_the_settings_beside_it() -> None:
    state = with_run()
    state.form.typed = "my words"
    state.form.show(replace(shown_run(state).form_settings, special_tokens=("<s>",)))
    own = shown_run(state)
    app = at_the_end(state, "what-is-a-merge", 6)
    assert state.runs == [own]
    assert shown_run(state) is own
    assert state.form.typed == "my words"
    settings = state.form.settings
    assert (settings.recipe_name, settings.num_merges) == ("minbpe", 300)
    assert (settings.min_frequency, settings.special_tokens) == (1, ("<s>",))
    assert "Settings changed. Showing the previous run." in said(app)
    press(app, "Train with the new settings")
    assert len(state.runs) == 2
    assert shown_run(state).settings == settings


def test_the_end_says_what_the_field_for_a_text_opens_with() -> None:
    says = "Opens the field for your text. Rules: minbpe · qwen2 split · 300 merges. Your own runs stay."
    assert says in said(on_learn_page(lesson="why-is-arithmetic-hard", stop="6"))


def test_the_last_card_opens_the_menu_over_what_the_main_page_shows() -> None:
    app = opened()
    app.query_params["card"] = "10"
    press(app.run(), "Forward")
    state = state_of(app)
    assert "card" not in app.query_params
    assert state.form.asked
    assert "English prose" in menus(app)
    assert state.step == FIRST_STEP
    asked_before = state.form.asked
    app.query_params["card"] = "10"
    press(app.run(), "Forward")
    assert state.form.asked != asked_before


@pytest.mark.parametrize(("page", "at_once"), [("", True), ("learn", True), ("compare", False)])
def test_the_tour_begins_from_every_page(page: str, at_once: bool) -> None:
    state = Session(page=page)
    app = press(drawn(tour_button, state, key="tour"), "Take the tour")
    assert ("card" in app.query_params) is at_once
    assert state.leads_home == (None if at_once else {"card": "1"})
    if not at_once:
        app = AppTest.from_file(APP, default_timeout=60)
        app.session_state["session"] = state
        assert "card 1 of 10" in said(app.run())


def test_a_card_stays_in_the_address_of_a_saved_session() -> None:
    app = pasted()
    app.query_params["card"] = "3"
    app.run()
    assert asked(app, "card") == "3"
    press(app, "Back")
    assert asked(app, "card") == "2"
    assert asked(app, "session") == state_of(app).saving.saved_id
    assert "card 2 of 10" in said(app.run())


@pytest.mark.parametrize(
    ("lesson", "stop", "shown"),
    [
        ("what-is-a-merge", "1", True),
        ("what-is-a-merge", "6", True),  # after the last merge; pairs that occur once are left
        ("why-is-arithmetic-hard", "2", False),  # replays GPT-2's merges
        ("why-is-arithmetic-hard", "3", False),  # after the last merge; no pair is left
    ],
)
def test_the_most_frequent_pairs_are_shown_if_any_are_left(lesson: str, stop: str, shown: bool) -> None:
    assert ("**Most frequent pairs**" in said(on_learn_page(lesson=lesson, stop=stop))) is shown


def test_what_a_stop_sends_stays_the_same_object_after_many_others() -> None:
    from bpeviz.lessons.prepared import prepared
    from bpeviz.ui.learn.player import packed

    material = prepared("what-is-a-merge").material()
    first = [packed(material, key, lambda: bytes(100)) for key in range(200)]
    assert all(packed(material, key, lambda: bytes(100)) is pack for key, pack in enumerate(first))


@pytest.mark.full
@pytest.mark.parametrize("slug", list(lesson_files()))
def test_every_stop_of_every_lesson_is_drawn(slug: str) -> None:
    app = on_learn_page(lesson=slug, stop="1")
    noun = "card" if slug == TOUR else "stop"
    for place, stop in enumerate(lesson_named(slug).stops):
        assert f"{noun} {place + 1} of {len(lesson_named(slug).stops)}" in said(app)
        if stop.guess is not None:
            press(app, "Show the answer")
        if stop.action and stop.action.step is not None:
            press(app, "Forward")
        assert not app.exception
        assert [error.value for error in app.error] == []
        if place + 1 < len(lesson_named(slug).stops):
            press(app, "Forward")


def test_an_action_plays_to_its_step_and_then_leads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, float, int | None, str]] = []

    def mount(pack: bytes, **_: Any) -> None:
        (size,) = struct.unpack_from("<I", pack)
        header = json.loads(pack[4 : 4 + size])
        sent.append((header["start"], header["autoplay"], header["until"], header["spotlight"]))

    monkeypatch.setattr("bpeviz.ui.learn.player.mount", mount)
    app = on_learn_page(card="2")
    assert sent[-1] == (0, 0, None, "pairs")
    press(app, "Forward")
    assert sent[-1] == (0, 1, 1, "pairs")
    assert asked(app, "card") == "2"
    press(app, "Forward")
    assert asked(app, "card") == "3"
    assert sent[-1] == (1, 0, None, "made")
    press(app, "Back")
    assert sent[-1] == (0, 0, None, "pairs")  # the card puts it back


def test_the_tour_can_be_left_at_any_card_and_taken_up_again() -> None:
    app = on_learn_page(card="8")
    assert "A merge never crosses the end of a word" in said(app)
    press(app, "Leave the tour")
    assert "card" not in app.query_params
    press(app, "Continue the tour at card 8")
    assert asked(app, "card") == "8"
    assert "card 8 of 10" in said(app)


@pytest.mark.parametrize("card", ["0", "11", "-1", "x", ""])
def test_a_card_that_is_not_there_is_the_first(card: str) -> None:
    assert "card 1 of 10" in said(on_learn_page(card=card))


def test_the_last_card_shows_the_text_in_both_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[Any] = []
    monkeypatch.setattr(
        "bpeviz.ui.learn.lesson_view.mount_card", lambda card, **_: rows.extend(card.stop["rows"]["rows"])
    )
    on_learn_page(card="10")
    assert [
        (row["name"], [bytes.fromhex(token).decode() for token, *_ in row["tokens"]]) for row in rows
    ] == [
        ("this run", ["the", " light", "er", " weather"]),
        ("GPT-2", ["the", " lighter", " weather"]),
    ]


@pytest.fixture
def lessons(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder in place of the lessons that come with the page."""
    monkeypatch.setattr("bpeviz.lessons.reading.FOLDER", tmp_path)
    for cached in (lesson_files, lesson_named):
        cached.cache_clear()
    yield tmp_path
    for cached in (lesson_files, lesson_named):
        cached.cache_clear()


BROKEN = """
title = "Broken {missing}"
about = "About {missing}"
[runs.run]
text = "aaabdaaabac"
merges = 3
[[stops]]
step = 0
caption = "The id is {missing}."
[[stops]]
step = 1
caption = "Guess."
guess = { kind = "choice", question = "Which?", answers = ["{missing}", "b"], right = "b", because = "b" }
[[stops]]
step = 9
caption = "There is no such step."
[claims]
missing = { of = "id", token = "there is no such token" }
[try]
sample = "English prose"
"""


def test_what_cannot_be_computed_is_an_error_in_its_place(lessons: Path) -> None:
    whole = BROKEN.replace("{missing}", "a").split("[claims]")[0] + '[try]\nsample = "English prose"\n'
    for name, lesson in (("01-broken", BROKEN), ("02-whole", whole), ("unnamed", whole)):
        (lessons / f"{name}.toml").write_text(lesson, "utf-8")
    app = on_learn_page()
    assert [b.key for b in app.button if b.key and b.key.startswith("lesson-")] == [
        "lesson-broken",
        "lesson-whole",
    ]
    assert "there is no token" in said(app)
    assert "Name the file like 01-what-is-a-merge.toml." in said(app)
    app.button(key="lesson-broken").click().run()
    for stop in range(3):
        assert not app.exception
        assert app.error
        assert "Show all lessons" in [button.label for button in app.button]
        if stop < 2:
            press(app, "Forward")
    assert "Give a smaller step." in said(app)
    press(app, "Back")
    assert asked(app, "stop") == "2"
    press(app, "Show all lessons")


# the challenge


def test_a_challenge_asks_at_the_same_steps_for_everybody() -> None:
    run = with_run(read_sample("English prose"), 200).run
    again = with_run(read_sample("English prose"), 200).run
    assert run
    assert again
    steps = asked_steps(run, 1)
    assert len(set(steps)) == 10
    assert steps == sorted(steps) == asked_steps(again, 1)
    assert steps != asked_steps(run, 2)
    assert all(0 < step < len(run.steps) for step in steps)


def test_a_challenge_does_not_ask_for_a_merge_that_a_person_chose() -> None:
    run = with_run().run
    assert run
    asked_before = asked_steps(run, 1)
    rank = asked_before[2]
    fork = replace(
        run,
        settings=replace(run.settings, choices=(Choice(rank, run.steps[rank].pair),)),
    )
    assert rank not in asked_steps(fork, 1)
    assert len(asked_steps(fork, 1)) == len(asked_before)


def test_a_challenge_prefers_steps_without_a_tie_that_are_apart() -> None:
    prose = with_run(read_sample("English prose"), 200).run
    assert prose
    for number in range(1, 20):
        steps = asked_steps(prose, number)
        assert all(prose.steps[step].tied == 1 for step in steps)
        assert all(later - step > 1 for step, later in pairwise(steps))
    short = with_run("aab aab aab aab cd", 4).run
    assert short
    assert asked_steps(short, 1) == list(range(1, len(short.steps)))


def test_a_tie_counts_as_right_and_the_question_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_run("ab ab cd cd ef ef", 3)
    assert state.run
    step = asked_steps(state.run, 1)[0]
    assert state.run.steps[step].tied > 1
    guess_in_the_text(monkeypatch, "e", "f")
    app = on_learn_page(state, challenge="1")
    assert "Here pairs tie, and each of them counts." in said(app)
    press(app, "In the text")
    assert "Given e + f, right" in said(app)
    assert "It is as frequent as the next merge, so it counts as right." in said(app)
    assert "1 right so far" in said(app)


def test_a_second_click_on_next_guess_skips_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    from bpeviz.ui.learn import challenge_view

    app = on_learn_page(with_run(), challenge="1")
    press(app, "Show the answer")
    press(app, "Forward")
    assert "guess 2 of 10" in said(app)
    learn = app.session_state["learn"]
    monkeypatch.setattr(challenge_view, "learn_state", lambda: learn)
    for at in (0, 1):  # the second of two quick clicks, and one on a question without an answer
        challenge_view.go_on(at)
        assert (learn.at, learn.picked) == (1, None)


def test_a_challenge_counts_the_right_guesses() -> None:
    state = with_run()
    assert state.run
    app = on_learn_page(state, challenge="1")
    steps = asked_steps(state.run, 1)
    for place, step in enumerate(steps):
        assert f"guess {place + 1} of {len(steps)}" in said(app)
        if place % 2:
            press(app, "Show the answer")
        else:
            press(app, state.run.pair_label(state.run.steps[step].pair))
        press(app, "Forward")
    assert app.subheader[0].value == f"{(len(steps) + 1) // 2} of {len(steps)} right."
    press(app, "Try ten others")
    assert asked(app, "challenge") == "2"
    assert "guess 1 of" in said(app)


def test_a_challenge_without_a_run_says_what_to_do() -> None:
    assert "Train on a text first" in said(on_learn_page(challenge="1"))


def test_a_challenge_on_a_run_of_one_merge_says_what_to_do() -> None:
    assert "Train on a longer text" in said(on_learn_page(with_run("ab", 1), challenge="1"))


def test_a_challenge_on_a_hostile_text_shows_it_as_it_is() -> None:
    app = on_learn_page(with_run("**<b>x</b>** $a$ [l](http://e) " * 5, 30), challenge="1")
    assert "guess 1 of 10" in said(app)
    assert any("**" in label or "<b" in label for label in answers(app))  # the card writes it as text


def test_a_report_about_another_card_or_of_another_shape_is_dropped() -> None:
    question = {"answers": [{"pair": (1, 2)}, {"pair": None}]}
    asked = Card("stop", 1, 3, {"guess": question}, asks=True)

    def pressed(card: Card, **message: object) -> Pressed | None:
        return read_pressed({"pressed": {"place": 1, "acts": False, **message}}, card)

    assert pressed(asked, does="answer", answer=0) == (1, 2)
    assert pressed(asked, does="answer", answer=1) == 1
    assert pressed(asked, does="answer", answer=GAVE_UP) == GAVE_UP
    assert pressed(asked, does="back") == "back"
    for answer in (2, -2, "0", None, [0], True, 0.5):
        assert pressed(asked, does="answer", answer=answer) is None
    assert pressed(asked, does="forward") is None
    assert pressed(asked, does="back", place=0) is None  # the second click of two
    assert pressed(asked, does="back", acts=True) is None
    answered = replace(asked, asks=False)
    assert pressed(answered, does="forward") == "forward"
    assert pressed(answered, does="answer", answer=0) is None
    assert pressed(replace(answered, place=0), does="back", place=0) is None
    assert pressed(asked, does=["back"]) is None
    assert read_pressed(None, asked) is read_pressed({"pressed": 1}, asked) is None


# captions


def test_code_in_a_caption_may_hold_backticks() -> None:
    from bpeviz.lessons.computing import Part

    assert as_markdown([Part("a*b"), Part("`", code=True)]) == "a\\*b`` ` ``"


def test_a_guess_on_a_story_begins_in_the_same_tab_on_the_sample() -> None:
    own = with_run()
    app = press(on_learn_page(own), "Guess on a story")
    assert not app.get("link_button")
    assert app.session_state["session"] is not own
    asked = {name: "".join(app.query_params[name]) for name in ("challenge", "sample", "merges")}
    assert asked == {"challenge": "1", "sample": "English prose", "merges": "200"}
    assert len(own.runs) == 1  # it stays as it is saved
    again = opened(**asked)  # what the address names
    assert shown_run(state_of(again)).corpus.name == "English prose"
    assert len(shown_run(state_of(again)).steps) == 200
