"""The player at a step: its marks, its sentence, its keys and the place in the text, against the core."""

import re

import pytest
from playwright.sync_api import Page, expect

from bpeviz import Corpus, Trainer
from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.saved_player import open_run
from tests.support.trained import LOW, shown, tokens, trained


@pytest.mark.gate
def test_the_new_token_and_the_pair_about_to_merge_are_marked(page: Page) -> None:
    open_run(page, LOW, step=3)
    trainer = trained(LOW)
    made, following = trainer.merges[2], trainer.merges[3]
    new = trainer.token_bytes(made[1]).decode()
    left, right = (trainer.token_bytes(i).decode() for i in following[0])
    assert set(on.marked(page, "new")) == {new}
    assert len(on.marked(page, "new")) == on.cells(page).count(new)
    assert set(on.marked(page, "left")) == {left}
    assert set(on.marked(page, "right")) == {right}
    assert len(on.marked(page, "left")) == len(on.marked(page, "right"))


@pytest.mark.gate
def test_a_token_under_the_pointer_tells_what_it_is(page: Page) -> None:
    open_run(page, LOW, step=6)
    trainer = trained(LOW)
    made = [trainer.token_bytes(token_id).decode() for _, token_id in trainer.merges[:6]]
    (pair, token_id), token = trainer.merges[5], made[5]
    left, right = (trainer.token_bytes(i).decode().replace(" ", "␣") for i in pair)
    ids = trainer.tokenizer().after(6).encode(LOW)
    page.locator(f"{on.CELLS}.new").first.hover()
    expect(page.locator(".tip:visible div")).to_have_text(
        [
            f"token {token.replace(' ', '␣')}",
            f"{len(token)} bytes {token.encode().hex(' ').upper()}",
            f"id {token_id}, {ids.count(token_id)} in the text now",
            f"merge 6: {left} + {right}",
        ]
    )
    page.locator(f"{on.CELLS}.one").first.hover()
    byte = page.locator(f"{on.CELLS}.one").first.text_content() or ""
    (base_id,) = trainer.tokenizer().after(0).encode(byte)
    expect(page.locator(".tip:visible div")).to_have_text(
        [
            f"token {byte.replace(' ', '␣')}",
            f"1 byte {byte.encode().hex().upper()}",
            f"id {base_id}, {ids.count(base_id)} in the text now",
            "in the base vocabulary",
        ]
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tip:visible")).to_have_count(0)


@pytest.mark.gate
def test_the_sentence_says_what_is_merged_and_why(page: Page) -> None:
    open_run(page, "ab ab ab cd cd cd ef ef")
    say = page.locator(".say")
    expect(say).to_have_text("Next: merge 1 joins a + b, seen 3 times, one of 3 tied pairs.")
    page.get_by_role("button", name="Next merge", exact=True).click()
    expect(say).to_contain_text("Done: merge 1 made ab. Next: merge 2 joins c + d, seen 3 times, one of ")
    page.get_by_role("button", name="Last").click()
    expect(say).to_contain_text(". No pair is left: every pre-token is a single token.")


def test_keys_go_from_tie_to_tie_and_the_scrubber_names_them(page: Page) -> None:
    text = "ab ab ab cd cd cd ef ef"
    open_run(page, text)
    trainer = Trainer(Corpus.from_text(text), "huggingface", num_merges=500, min_frequency=2)
    steps = list(trainer.steps())
    ties = [step.rank for step in steps if step.tied > 1]
    assert 0 in ties
    assert 1 < len(ties) < len(steps)
    for rank in ties[1:]:
        page.keyboard.press("t")
        on.expect_step(page, rank)
    page.keyboard.press("t")
    expect(page.locator(".say")).to_have_text("No later tie.")
    for rank in reversed(ties[:-1]):
        page.keyboard.press("Shift+T")
        on.expect_step(page, rank)
    page.keyboard.press("Shift+T")
    expect(page.locator(".say")).to_have_text("No earlier tie.")
    expect(page.locator(".tie-name")).to_have_text("ties")
    curve = page.locator(".curve")
    box = curve.bounding_box()
    assert box is not None
    for step in steps:
        curve.hover(position={"x": box["width"] * (step.rank + 0.5) / len(steps), "y": 20})
        said = re.sub("[\u2068\u2069]", "", page.locator(".pointed-at").inner_text())
        tie = f", tie of {step.tied}" if step.tied > 1 else ""
        assert said == f"merge {step.rank + 1}: {shown(trainer, step.pair)}{tie}"
    for share, step in ((0.2, 2), (0.8, 2), (0.5, 0)):
        x = box["width"] * (step + share) / len(steps)
        curve.click(position={"x": x, "y": 20})
        on.expect_step(page, step)
        expect(page.locator(".say")).to_contain_text(f"Next: merge {step + 1} joins")
    y = box["y"] + 20
    page.mouse.move(box["x"] + 30, y)
    page.mouse.down()
    for x, step in ((box["x"] + box["width"] + 40, len(steps)), (box["x"] - 10, 0)):
        page.mouse.move(x, y)
        on.expect_step(page, step)
    page.mouse.up()


def test_space_plays_after_a_mouse_click_but_presses_a_button_reached_by_keyboard(page: Page) -> None:
    open_run(page, LOW)
    page.get_by_role("button", name="Next merge", exact=True).click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.keyboard.press("Space")
    on.go_to(page, 3)
    page.get_by_role("button", name="Next merge", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Last")).to_be_focused()
    page.keyboard.press("Space")
    on.expect_step(page, len(trained(LOW).merges))


def test_enter_leaves_the_step_field_even_when_nothing_changed(page: Page) -> None:
    open_run(page, LOW)
    field = page.get_by_label("Merges made")
    field.focus()
    field.press("Enter")
    page.keyboard.press("ArrowRight")
    on.expect_step(page, 1)
    field.fill("")
    field.press("Enter")
    on.expect_step(page, 1)
    expect(field).to_have_value("1")


def test_the_place_in_the_text_stays_when_merges_make_lines_shorter(page: Page) -> None:
    open_run(page, read_sample("Japanese"))
    page.locator(on.TEXT).evaluate("e => { e.scrollTop = 1500 }")
    on.expect_painted(page)
    here = on.top_line(page)
    assert here in read_sample("Japanese").splitlines()[3:]
    assert here  # not an empty line, of which there are many
    for step in (3, 10, 40, 120, 0):
        on.go_to(page, step)
        assert on.top_line(page) == here
    page.set_viewport_size({"width": 1000, "height": 800})
    on.expect_painted(page)
    assert on.top_line(page) == here


@pytest.mark.gate
def test_a_long_text_shows_its_last_line_and_steps_there(page: Page) -> None:
    lines = [f"line {n}: the weather, the whether, the wether\n" for n in range(1_000)]
    text = "".join(lines)
    open_run(page, text)
    scroller = page.locator(on.TEXT)
    scroller.evaluate("e => { e.scrollTop = e.scrollHeight }")
    expect(page.locator(".block").last).to_contain_text("999")
    on.go_to(page, 40)
    expect(page.locator(".block").last).to_contain_text("line")
    tokenizer = trained(text).tokenizer().after(40)
    last = page.locator(".block").last.locator(".tok").all_text_contents()
    assert [cell for cell in last if cell] == [
        t.rstrip("\n") for t in tokens(tokenizer, lines[-1]) if t != "\n"
    ]
    assert len(on.cells(page)) < 3_000


def test_the_view_stays_full_when_merges_make_the_text_shorter(page: Page) -> None:
    open_run(page, read_sample("Hindi"))
    page.get_by_role("button", name="Last").click()
    expect(page.locator(".say")).to_contain_text("fewer than the minimum frequency of 2")
    view = page.locator(on.TEXT).bounding_box()
    last = page.locator(".block").last.bounding_box()
    assert view is not None
    assert last is not None
    assert last["y"] + last["height"] >= view["y"] + view["height"]
