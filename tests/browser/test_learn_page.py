"""The page Learn in Chromium: what a person reads, guesses and opens."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz.lessons.prepared import prepared
from tests.support import app_page as on
from tests.support.prepared_session import save_session

TEXT = "the cat in the hat and the cat on the mat\n" * 3


def open_stop(page: Page, slug: str, stop: int) -> None:
    page.goto(f"/learn?lesson={slug}&stop={stop}")
    expect(page.get_by_text(f"Stop {stop} of {len(prepared(slug).lesson.stops)}")).to_be_visible()
    expect_text(page)


def expect_text(page: Page) -> None:
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(page)
    on.expect_one_player(page)


def press(page: Page, name: str) -> None:
    # a button with a key says it after its name
    on.steady(page).get_by_role("button", name=re.compile(rf"^{re.escape(name)}( Shortcut|$)")).first.click()
    on.expect_settled(page)


def answer(page: Page, label: str) -> None:
    page.locator(".lesson .answers").get_by_role("button", name=label, exact=True).click()


def chart(page: Page) -> Locator:
    return page.get_by_text("Most frequent pairs", exact=True)


def player(page: Page) -> Locator:
    return page.locator(".bpeviz.player")


@pytest.mark.gate
def test_a_lesson_by_link_from_the_first_stop_to_the_next(page: Page) -> None:
    open_stop(page, "what-is-a-merge", 1)
    expect(page.get_by_text("each of the 11 bytes is a token")).to_be_visible()
    expect(on.tile(page, "tokens")).to_have_text("11")
    press(page, "Next stop")
    expect(page.get_by_text("11 tokens became 9")).to_be_visible()
    expect_text(page)
    expect(on.tile(page, "tokens")).to_have_text("9")
    assert page.url.endswith("/learn?lesson=what-is-a-merge&stop=2")
    page.reload()
    expect(page.get_by_text("11 tokens became 9")).to_be_visible()


def test_nothing_tells_the_next_pair_before_the_guess(page: Page) -> None:
    open_stop(page, "what-if-it-is-a-tie", 1)
    expect(player(page)).to_contain_text("Which pair is next?")
    expect(chart(page)).to_have_count(0)
    expect(page.locator(f"{on.CELLS}.next")).to_have_count(0)
    expect(on.step_field(page)).to_have_value("1")
    page.keyboard.press("ArrowRight")  # there is no later merge to step to
    expect(on.step_field(page)).to_have_value("1")
    answer(page, "a + b")
    expect(page.get_by_text("Almost: a + b ties with aa + a.")).to_be_visible()
    expect_text(page)
    expect(page.get_by_text("a + b occurs 2 times too, but it comes later in the text.")).to_be_visible()
    expect(on.steady(page).get_by_text("Most frequent pairs", exact=True)).to_be_visible()
    on.expect_counts(page, [2, 2, 1, 1, 1, 1])
    expect(player(page)).not_to_contain_text("Which pair is next?")


def test_a_click_on_a_token_guesses_its_pair_with_the_next_one(page: Page) -> None:
    open_stop(page, "what-if-it-is-a-tie", 1)
    expect(player(page)).to_contain_text("Click a token: it and the next one are your guess.")
    expect(page.get_by_text("Pick a token in the text")).to_be_visible()
    assert on.cells(page) == ["aa", "a", "b", "d", "aa", "a", "b", "a", "c"]
    page.locator(on.CELLS).nth(8).click()
    expect(player(page)).to_contain_text("This is the last token. Pick one before it.")
    page.locator(on.CELLS).nth(2).hover()
    assert on.marked(page, "guess") == ["b", "d"]
    expect(player(page).locator(".card.main .tip")).to_contain_text("your guess: b + d")
    page.locator(on.CELLS).nth(2).click()
    expect(page.get_by_text("You picked b + d. The answer: aa + a")).to_be_visible()
    expect(page.get_by_text("b + d occurs once, 1 fewer than the most frequent pair.")).to_be_visible()
    expect(page.locator(".pairs .picked")).to_have_count(1)
    expect_text(page)
    page.locator(on.CELLS).nth(2).click()  # with the answer, a click shows the token again
    expect(page.locator(".card.token")).to_be_visible()


@pytest.mark.gate
def test_the_keyboard_guesses_in_the_text_and_no_guess_crosses_a_wall(page: Page) -> None:
    open_stop(page, "what-is-a-merge", 4)
    page.locator(on.CELLS).nth(1).click()  # The|␣weather
    expect(player(page)).to_contain_text("No merge crosses the end of this word.")
    expect(page.locator(".lesson .answers button").first).to_be_visible()
    page.keyboard.press(".")
    page.keyboard.press(".")
    expect(page.locator(f"{on.CELLS}:focus")).to_have_text("w")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You picked w + e.")).to_be_visible()


def test_a_tokenizer_s_merges_are_replayed(page: Page) -> None:
    open_stop(page, "why-cant-language-models-spell", 3)
    assert on.cells(page) == ["How", " many", " r", "'s", " are", " in", " strawberry", "?"]
    expect(on.tile(page, "tokens")).to_be_visible()
    expect(on.tile(page, "vocabulary")).to_be_hidden()  # it would count the merges used here only


@pytest.mark.gate
def test_at_the_end_a_person_types_their_own_text_in_the_same_tab(page: Page) -> None:
    open_stop(page, "which-pair-comes-next", 5)
    press(page, "Try it on your own text")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    expect(on.summary(page)).to_contain_text("60 merges")
    page.keyboard.type("low lower lowest")
    expect(on.summary(page)).to_contain_text("your text · 16 bytes")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    assert page.context.pages == [page]


def test_back_from_one_s_own_text_is_the_end_of_the_lesson(page: Page) -> None:
    open_stop(page, "which-pair-comes-next", 5)
    press(page, "Try it on your own text")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    page.go_back()
    expect(page.get_by_text("Stop 5 of 5")).to_be_visible()
    page.go_forward()
    on.open_text_menu(page)  # by hand: a request opens it once


def test_the_list_opens_a_lesson_and_a_lesson_the_list(page: Page) -> None:
    page.goto("/learn")
    expect(page.get_by_text("Each question is a short lesson")).to_be_visible()
    on.expect_settled(page)
    press(page, "YAML or JSON?")
    expect(page.get_by_text("Stop 1 of 5")).to_be_visible()
    expect_text(page)
    press(page, "Show all lessons")
    expect(page.get_by_text("Each question is a short lesson")).to_be_visible()
    assert page.url.endswith("/learn")


@pytest.mark.gate
def test_a_challenge_on_a_saved_text_is_guessed_to_its_score_and_shared(page: Page) -> None:
    page.goto(f"/learn{save_session(TEXT)}&challenge=1")
    expect(page.get_by_text("Guess 1 of 10")).to_be_visible()
    for number in range(1, 11):
        expect(page.get_by_text(f"Guess {number} of 10")).to_be_visible()
        expect_text(page)
        press(page, "Show the answer")
        expect_text(page)
        press(page, "Next guess")
    expect(page.get_by_role("heading", name="0 of 10 right.")).to_be_visible()
    press(page, "Make a link")
    link = page.locator(".copy-link input").first
    expect(link).to_have_value(re.compile(r"/learn\?challenge=1&text="))
    page.goto(link.input_value())
    expect(page.get_by_text("Guess 1 of 10")).to_be_visible()


def test_on_a_phone_the_chart_of_pairs_is_below_the_player(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_stop(page, "what-is-a-merge", 2)
    expect(page.get_by_text("11 tokens became 9")).to_be_in_viewport(ratio=1)
    text = page.locator(on.TEXT).bounding_box()
    pairs = on.steady(page).get_by_text("Most frequent pairs", exact=True).bounding_box()
    assert text
    assert pairs
    assert text["y"] < pairs["y"]
    assert text["y"] < 844 - 60  # above the buttons at the bottom
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_on_a_phone_the_question_is_in_view_below_the_text(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_stop(page, "what-if-it-is-a-tie", 1)
    asked = page.get_by_text("Which pair is next?", exact=True).first
    expect(asked).to_be_in_viewport(ratio=1)
    question = asked.bounding_box()
    text = page.locator(on.CELLS).first.bounding_box()
    assert question
    assert text
    assert text["y"] < question["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.gate
def test_presenting_keeps_the_words_of_a_lesson_large_from_stop_to_stop(page: Page) -> None:
    open_stop(page, "what-is-a-merge", 1)
    caption = page.locator(".lesson .caption")
    small = caption.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
    page.keyboard.press("f")
    expect(page.get_by_role("link", name="Compare")).to_be_hidden()
    expect(chart(page)).to_be_hidden()
    assert caption.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 1.3 * small
    page.keyboard.press("1")
    expect(chart(page)).to_be_visible()
    press(page, "Next stop")
    expect(page.get_by_text("Stop 2 of")).to_be_visible()
    expect(page.get_by_role("link", name="Compare")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Compare")).to_be_visible()
