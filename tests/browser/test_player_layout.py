"""What of the player a window shows: on a laptop, on a projector, on a phone."""

from typing import Any, Literal

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.support import app_page as on
from tests.support.prepared_session import open_run, open_sample
from tests.support.trained import LOW

LAPTOP: Any = {"width": 1366, "height": 768}
PHONE: Any = {"width": 390, "height": 844}
#: The player's own buttons and fields.
KEYS = ".player :is(.row, .tools) :is(button, summary, input, select)"

#: How many lines of the text the window shows whole.
LINES = """text => {
  const { top, bottom } = text.getBoundingClientRect();
  const low = Math.min(bottom, innerHeight);
  const boxes = [...text.querySelectorAll(".tok")].flatMap((cell) => [...cell.getClientRects()]);
  const inside = boxes.filter((box) => box.top >= top - 1 && box.bottom <= low + 1);
  return new Set(inside.map((box) => Math.round((box.top + box.bottom) / 56))).size;
}"""


def box_of(place: Locator) -> FloatRect:
    box = place.bounding_box()
    assert box is not None
    return box


def lines(page: Page) -> int:
    count: int = page.locator(on.TEXT).evaluate(LINES)
    return count


@pytest.mark.parametrize("sample", ["English prose", "Python code"])
@pytest.mark.gate
def test_a_laptop_shows_twelve_lines_below_the_controls(page: Page, sample: str) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, sample, merges=300, step=41)
    for part in (".deck .row", ".curve", ".say", ".tiles"):
        expect(page.locator(f".player {part}")).to_be_in_viewport(ratio=1)
    assert lines(page) >= 12
    assert box_of(page.locator(".track"))["width"] > 500
    buttons = page.locator(".player .row :is(button, summary, input, select):visible")
    tops = buttons.evaluate_all("all => all.map(each => Math.round(each.getBoundingClientRect().top))")
    assert len(tops) == 12
    assert max(tops) - min(tops) <= 3  # the small ones are in the middle


def test_a_laptop_shows_a_fork_s_texts_verdict_and_pairs_at_once(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=500, step=87)
    on.fork(page, 2)
    for part in (".st-key-two_futures", ".st-key-panels", ".pairs .bars", ".card.other .text"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    for card in (".card.main", ".card.other"):
        assert page.locator(f"{card} .text").evaluate(LINES) >= 12


def test_the_field_for_a_text_keeps_its_place_and_focus_while_a_forked_text_is_typed(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    page.goto("/")
    on.train_on(page, LOW)
    on.fork(page, 2)
    on.open_text_menu(page)
    field = page.get_by_label("Type or paste your text")
    field.focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" more")
    expect(page.locator(".st-key-run_summary")).to_contain_text(f"{len(LOW) + 5} bytes")
    expect(page.locator(".card.other:visible")).to_have_count(0)
    on.expect_settled(page)
    expect(field).to_be_focused()
    page.keyboard.type(" low")
    expect(field).to_have_value(f"{LOW} more low")


def test_a_low_window_shows_eight_lines_of_text_by_scrolling(page: Page) -> None:
    page.set_viewport_size({"width": 1366, "height": 400})
    open_sample(page, "English prose", merges=300, step=41)
    assert box_of(page.locator(on.TEXT))["height"] >= 8 * 27


def test_a_laptop_at_a_zoom_of_200_percent_shows_three_lines_of_text(page: Page) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    open_sample(page, "English prose", merges=500, step=87)
    assert lines(page) >= 3
    assert page.evaluate("document.documentElement.scrollWidth") <= 683
    page.get_by_test_id("stMain").evaluate("e => { e.scrollTop = 400 }")
    for part in (".st-key-top", ".player .deck"):  # what stays in view would take most of it
        expect(page.locator(part)).not_to_be_in_viewport()


def test_the_text_follows_the_height_of_the_window(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=300)
    for height in (1000, 700, 768):
        page.set_viewport_size({"width": 1366, "height": height})
        on.expect_painted(page)
        end = box_of(page.locator(".player"))
        assert height - 50 <= end["y"] + end["height"] <= height


@pytest.mark.gate
def test_presenting_shows_the_player_alone_in_large_type(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_run(page, LOW * 20)
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    small = [page.locator(place).evaluate(size) for place in (on.TEXT, ".say")]
    page.keyboard.press("f")
    expect(page.get_by_role("link", name="Compare")).to_be_hidden()
    expect(on.summary(page)).to_be_hidden()
    expect(page.locator(".pairs")).to_be_hidden()
    large = [page.locator(place).evaluate(size) for place in (on.TEXT, ".say")]
    assert all(b >= 1.5 * a for a, b in zip(small, large, strict=True))
    expect(page.get_by_role("button", name="Present")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    on.expect_step(page, 1)
    assert lines(page) >= 8
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Compare")).to_be_visible()
    expect(page.locator(".pairs")).to_be_visible()
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("link", name="Compare")).to_be_hidden()
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("link", name="Compare")).to_be_visible()


def test_a_fork_made_while_the_page_is_scrolled_shows_as_many_lines(page: Page) -> None:
    page.set_viewport_size(LAPTOP)
    open_sample(page, "English prose", merges=300, step=41)
    main = page.get_by_test_id("stMain")
    height = "() => document.bpevizStage.player.fit.shell.style.getPropertyValue('--text-height')"
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    main.evaluate("e => { e.scrollTop = 600 }")
    page.keyboard.press("m")
    expect(page.locator(".card.other .tok").first).to_be_visible()
    on.expect_one_player(page)
    on.expect_settled(page)
    assert main.evaluate("e => e.scrollTop") > 0
    scrolled = page.evaluate(height)
    main.evaluate("e => { e.scrollTop = 0 }")
    page.set_viewport_size({"width": 1366, "height": 700})
    page.set_viewport_size(LAPTOP)
    on.expect_painted(page)
    assert scrolled == page.evaluate(height)


def test_presenting_leaves_the_panels_that_nobody_sees(page: Page) -> None:
    open_run(page, LOW * 20)
    panels = page.locator(".st-key-panels [role=tab]")
    shown = panels.evaluate_all("all => all.map(each => each.ariaSelected)")
    page.keyboard.press("f")
    for key in "123456":
        page.keyboard.press(key)
    on.expect_settled(page)
    page.keyboard.press("Escape")
    expect(page.locator(".pairs")).to_be_visible()
    assert panels.evaluate_all("all => all.map(each => each.ariaSelected)") == shown


#: The contrast of each mark's line with what is around it, where the colours are the person's own.
CONTRASTS = """selectors => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = color => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
      .map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return parts[0] * 0.2126 + parts[1] * 0.7152 + parts[2] * 0.0722;
  };
  const probe = document.body.appendChild(document.createElement("p"));
  probe.style.color = "Canvas";
  const ground = light(getComputedStyle(probe).color);
  probe.remove();
  const roots = [document.bpevizStage.player.root, document.bpevizStage.pairs.root];
  return selectors.map(([selector, property]) => {
    const mark = roots.map(root => root.querySelector(selector)).find(found => found);
    const [a, b] = [light(getComputedStyle(mark)[property]), ground].sort((a, b) => a - b);
    return (b + 0.05) / (a + 0.05);
  });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_are_seen_where_the_person_forces_colours(page: Page, scheme: Literal["light", "dark"]) -> None:
    open_run(page, LOW * 20, step=3)  # in the light theme
    on.bar(page, 2).click(force=True)
    expect(on.pair_card(page)).to_be_visible()
    page.emulate_media(color_scheme=scheme, forced_colors="active")
    page.locator(f"{on.CELLS}.left").first.click()
    marks = {
        ".card.main .tok.new": "outlineColor",
        ".card.main .tok.left": "borderBottomColor",
        ".card.main .tok.picked": "borderTopColor",
        ".pairs .picked": "fill",
        ".curve .marker": "stroke",
    }
    found = dict(zip(marks, page.evaluate(CONTRASTS, [*marks.items()]), strict=True))
    assert {mark: contrast for mark, contrast in found.items() if contrast < 3} == {}
    assert page.locator(".pairs .picked").evaluate("e => getComputedStyle(e).strokeWidth") == "3px"


def test_on_a_phone_a_bar_of_large_buttons_stays_at_the_bottom(page: Page) -> None:
    page.set_viewport_size(PHONE)
    open_sample(page, "English prose", merges=300, step=41)
    bar = page.locator(".player .transport")
    for scrolled in (0, 500, 100_000):
        page.get_by_test_id("stMain").evaluate("(e, top) => { e.scrollTop = top }", scrolled)
        box = box_of(bar)
        assert (box["x"], box["width"], box["y"] + box["height"]) == (0, 390, 844)
    targets = page.locator(f"{KEYS}:visible")
    sizes = targets.evaluate_all(
        "all => all.map(each => each.getBoundingClientRect()).map(({ width, height }) => [width, height])"
    )
    assert len(sizes) == 12
    assert all(width >= 44 and height >= 44 for width, height in sizes)
    page.get_by_role("button", name="Next merge", exact=True).click()
    on.expect_step(page, 42)


@pytest.mark.parametrize("sample", ["English prose", "Japanese", "Emoji chat"])
@pytest.mark.gate
def test_on_a_phone_nothing_of_the_player_is_wider_than_the_window(page: Page, sample: str) -> None:
    page.set_viewport_size(PHONE)
    open_sample(page, sample, merges=300, step=141)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = page.locator(".player *").evaluate_all(
        """all => all.filter(each => each.getBoundingClientRect().right > 391)
             .map(each => `${each.tagName} ${each.className}`)"""
    )
    assert wide == []
    text = page.locator(on.TEXT)
    assert text.evaluate("e => e.scrollWidth - e.clientWidth") <= 10  # a space at a line's end
    assert text.evaluate("e => getComputedStyle(e).overflowX") == "hidden"
    assert lines(page) >= 8


#: What a person presses above the text and at the foot of the window.
CONTROLS = f".st-key-pages :is(a, button), {KEYS}"


@pytest.mark.gate
def test_a_small_phone_and_a_zoom_of_400_percent_have_every_button_in_the_window(page: Page) -> None:
    page.set_viewport_size(PHONE)
    open_sample(page, "English prose", merges=3000, step=41)
    main = page.get_by_test_id("stMain")
    for width in (386, 360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        on.expect_painted(page)
        assert main.evaluate("e => e.scrollWidth - e.clientWidth") == 0
        boxes = (
            page.locator(CONTROLS)
            .filter(visible=True)
            .evaluate_all(
                """all => all.map(each => [each.getBoundingClientRect(), each.ariaLabel ?? ""])
                 .map(([{ left, right, width, height }, name]) => [left, right, width, height, name])"""
            )
        )
        assert len(boxes) == 9 + 12
        outside = [box for box in boxes if box[0] < 0 or box[1] > width]
        small = [box for box in boxes if box[2] < 43 or box[3] < 44]
        assert (outside, small) == ([], [])


@pytest.mark.parametrize("path", ["compare", "recipes", "encode", "vocabulary", "learn"])
def test_no_page_moves_sideways_at_a_zoom_of_400_percent(page: Page, path: str) -> None:
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(f"/{path}")
    expect(page.get_by_role("button", name="Help", exact=True)).to_be_visible()
    on.expect_settled(page)
    assert page.get_by_test_id("stMain").evaluate("e => e.scrollWidth - e.clientWidth") == 0


#: Of each target, whether a finger that is 21 pixels off its middle still meets it.
MEETS_FINGERS = """(root, selectors) => {
  const found = selectors.flatMap(each => [...root.querySelectorAll(each)]);
  const targets = found.filter(each => each.checkVisibility());
  const missed = targets.flatMap(target => {
    target.scrollIntoView({ block: "center", inline: "center" });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const met = [[-21, 0], [21, 0], [0, -21], [0, 21]].every(([dx, dy]) => {
      const hit = root.elementFromPoint(x + dx, y + dy);
      return target.contains(hit) || hit === target;
    });
    return met ? [] : [`${target.className.baseVal ?? target.className} ${target.textContent.slice(0, 20)}`];
  });
  return [targets.length, missed];
}"""


def expect_large_targets(page: Page, host: str, selectors: list[str], least: int) -> None:
    """Expect at least so many targets in the shadow root around an element, and that fingers meet them."""
    element = page.locator(host).first
    script = f"(element, selectors) => ({MEETS_FINGERS})(element.getRootNode(), selectors)"
    count, missed = element.evaluate(script, selectors)
    assert missed == []
    assert count >= least


@pytest.mark.parametrize("sample", ["English prose", "Python code"])
def test_on_a_phone_every_target_of_the_player_is_large(page: Page, sample: str) -> None:
    page.set_viewport_size(PHONE)
    open_sample(page, sample, merges=300, step=141)
    expect_large_targets(page, ".player", [".tiles .term", ".curve", ".curves summary"], 5)
    page.locator(f"{on.CELLS}:not(.one)").nth(5).click()
    expect(page.locator(".card.token")).to_be_visible()
    expect_large_targets(page, ".player", [".card.token button"], 7)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Close the token").click()
    page.get_by_role("button", name="Keys").click()
    expect_large_targets(page, ".player", [".keys button"], 1)
    page.keyboard.press("Escape")
    page.get_by_label("Find a token").fill("e")
    expect_large_targets(page, ".player", [".found li"], 5)
    page.goto("/")
    on.open_text_menu(page)
    expect_large_targets(page, ".text-box", [".watch"], 1)
