"""What a finger can press on a phone, in Chromium: 44 pixels each way, on every page and in every menu."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import app_page as on
from tests.support.chromium import ALL_CONTROLS
from tests.support.prepared_session import sample_link

PAGES = ["", "learn", "compare", "recipes", "encode", "vocabulary"]
#: By the keys of their buttons.
MENUS = ["text_menu", "rules", "export", "share_menu", "session_menu", "help_menu"]
MENU = "[data-testid=stPopoverBody]"

#: The controls that answer to less than 44 pixels, by how many they have: of the open menu, else of the
#: page. The bars of pairs are left out: the list under them does the same.
FIND_SMALL = """() => {
  const deepest = (x, y) => {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inner = found.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === found) break;
      found = inner;
    }
    return found;
  };
  const within = (inner, outer) => {
    for (let each = inner; each; each = each.parentElement ?? each.getRootNode().host) {
      if (each === outer) return true;
    }
    return false;
  };
  const CONTROLS = `button, a[href], input:not([type=hidden], [type=file]), select, textarea, summary,
    [role=slider], [role=tab], [role=button], label:has(input[type=checkbox], input[type=radio])`;
  const controls = (root) => [...root.querySelectorAll("*")].flatMap((each) => [
    ...(each.matches(CONTROLS) ? [each] : []), ...(each.shadowRoot ? controls(each.shadowRoot) : []),
  ]);
  return controls(document.querySelector("[data-testid=stPopoverBody]") ?? document).flatMap((each) => {
    if (!each.checkVisibility({ visibilityProperty: true }) || each.disabled) return [];
    if (each.matches("label input") || each.closest("[inert], .bars")) return [];
    const thumb = each.matches("[data-testid=stSlider] input");
    const target = thumb ? each.parentElement.parentElement : each;
    if (target.getBoundingClientRect().width < 2) return [];
    target.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = target.getClientRects()[0];
    const answers = (dx, dy) => {
      const x = Math.max(0, Math.min(innerWidth - 1, left + width / 2 + dx));
      return within(deepest(x, top + height / 2 + dy), target);
    };
    const low = height < 44 && !(answers(0, -20.5) && answers(0, 20.5));
    const narrow = width < 44 && !(answers(-20.5, 0) && answers(20.5, 0));
    const name = each.getAttribute("aria-label") ?? each.textContent.slice(0, 40);
    return low || narrow ? [`${Math.round(width)} x ${Math.round(height)}: ${name}`] : [];
  });
}"""


@pytest.fixture
def phone(chromium: Browser, site: str) -> Iterator[Page]:
    context = chromium.new_context(
        base_url=site,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    context.set_default_timeout(60_000)
    context.add_init_script(ALL_CONTROLS)
    yield context.new_page()
    context.close()


#: Fields into which iOS would zoom.
FIND_SMALL_TYPE = """() => [...document.querySelectorAll("input:not([type=checkbox], [type=file]), textarea")]
  .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).map(field => field.ariaLabel)"""


def expect_large_targets(page: Page) -> None:
    on.expect_settled(page)
    assert page.evaluate(FIND_SMALL_TYPE) == []
    expect(page.locator(".st-key-pages")).to_have_css("flex-wrap", "nowrap")  # the page's style is there
    assert page.evaluate(FIND_SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("path", PAGES)
def test_every_control_of_a_page_has_room_for_a_finger(phone: Page, path: str) -> None:
    phone.goto(f"/{path}{sample_link('German', merges=60, step=9)}")
    expect(phone.locator(".st-key-pages")).to_be_visible()
    expect_large_targets(phone)


@pytest.mark.parametrize("menu", MENUS)
def test_every_control_of_a_menu_has_room_for_a_finger(phone: Page, menu: str) -> None:
    phone.goto(f"/{sample_link('German', merges=60, step=9)}")
    expect(phone.locator(on.CELLS).first).to_be_visible()
    on.expect_settled(phone)
    phone.locator(f".st-key-{menu}").get_by_test_id("stPopoverButton").click()
    expect(phone.locator(MENU)).to_be_visible()
    expect_large_targets(phone)
    box = phone.locator(MENU).bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_export_is_in_view_on_the_smallest_phone(phone: Page) -> None:
    phone.set_viewport_size({"width": 320, "height": 568})
    phone.goto(f"/{sample_link('German', merges=60, step=9)}")
    expect(phone.locator(".st-key-export").get_by_test_id("stPopoverButton")).to_be_in_viewport(ratio=1)


def test_the_words_of_a_lesson_stay_in_view_above_the_player_s_buttons(phone: Page) -> None:
    phone.goto("/?card=1")
    for place in range(1, 4):
        words = phone.locator(".st-key-lesson_words")
        expect(words).to_contain_text(f"Card {place} of 10")
        on.expect_settled(phone)
        if place == 2:
            phone.locator(".lesson .forward").tap()
            on.expect_settled(phone)
        expect(words).to_be_in_viewport(ratio=1)
        box, bar = words.bounding_box(), phone.locator(".transport").bounding_box()
        assert box is not None
        assert bar is not None
        assert box["y"] + box["height"] <= bar["y"]
        phone.locator(".lesson .forward").tap()
