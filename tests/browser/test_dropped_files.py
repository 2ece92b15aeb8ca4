"""Files dropped on the window, in Chromium: the browser opens none in place of the page."""

import pytest
from playwright.sync_api import Page, expect

from tests.support import app_page as on
from tests.support.waiting import wait_for

#: Drag a file over the page and drop it on its body; return whether the page held it back both times.
DROP = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["a cat"], "cat.txt"));
  const held = (kind) => {
    const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  };
  held("dragenter");
  return [held("dragover"), held("drop")];
}"""
#: As above, without the drop.
DRAG = """() => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["a cat"], "cat.txt"));
  document.body.dispatchEvent(new DragEvent("dragenter", { bubbles: true, dataTransfer }));
}"""


def open_page(page: Page, path: str) -> None:
    page.goto(f"/{path}")
    expect(page.get_by_role("button", name="Help", exact=True)).to_be_visible()
    on.expect_settled(page)
    held = "the page's script holds files back"
    wait_for(page, lambda: page.evaluate(DROP) == [True, True], held)


@pytest.mark.parametrize(
    "path", [pytest.param("recipes", marks=pytest.mark.gate), "learn", "compare", "encode", "vocabulary", ""]
)
def test_no_page_is_lost_to_a_dropped_file(page: Page, path: str) -> None:
    open_page(page, path)


def test_a_page_without_a_use_for_files_says_so_while_one_is_over_it(page: Page) -> None:
    open_page(page, "recipes")
    says = page.get_by_text("This page takes no files. Drop texts on Watch, Encode or Compare.")
    expect(says).to_be_hidden()
    page.evaluate(DRAG)
    expect(says).to_be_visible()
    page.evaluate(DROP)
    expect(says).to_be_hidden()


def test_a_text_dropped_on_encode_is_encoded(page: Page) -> None:
    open_page(page, "encode")
    field = page.get_by_role("textbox", name="Text to encode")
    top = field.bounding_box()
    on.drop(page, "cat.txt", b"a dropped cat")
    expect(field).to_have_value("a dropped cat")
    on.expect_settled(page)
    assert field.bounding_box() == top
