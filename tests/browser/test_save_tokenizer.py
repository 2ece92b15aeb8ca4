"""The menu that saves a tokenizer in Chromium: the file that is downloaded, in the library that it is for."""

from pathlib import Path

import pytest
import tokenizers
from playwright.sync_api import Page, expect

from bpeviz.runs.samples import read_sample
from tests.support import app_page as on
from tests.support.prepared_session import open_run
from tests.support.trained import trained


@pytest.mark.gate
def test_a_tokenizer_json_is_saved_and_loaded_by_tokenizers(page: Page, tmp_path: Path) -> None:
    text = read_sample("English prose")
    open_run(page, text, step=20)
    page.get_by_role("button", name="Export", exact=True).click()
    expect(
        page.get_by_text(f"with all {len(trained(text).tokenizer().merges)} merges, as a file")
    ).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Hugging Face tokenizer.json").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "tokenizer.json"
    theirs = tokenizers.Tokenizer.from_file(str(path))
    tokenizer = trained(text).tokenizer()
    assert len(tokenizer.merges) > 400
    for title in ("English prose", "Many languages"):
        assert theirs.encode(read_sample(title)).ids == tokenizer.encode(read_sample(title))
    on.expect_step(page, 20)  # the player stands as it did


def test_the_menu_stands_in_one_row_with_its_neighbours(page: Page) -> None:
    open_run(page, "the cat in the hat")
    for width in (400, 1360):
        page.set_viewport_size({"width": width, "height": 900})
        boxes = [
            page.locator(f".st-key-{key}").get_by_test_id("stPopoverButton").bounding_box()
            for key in ("text_menu", "rules", "export")
        ]
        assert len({box["y"] for box in boxes if box}) == 1
