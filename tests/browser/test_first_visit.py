"""The first minute in Chromium: a sample plays, a person types or drops a text, trains, and comes back."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from bpeviz import load_pretrained
from bpeviz.runs.run import NamedText
from bpeviz.runs.samples import FIRST_STEP, FIRST_STOP, STANDARD_LIBRARY, first_run
from bpeviz.training.settings import TrainingSettings
from bpeviz.ui.session.session import Session
from tests.support import app_page as on
from tests.support.prepared_session import save
from tests.support.trained import run_of
from tests.support.waiting import wait_for

CAT = "the cat in the hat and the cat on the mat. " * 3
#: Takes twice the time for each "a" that no "b" follows.
SLOW = r"(?:a|aa)+b|[\s\S]"


def intro(page: Page) -> Locator:
    """The first term of the sentence that a first visit begins with; it explains itself."""
    return page.get_by_role("button", name="Byte-pair encoding", exact=True)


def open_first_page(page: Page) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(page)


def remembers(page: Page) -> bool:
    """Whether the browser remembers a session; a script of the page tells it to, which may load last."""
    return any(cookie["name"].startswith("bpeviz_session") for cookie in page.context.cookies())


def expect_tokens_of_first_run(page: Page) -> None:
    """The figure is that of the sample's run at the step on show."""
    run = first_run()
    tokenizer = run.tokenizer.after(int(on.step_field(page).input_value()))
    total = len(tokenizer.encode(run.corpus.text))
    expect(on.tile(page, "tokens")).to_have_text(f"{total:,}")


@pytest.mark.gate
def test_a_sample_plays_by_itself_and_stops_where_words_show(page: Page) -> None:
    open_first_page(page)
    expect(intro(page)).to_be_visible()
    on.expect_step(page, FIRST_STOP)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".say")).to_contain_text("Done: merge 60 made ␣light. Next: merge 61 joins ␣t + o")
    expect_tokens_of_first_run(page)
    on.expect_at(page, FIRST_STOP)
    assert "session=" not in page.url


def test_a_key_stops_it(page: Page) -> None:
    open_first_page(page)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    step = int(on.step_field(page).input_value())
    assert FIRST_STEP - 1 <= step < FIRST_STOP
    expect_tokens_of_first_run(page)


def test_a_menu_opens_with_its_content_while_the_sample_plays(page: Page) -> None:
    open_first_page(page)
    page.get_by_role("button", name="Sessions").click()
    expect(page.get_by_text("Saved automatically")).to_be_visible()


def test_a_text_without_a_merge_takes_the_place_of_the_old_one_and_says_why(page: Page) -> None:
    open_first_page(page)
    on.train_on(page, CAT)
    on.train_on(page, "abc")
    assert on.cells(page) == ["a", "b", "c"]
    expect(page.locator(".say")).to_have_text("No pair occurs 2 times, so nothing is merged.")
    expect(page.locator(".curves")).to_be_hidden()  # over no merges


def test_a_large_sample_that_is_clicked_while_the_sample_plays_is_trained_on(page: Page) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    page.locator(".st-key-text_menu").get_by_test_id("stPopoverButton").click()
    page.locator(".st-key-samples").get_by_role("button", name="1 MB").click()
    expect(on.summary(page)).to_contain_text(STANDARD_LIBRARY.title, timeout=120_000)
    on.expect_one_player(page)


def test_it_stands_where_it_would_stop_for_a_person_who_asked_for_less_motion(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_step(page, FIRST_STOP)
    on.expect_at(page, FIRST_STOP)
    expect_tokens_of_first_run(page)


@pytest.mark.gate
def test_a_typed_text_is_shown_in_tokens_and_trained_on_at_once(page: Page) -> None:
    open_first_page(page)
    on.open_text_menu(page)
    page.get_by_label(on.FIELD).fill("नमस्ते दुनिया, the hat")
    row = page.locator(".text-box dt").filter(has_text="GPT-2")
    expect(row).to_have_text(f"GPT-2 {len(load_pretrained('gpt2').encode('नमस्ते दुनिया, the hat'))} tokens")
    expect(page.locator(".text-box .cost")).to_contain_text("measured in Hindi, takes 5.")
    page.get_by_label(on.FIELD).fill(CAT)
    expect(on.summary(page)).to_contain_text(f"your text · {len(CAT)} bytes")
    on.expect_settled(page)
    assert on.spelled(page.locator(on.CELLS)) == CAT
    page.get_by_label(on.FIELD).press("Control+End")
    page.keyboard.type(" more cats")
    expect(page.locator(".st-key-run_summary")).to_contain_text(f"{len(CAT) + 10} bytes")
    expect(page.get_by_label(on.FIELD)).to_be_focused()
    expect(page.get_by_label(on.FIELD)).to_have_value(f"{CAT} more cats")


@pytest.mark.gate
def test_a_person_s_own_text_takes_one_press_and_plays_by_itself(page: Page) -> None:
    open_first_page(page)
    page.get_by_role("button", name="Use your own text").click()
    field = page.get_by_label(on.FIELD)
    expect(field).to_be_focused()
    watch = page.get_by_role("button", name="Watch it")
    expect(watch).to_be_disabled()
    text = first_run().corpus.text[:700]
    page.keyboard.insert_text(text)
    for _ in range(2):  # the second time it is trained on already
        expect(on.summary(page)).to_contain_text(f"your text · {len(text)} bytes")
        watch.click()
        expect(watch).to_have_count(0)  # the menu closes
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        on.expect_step(page, FIRST_STOP - FIRST_STEP)
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        page.keyboard.press("End")
        on.open_text_menu(page)


@pytest.mark.gate
def test_the_field_and_all_its_rows_have_the_direction_of_the_text(page: Page) -> None:
    """The run has no token for the first Hebrew letter: its row begins with the bytes D7 A9."""
    open_first_page(page)
    on.open_text_menu(page)
    field, rows = page.get_by_label(on.FIELD), page.locator(".text-box dd > div")
    for text, direction in (("שלום one", "rtl"), ("two שלום", "ltr")):
        field.fill(text)
        expect(rows.first).to_contain_text("one" if direction == "rtl" else "two")
        expect(rows).to_have_count(3)
        expect(field).to_have_css("direction", direction)
        assert (
            rows.evaluate_all("rows => rows.map(row => getComputedStyle(row).direction)") == [direction] * 3
        )


def test_a_text_too_long_to_show_has_no_rows_of_the_text_before(page: Page) -> None:
    open_first_page(page)
    on.open_text_menu(page)
    field, rows, cost = (
        page.get_by_label(on.FIELD),
        page.locator(".text-box dt"),
        page.locator(".text-box .cost"),
    )
    field.fill("cat")
    expect(rows).to_have_count(3)
    field.fill("a" * 31_000)
    expect(rows).to_have_count(0)
    expect(cost).to_have_text("Too long to show while you type. Press “Watch it”.")
    field.fill("dog")
    expect(rows).to_have_count(3)
    expect(page.locator(".text-box dd").first).to_have_text("dog")
    expect(cost).not_to_contain_text("Too long")


def open_with_pattern(page: Page, pattern: str, text: str, typed: str) -> None:
    """Open a session with a run by a person's own pattern, and with a typed text."""
    state = Session()
    state.form.typed = typed
    state.show(run_of(NamedText("text", text), TrainingSettings(split="custom", custom_pattern=pattern)))
    page.goto(f"/{save(state)}")
    expect(page.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(page)
    on.open_text_menu(page)


def test_a_text_with_a_custom_pattern_trains_again_by_a_click_and_not_by_a_key(page: Page) -> None:
    open_with_pattern(page, r"\w+|\W", CAT, CAT)
    button = page.get_by_role("button", name="Watch it")
    button.click()
    expect(on.summary(page)).to_contain_text("your text")
    expect(button).to_have_count(0)  # the menu closes
    on.open_text_menu(page)
    page.get_by_label(on.FIELD).press("Control+End")
    page.keyboard.type("more")
    on.expect_settled(page)
    expect(page.locator(".text-box .note")).to_be_empty()
    assert f"{len(CAT)} bytes" in on.summary(page).inner_text()
    button.click()
    expect(page.locator(".st-key-run_summary")).to_contain_text(f"{len(CAT) + 4} bytes")


def test_a_text_that_waits_for_another_visitor_s_training_can_be_cancelled(
    page: Page, chromium: Browser, site: str
) -> None:
    text = CAT * 100
    open_first_page(page)
    on.open_text_menu(page)
    page.get_by_label(on.FIELD).fill(text)
    with chromium.new_context(base_url=site) as context:
        other = context.new_page()
        open_with_pattern(other, SLOW, "ab aab b " * 9, "a" * 40)
        row = other.locator(".text-box dt:has-text('pasted text') + dd")
        expect(row).to_contain_text("Not counted. The split pattern ")
        other.get_by_role("button", name="Watch it").click()
        expect(other.get_by_role("button", name="Cancel")).to_be_visible()
        page.get_by_role("button", name="Watch it").click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Cancel")).to_have_count(0)
        on.expect_settled(page)
        expect(on.summary(page)).to_contain_text("English prose")
        on.open_text_menu(page)
        expect(page.get_by_label(on.FIELD)).to_have_value(text)
        # else the next test would wait for this training: all tests are one visitor
        other.get_by_role("button", name="Cancel").click()
        expect(other.get_by_role("button", name="Cancel")).to_have_count(0)


@pytest.mark.gate
def test_a_file_dropped_anywhere_is_trained_on(page: Page) -> None:
    open_first_page(page)
    drop_zone = page.locator(".st-key-drop_zone").get_by_test_id("stFileUploaderDropzone")
    expect(drop_zone).to_be_hidden()
    expect(page.get_by_text("Drop text files to train on them")).to_be_hidden()
    files = page.evaluate_handle(
        """text => {
          const files = new DataTransfer();
          files.items.add(new File([text], "cats.txt"));
          return files;
        }""",
        CAT,
    )

    def drag() -> bool:
        page.locator("body").dispatch_event("dragover", {"dataTransfer": files})  # as long as a person drags
        return drop_zone.is_visible()

    wait_for(page, drag, "the field for dropped files covers the page")  # its script may load last
    drop_zone.dispatch_event("drop", {"dataTransfer": files})
    expect(page.locator(".st-key-run_summary")).to_contain_text("cats.txt")
    on.expect_settled(page)  # until then the field with the file is there beside the new one
    expect(drop_zone).to_be_hidden()
    on.expect_one_player(page)
    assert on.spelled(page.locator(on.CELLS)) == CAT


@pytest.mark.gate
def test_a_person_who_comes_back_finds_their_session_and_can_start_a_new_one(page: Page) -> None:
    open_first_page(page)
    on.train_on(page, CAT)
    expect(page).to_have_url(re.compile("session="))
    wait_for(page, lambda: remembers(page), "the browser remembers the session")
    before = on.summary(page).inner_text()
    page.goto("/")
    expect(page.locator(".st-key-run_summary")).to_contain_text("your text")
    on.expect_settled(page)
    assert on.summary(page).inner_text() == before
    page.get_by_role("button", name="Sessions").click()
    page.get_by_role("button", name="New session").click()
    expect(intro(page)).to_be_visible()
    wait_for(page, lambda: not remembers(page), "the browser forgets the session")
    open_first_page(page)
    expect(intro(page)).to_be_visible()


def visible_lines(page: Page) -> int:
    """How many lines of the text are in the window; a token that is merged next reaches 2 pixels lower."""
    return page.locator(on.CELLS).evaluate_all(
        """cells => {
          const bottom = Math.min(cells[0].closest(".text").getBoundingClientRect().bottom, innerHeight);
          const bottoms = cells.map((cell) => cell.getBoundingClientRect().bottom).sort((a, b) => a - b);
          return bottoms.filter((each, i) => each <= bottom && !(each - bottoms[i - 1] < 8)).length;
        }"""
    )


@pytest.mark.parametrize(("width", "height", "lines"), [(1366, 768, 14), (390, 844, 8)])
@pytest.mark.gate
def test_the_text_is_on_the_first_screen(page: Page, width: int, height: int, lines: int) -> None:
    """Controls, sentence and text are in view without scrolling; nothing is wider than the window."""
    page.set_viewport_size({"width": width, "height": height})
    open_first_page(page)
    expect(page.locator(".bpeviz.player .say")).to_be_in_viewport(ratio=1)
    expect(page.locator(".bpeviz.player .tiles")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Next merge", exact=True)).to_be_in_viewport(ratio=1)
    wait_for(page, lambda: visible_lines(page) >= lines, f"{lines} lines are in view")
    if width > 1_000:
        expect(on.figure(page, "Most frequent pairs")).to_be_in_viewport(ratio=1)
        assert on.rows_of_pairs(page).count() >= 15
        expect(page.get_by_text("bpeviz", exact=True)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
