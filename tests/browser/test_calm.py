"""The first screen of a newcomer: few controls, the others behind “More”, which the browser remembers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from bpeviz.standalone.playground import write_playground
from tests.support import app_page as on
from tests.support.prepared_session import sample_link

#: The controls in sight before anybody scrolls, by name. Bars, tokens and explained terms are content.
CONTROLS = """() => {
  const found = [];
  const controls = "button, a[href], input, select, textarea, summary, [role=tab], [role=slider]";
  const content = ".bars, .text, .term, .facts";
  const walk = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) walk(each.shadowRoot);
      if (!each.matches(controls) || each.matches("input.step") || each.closest(content)) continue;
      const { width, height, top, bottom } = each.getBoundingClientRect();
      if (!width || !height || top >= innerHeight || bottom <= 0) continue;
      if (!each.checkVisibility({ visibilityProperty: true })) continue;
      found.push(each.ariaLabel || each.textContent.trim());
    }
  };
  walk(document);
  return found;
}"""
HIDDEN = ["Find a token", "Merges per second", "Present", "Keys", "Go to the next tie"]


@pytest.fixture
def newcomer(chromium: Browser, site: str) -> Iterator[Page]:
    """A tab of somebody who was never here."""
    context = chromium.new_context(
        base_url=site, viewport={"width": 1366, "height": 768}, reduced_motion="reduce"
    )
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


@pytest.mark.gate
@pytest.mark.parametrize(
    ("width", "height", "most"), [(1366, 768, 26), (1920, 1080, 26), (820, 1180, 26), (390, 844, 24)]
)
def test_few_controls_are_in_sight(newcomer: Page, width: int, height: int, most: int) -> None:
    newcomer.set_viewport_size({"width": width, "height": height})
    newcomer.goto("/")
    expect(newcomer.locator(".pairs .bars")).to_be_attached()
    on.expect_settled(newcomer)
    controls = newcomer.evaluate(CONTROLS)
    assert "Next merge" in controls
    assert not {*HIDDEN} & {*controls}
    assert len(controls) <= most, controls


@pytest.mark.gate
def test_the_playground_has_few_controls_in_sight(
    newcomer: Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = tmp_path_factory.mktemp("page") / "playground.html"
    page.write_text(write_playground(), "utf-8")
    newcomer.goto(page.as_uri())
    expect(newcomer.locator(on.CELLS).first).to_be_visible()
    controls = newcomer.evaluate(CONTROLS)
    assert not {*HIDDEN} & {*controls}
    assert len(controls) <= 26, controls


@pytest.mark.gate
def test_more_shows_the_others_and_is_remembered(newcomer: Page) -> None:
    newcomer.goto("/")
    on.expect_settled(newcomer)
    more = newcomer.get_by_role("button", name="More", exact=True)
    export = newcomer.locator(".st-key-export").get_by_test_id("stPopoverButton")
    parity = newcomer.get_by_text("Same merges as tokenizers?")
    expect(more).to_have_attribute("aria-expanded", "false")
    expect(export).to_be_hidden()
    expect(parity).to_be_hidden()
    more.click()
    newcomer.reload()
    on.expect_settled(newcomer)
    for name in HIDDEN:
        expect(newcomer.get_by_label(name).first).to_be_visible()
    expect(export).to_be_visible()
    expect(parity).to_be_visible()
    newcomer.keyboard.press("o")
    expect(newcomer.get_by_label("Find a token").first).to_be_hidden()
    expect(more).to_have_attribute("aria-expanded", "false")


@pytest.mark.gate
@pytest.mark.parametrize(("key", "shown"), [("/", ".find input"), ("c", ".curves .charts")])
def test_a_key_shows_what_it_is_for(newcomer: Page, key: str, shown: str) -> None:
    newcomer.goto("/")
    expect(newcomer.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(newcomer)
    newcomer.keyboard.press(key)
    expect(newcomer.locator(shown)).to_be_visible()
    if key == "/":
        expect(newcomer.locator(shown)).to_be_focused()


def test_the_text_has_dots_for_spaces_and_its_legend_says_what_byte_cells_are(newcomer: Page) -> None:
    newcomer.goto(f"/{sample_link('English prose', merges=9, step=3)}")
    expect(newcomer.locator(on.CELLS).first).to_be_visible()
    expect(newcomer.locator(f"{on.TEXT} .ws:not(.end)").first).to_have_attribute("data-glyph", "·")
    expect(newcomer.locator(".of-bytes")).to_be_hidden()
    newcomer.goto(f"/{sample_link('Japanese', merges=9, step=3)}")
    expect(newcomer.locator(f"{on.CELLS}.hex").first).to_be_visible()
    expect(newcomer.locator(".of-bytes")).to_have_text("E3 a byte, part of a character")
    expect(newcomer.locator(".of-bytes")).to_be_visible()
