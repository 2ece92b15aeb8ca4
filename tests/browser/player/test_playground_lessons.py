"""The lessons in the playground, from the disk: the tour, the questions and the walks, with their guesses."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from bpeviz import load_pretrained
from bpeviz.lessons.guessing import candidates
from bpeviz.lessons.prepared import prepared
from bpeviz.lessons.reading import lesson_files
from tests.support import app_page as on
from tests.support.lesson_table import lesson, said
from tests.support.trained import LOW, tokens
from tests.support.waiting import wait_for

Open = Callable[[], Page]
#: What a person reads of a stop.
READ = """() => {
  const [card, player] = [".lesson", ".player"].map((host) => document.querySelector(host)?.shadowRoot);
  const says = [".place", ".caption", ".verdict", ".because"].map((part) => card?.querySelector(part));
  const rows = card?.querySelectorAll(".rows:not([hidden]) tr").length ?? 0;
  const [name, step, of] = [".title", ".step", ".of"].map((part) => player.querySelector(part));
  const words = says.map((each) => each?.textContent);
  return [...words, rows, name.textContent, Number(step.value), of.textContent];
}"""
SLUGS = [slug for slug in lesson_files() if slug != "tour"]


def open_lesson(page: Page, slug: str) -> None:
    page.locator(".learn summary").click()
    title = said(lesson(slug)["title"])
    page.locator(".learn").get_by_role("button", name=title, exact=True).click()


def card(page: Page) -> Locator:
    return page.locator("section.lesson")


def expect_stop(
    page: Page, slug: str, place: int, *, right: str = "", why: str = "", step: int | None = None
) -> None:
    """The words of a stop are there, with its run at its step, or at another one; after an answer also why it
    is right."""
    stops = lesson(slug)["stops"]
    stop, noun = stops[place], "Card" if slug == "tour" else "Stop"
    merges = len(prepared(slug).material(stop["run"]).run.steps)
    expected = [
        f"{noun} {place + 1} of {len(stops)}",
        said(stop["caption"]),
        right and f"Right: {right}",
        why,
        len(stop["rows"]["rows"]) if stop["rows"] else 0,
        stop["run"].replace("_", " "),
        stop["step"] if step is None else step,
        "?" if asks_for_a_pair(stop) and not right else f"{merges:,}",
    ]
    wait_for(page, lambda: page.evaluate(READ) == expected, f"{slug} reads {expected}")


def asks_for_a_pair(stop: dict[str, Any]) -> bool:
    return stop["guess"] is not None and stop["guess"]["count"] is not None


def answer_rightly(page: Page, slug: str, place: int) -> None:
    """Pick the right answer, and read why it is right."""
    stop = lesson(slug)["stops"][place]
    guess = stop["guess"]
    expect(card(page).locator(".forward")).to_be_hidden()
    if asks_for_a_pair(stop):
        expect(page.locator(".panel .pairs")).to_be_hidden()
    right = next(answer for answer in guess["answers"] if answer["right"])
    words = said(right["words"])
    card(page).locator(".answers").get_by_role("button", name=words, exact=True).click()
    expect_stop(page, slug, place, right=words, why=said(guess["because"]) or right["why"])


def go_through(page: Page, slug: str) -> None:
    """Go through the stops by keyboard, as far as the last one."""
    stops = lesson(slug)["stops"]
    for place, stop in enumerate(stops):
        expect_stop(page, slug, place)
        if stop["guess"]:
            answer_rightly(page, slug, place)
        if stop["until"] is not None:
            page.keyboard.press("PageDown")
            expect_stop(page, slug, place, step=stop["until"])
        if place + 1 < len(stops):
            page.keyboard.press("PageDown")


@pytest.mark.parametrize(
    "quarter", [pytest.param(i, marks=pytest.mark.full if i else pytest.mark.gate) for i in range(4)]
)
def test_every_lesson_opens_and_each_stop_says_and_shows_what_it_does_in_the_app(
    page: Page, playground: Open, quarter: int
) -> None:
    page.emulate_media(reduced_motion="reduce")  # an action shows its result at once
    playground()
    for slug in SLUGS[quarter::4]:
        open_lesson(page, slug)
        go_through(page, slug)
        card(page).get_by_role("button", name="Show all lessons").click()
        expect(page.locator(".learn .list")).to_be_visible()
        page.keyboard.press("Escape")
    expect(page.locator(".playground .watch")).to_be_visible()


@pytest.mark.gate
def test_the_tour_drives_the_player_and_puts_everything_back(page: Page, playground: Open) -> None:
    page.emulate_media(reduced_motion="reduce")  # an action shows its result at once
    playground()
    page.get_by_label(on.FIELD).fill(LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    on.go_to(page, 4)
    before = on.cells(page)
    page.locator(".learn summary").click()
    page.get_by_role("button", name="Take the tour").click()
    expect(page.get_by_label(on.FIELD)).to_be_hidden()
    go_through(page, "tour")
    page.keyboard.press("PageUp")
    expect_stop(page, "tour", 8)
    card(page).get_by_role("button", name="Leave the tour").click()
    expect(card(page)).to_be_hidden()
    on.expect_step(page, 4)
    assert on.cells(page) == before
    page.locator(".learn summary").click()
    page.get_by_role("button", name="Continue the tour at card 9").click()
    expect_stop(page, "tour", 8)


@pytest.mark.gate
def test_a_pair_picked_in_the_text_is_a_guess_with_its_reason(playground: Open) -> None:
    page = playground()
    slug = "what-is-a-merge"
    open_lesson(page, slug)
    for _ in range(3):
        page.keyboard.press("PageDown")
    expect_stop(page, slug, 3)
    material, step = prepared(slug).material_at(3)
    shown = on.cells(page)
    place = shown.index("o")  # a pair with it is rare, and no answer that is listed
    page.locator(on.CELLS).nth(place).click()
    expect(card(page).locator(".verdict")).to_contain_text("You picked o + ")
    labels = [each.label for each in candidates(material.run, step, 4)]
    picked = (card(page).locator(".verdict").text_content() or "").split("The answer")[0]
    assert not any(label in picked for label in labels)
    every = candidates(material.run, step, 200)
    right = next(each for each in every if each.right)
    given = next(each for each in every if f"You picked {each.label}." in picked)
    expect(card(page).locator(".because")).to_have_text(f"{right.why} {given.why}")
    assert page.evaluate("document.bpevizStage.pair") == [*given.pair]  # marked in the text


@pytest.mark.gate
def test_a_lesson_ends_with_the_person_s_own_text_under_its_rules(playground: Open) -> None:
    page = playground()
    page.get_by_label(on.FIELD).fill(LOW)
    expect(page.locator(".playground .note")).to_have_text(f"{len(LOW)} bytes")
    open_lesson(page, "how-large-should-the-vocabulary-be")
    go_through(page, "how-large-should-the-vocabulary-be")
    expect(card(page).locator(".leads")).to_have_text(
        "Opens the field for your text. Rules: minbpe · 900 merges."
    )
    page.keyboard.press("PageDown")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    expect(page.get_by_label(on.FIELD)).to_have_value(LOW)
    expect(page.locator(".rules .chosen")).to_have_text("minbpe · cl100k split · 900 merges")
    expect(page.locator(".player .title").first).to_have_text("Text")


@pytest.mark.gate
def test_presenting_a_lesson_keeps_its_words_and_drops_the_pairs(playground: Open) -> None:
    page = playground()
    open_lesson(page, "what-is-a-merge")
    expect(page.locator(".panel .pairs")).to_be_visible()
    page.get_by_role("button", name="Present").click()
    expect(page.locator(".panel .pairs")).to_be_hidden()
    expect(page.locator(".playground .learn")).to_be_hidden()
    caption = card(page).locator(".caption")
    expect(caption).to_be_visible()
    assert caption.evaluate("e => getComputedStyle(e).fontSize") == "22px"
    page.keyboard.press("PageDown")
    expect(card(page).locator(".place")).to_have_text("Stop 2 of 6")
    expect(caption).to_be_visible()


@pytest.mark.gate
def test_a_file_that_is_dropped_ends_a_lesson(playground: Open) -> None:
    page = playground()
    open_lesson(page, "yaml-or-json")
    drop = """data => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(data)], "low.txt"));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
    }"""
    expect(card(page).locator(".caption")).to_be_visible()
    page.evaluate(drop, [*LOW.encode()])
    expect(page.locator(".playground .note")).to_have_text(f"low.txt, {len(LOW)} bytes")
    expect(card(page)).to_be_hidden()


@pytest.mark.gate
def test_a_replay_shows_the_tokens_of_its_tokenizer(playground: Open) -> None:
    page = playground()
    slug = "why-does-a-trailing-space-matter"
    open_lesson(page, slug)
    expect_stop(page, slug, 0)
    text = prepared(slug).material("sentence").text
    assert on.cells(page) == tokens(load_pretrained("gpt2"), text)
    expect(page.locator(".side")).to_be_hidden()
    assert not re.search("Interactive page", page.locator(".export").text_content() or "")


#: Each row of the text, by the words that it has.
ROWS = """all => {
  const rows = new Map();
  for (const cell of all) {
    const { top, bottom } = cell.getBoundingClientRect();
    const row = Math.round((top + bottom) / 100);
    rows.set(row, (rows.get(row) ?? "") + cell.textContent);
  }
  return [...rows.values()];
}"""


@pytest.mark.gate
def test_on_a_phone_the_card_stays_in_view_and_merges_leave_the_words_in_their_rows(phone: Page) -> None:
    phone.locator(".learn summary").tap()
    phone.get_by_role("button", name="Take the tour").tap()
    bar = phone.locator(".transport").bounding_box()
    assert bar is not None
    for _ in range(8):
        forward = card(phone).locator(".forward")
        expect(card(phone).locator(".caption")).to_be_in_viewport(ratio=1)
        expect(forward).to_be_in_viewport(ratio=1)
        box = card(phone).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"]
        assert phone.locator(on.CELLS).evaluate_all(ROWS) == ["hug pug", " pun bun", " hugs"]
        before = card(phone).inner_text()
        forward.tap()
        expect(card(phone)).not_to_have_text(before, use_inner_text=True)
