"""What a person does and reads on the page, by name."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError, expect

from bpeviz.ui.watch.state import MORE, TABS
from tests.support.waiting import wait_for

#: The text of the run; another may be beside it.
TEXT = ".card.main .text"
CELLS = f"{TEXT} .tok"


FIELD = "Type or paste your text"


def open_text_menu(page: Page) -> None:
    """Open the menu for the text."""
    page.locator(".st-key-text_menu").get_by_test_id("stPopoverButton").click()
    expect(page.get_by_label(FIELD)).to_be_visible()
    expect_settled(page)


def open_rules(page: Page) -> None:
    """Open the menu for the rules."""
    page.locator(".st-key-rules").get_by_test_id("stPopoverButton").click()
    expect(page.get_by_role("combobox", name="Recipe")).to_be_visible()
    expect_settled(page)


def train_on(page: Page, text: str) -> None:
    """Give the page a text in the field of its menu, and wait for the run."""
    open_text_menu(page)
    page.get_by_label(FIELD).fill(text)
    expect(summary(page)).to_contain_text(f"your text · {len(text.encode()):,} bytes")
    page.keyboard.press("Escape")
    expect(page.get_by_label(FIELD)).to_have_count(0)
    expect_settled(page)
    expect_one_player(page)


def summary(page: Page) -> Locator:
    """The menus that say what the shown run is."""
    return page.locator(".st-key-run_summary")


def train_on_sample(page: Page, title: str) -> None:
    open_text_menu(page)
    page.locator(".st-key-samples").get_by_role("button", name=title).click()
    expect(summary(page)).to_contain_text(title)
    expect(page.get_by_label(FIELD)).to_have_count(0)  # the menu closes
    expect_settled(page)
    expect_one_player(page)


def drop(page: Page, name: str, data: bytes) -> None:
    """Give the page a file to train on."""
    file: Any = {"name": name, "mimeType": "text/plain", "buffer": data}
    page.locator(".st-key-drop_zone input[type=file]").set_input_files(file)


def give(page: Page, name: str, data: bytes, place: int = 0) -> None:
    """Upload a file in one of the page's upload fields."""
    file: Any = {"name": name, "mimeType": "text/plain", "buffer": data}
    fields = page.locator("input[type=file]:not(.st-key-drop_zone *)")  # that one is for dropped files
    fields.nth(place).set_input_files(file)


def go_to(page: Page, step: int) -> None:
    field = page.get_by_label("Merges made")
    field.fill(str(step))
    field.press("Enter")
    expect_step(page, step)


def stop_at(page: Page, step: int) -> None:
    """Go to a step and wait for the rest of the page."""
    go_to(page, step)
    expect_at(page, step)


def expect_at(page: Page, step: int) -> None:
    """The panels beside the player are those of a step."""
    drawn = "document.bpevizStage?.drawn?.step"
    wait_for(page, lambda: page.evaluate(drawn) == step, f"the panels are drawn for step {step}")
    expect_settled(page)


def expect_step(page: Page, step: int) -> None:
    """Wait until one player is left, as the one of another page may still be there, and shows a step."""
    values = "fields => fields.map(field => field.value)"
    wait_for(
        page, lambda: step_field(page).evaluate_all(values) == [str(step)], f"one player is at step {step}"
    )


def step_field(page: Page) -> Locator:
    """The field of the player that says how many merges are made."""
    return page.locator(".bpeviz.player .step")


def tile(page: Page, name: str) -> Locator:
    """A tile of the player."""
    return page.locator(f".bpeviz.player [data-tile={name}]")


def cells(page: Page) -> list[str]:
    """The text of every visible cell."""
    return page.locator(CELLS).all_text_contents()


def marked(page: Page, kind: str) -> list[str]:
    return page.locator(f"{CELLS}.{kind}").all_text_contents()


def expect_counts(page: Page, counts: list[int]) -> None:
    """Check the counts at the bars of the most frequent pairs, from the top."""
    expect(rows_of_pairs(page)).to_have_count(len(counts))
    assert [count for _, count in pairs_on_show(page)] == [f"{count:,}" for count in counts]


def rows_of_pairs(page: Page) -> Locator:
    """The rows of the chart of pairs, in no order."""
    return figure(page, "Most frequent pairs").locator(".bars > g")


def pairs_on_show(page: Page) -> list[tuple[str, str]]:
    """The labels and counts of the most frequent pairs, from the top."""
    rows = rows_of_pairs(page).evaluate_all(
        """rows => rows.map(row => [row.getBoundingClientRect().top,
             ...["label", "count"].map(name => row.querySelector("." + name).textContent)])"""
    )
    return [(re.sub("[\u2068\u2069]", "", label), count) for _, label, count in sorted(rows)]


def spelled(cells: Locator) -> str:
    """The text of cells; those in hexadecimal are bytes."""
    return spelled_bytes(cells).decode()


def top_line(page: Page) -> str:
    """The text of the block at the top of the text panel. In one go: blocks come above it while it rests."""
    cells = page.locator(TEXT).evaluate(
        """text => {
          const { top } = text.getBoundingClientRect();
          const first = [...text.querySelectorAll(".block")].find(
            (block) => block.getBoundingClientRect().bottom > top + 1);
          return [...first.querySelectorAll(".tok")].map((c) => [c.classList.contains("hex"), c.textContent]);
        }"""
    )
    return bytes_of_cells(cells).decode()


def spelled_bytes(cells: Locator) -> bytes:
    """The bytes of cells, which may be parts of characters; without line ends."""
    return bytes_of_cells(
        cells.evaluate_all("cells => cells.map(c => [c.classList.contains('hex'), c.textContent])")
    )


def bytes_of_cells(cells: list[tuple[bool, str]]) -> bytes:
    return b"".join(bytes.fromhex(text) if is_hex else text.encode() for is_hex, text in cells)


def steady(page: Page) -> Locator:
    """The lasting elements of the page; Streamlit marks those that it is about to remove."""
    return page.locator("[data-stale=false]")


def expect_one_player(page: Page) -> None:
    """Wait until one player is left: for a moment a new run's player is beside the old one."""
    expect(page.locator(".bpeviz.player")).to_have_count(1)


def expect_settled(page: Page) -> None:
    """Wait until the page is drawn and its old elements are gone: until then a click may hit those."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def expect_painted(page: Page) -> None:
    """Wait until the page has painted what a scroll or another size of the window changes: each frame tells
    its listeners first, and what they change is in the frames after it."""
    page.evaluate(
        """async () => {
          for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
        }"""
    )


def expect_faded_in(page: Page) -> None:
    """Wait until no colour fades any more: a fault in a half-faded one is none.

    What turns for ever, such as the mark of a page that works, isn't waited for.
    """
    page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
          .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
          .map(animation => animation.finished))"""
    )


def scroll_to(field: Locator) -> None:
    """Scroll to a field and wait for the page to rest: scrolling closes an open list."""
    field.hover()
    expect_painted(field.page)


def choose(field: Locator, option: str, exact: bool = True) -> None:
    """Choose from the list of a field, which opens again if the page was drawn again and so closed it."""
    wanted = field.page.get_by_role("option", name=option, exact=exact)
    scroll_to(field)
    for _ in range(5):
        field.click()
        try:
            return wanted.click(timeout=5_000)
        except TimeoutError:
            pass
    raise AssertionError(f"no list has {option}")


def open_saved_file(page: Page, path: Path) -> None:
    """Open a saved session or a run from the menu, which must be open."""
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text(path.name)).to_be_visible()
    expect_settled(page)
    page.get_by_role("button", name="Open this file").click()
    opens = page.get_by_role("link", name="Open in a new tab")
    expect(opens).to_be_visible()
    expect_settled(page)
    address = opens.get_attribute("href")
    assert address
    assert address != page.url
    page.goto(address)


def figure(page: Page, name: str) -> Locator:
    return page.get_by_role("figure", name=name)


def pair_card(page: Page) -> Locator:
    """The card of the picked pair."""
    return page.get_by_role("region", name="Picked pair")


def expect_picked(page: Page, label: str) -> None:
    """The card is about a pair."""
    expect(pair_card(page).get_by_role("heading")).to_have_text(label)


def open_panel(page: Page, name: str) -> None:
    """Show a panel beside the player."""
    expect_settled(page)
    panels = page.locator(".st-key-panels")
    if name in TABS:
        panels.get_by_role("tab", name=name, exact=True).click()
    else:
        panels.get_by_role("tab", name=MORE, exact=True).click()
        panels.get_by_role("radio", name=name, exact=True).click()
    expect_panel(page, name)
    expect_settled(page)


def expect_panel(page: Page, name: str) -> None:
    """The panel beside the player is this one."""
    panels = page.locator(".st-key-panels")
    tab = panels.get_by_role("tab", name=name if name in TABS else MORE, exact=True)
    expect(tab).to_have_attribute("aria-selected", "true")
    if name not in TABS:
        expect(panels.get_by_role("radio", name=name, exact=True)).to_be_checked()


def bar(page: Page, place: int) -> Locator:
    """The bar at a place in the list of most frequent pairs, counted from the top."""
    bars = figure(page, "Most frequent pairs").locator(".bars .bar")
    expect(bars.nth(place)).to_be_attached()
    boxes = bars.evaluate_all("bars => bars.map(b => b.getBoundingClientRect().top)")
    return bars.nth(sorted(range(len(boxes)), key=boxes.__getitem__)[place])


def merge_instead(page: Page, place: int) -> None:
    """Begin a fork: merge the pair of a bar next."""
    bar(page, place).click(force=True)
    page.get_by_role("button", name="Merge it next instead").click()


def fork(page: Page, place: int) -> None:
    """Merge the pair of a bar next, and see both runs side by side."""
    merge_instead(page, place)
    expect(page.locator(".card.other .tok").first).to_be_visible()
    expect_settled(page)
    expect_one_player(page)


def pick_text(page: Page, label: str) -> None:
    """Pick a text from the list of the pages that compare."""
    choose(page.get_by_role("combobox", name=re.compile("^Text")), label)


def bring_tokenizer(page: Page, name: str, data: bytes) -> None:
    """Add a tokenizer's file, on the compare page, once the page is at rest."""
    page.get_by_role("combobox", name="Left").wait_for()
    expect_settled(page)
    page.get_by_role("button", name="Add a tokenizer").click()
    give(page, name, data)


def bring_left(page: Page, name: str, data: bytes, split: str = "") -> None:
    """Add a tokenizer's file, with its ``split`` pattern if the file says none, and pick it on the left."""
    bring_tokenizer(page, name, data)
    if split:
        choose(page.get_by_role("combobox", name="Split pattern").last, split, exact=False)
    expect(page.get_by_label("Name", exact=True).last).to_have_value(name, timeout=60_000)  # it is read
    expect_settled(page)
    page.keyboard.press("Escape")
    choose(page.get_by_role("combobox", name="Left"), f"{name} · your file")
    expect(page.locator('.side[data-side="0"] .name')).to_have_text(name, timeout=60_000)
    expect_settled(page)


def play(page: Page, merges_per_second: int) -> None:
    page.get_by_label("Merges per second").select_option(str(merges_per_second))
    page.get_by_role("button", name="Play").click()


def pick(page: Page, label: str) -> None:
    """Pick the bar of a pair."""
    names = [name for name, _ in pairs_on_show(page)]
    bar(page, names.index(label)).click(force=True)
    expect_picked(page, label)


def choose_recipe(page: Page, recipe: str) -> None:
    choose(page.get_by_role("combobox", name=re.compile("Recipe")), recipe)
