"""The playground in a folder: on a web server it fetches tokenizers from beside the page."""

import gzip
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bpeviz import load_pretrained
from bpeviz.standalone.playground import BESIDE, write_playground_folder
from tests.support import app_page as on
from tests.support.trained import LOW, tokens, trained

#: As a course's server has it, under a path.
PLACE = "course/playground"


class Quiet(SimpleHTTPRequestHandler):
    """A web server that logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, below the root of a web server."""
    place = tmp_path_factory.mktemp("site") / PLACE
    place.mkdir(parents=True)
    for name, data in write_playground_folder().items():
        (place / name).write_bytes(data)
    return place


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The folder on a web server, whose root is above it."""
    root = folder.parents[1]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PLACE}/"
        server.shutdown()


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Page]:
    """A tab with a network; afterwards it asked its own server only, and no script failed."""
    context = chromium.new_context()
    page = context.new_page()
    asked: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    yield page
    context.close()
    assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "file:", "blob:"))] == []
    assert failed == []


def open_at(page: Page, address: str, text: str) -> None:
    page.goto(address)
    expect(page.locator(on.CELLS).first).to_be_visible()
    page.get_by_label(on.FIELD).fill(text)
    expect(page.locator(".playground .note")).to_have_text(f"{len(text.encode())} bytes")


def choose(page: Page, name: str) -> None:
    page.get_by_label("Compare with").select_option(name)


@pytest.mark.gate
def test_tokenizers_come_from_beside_the_page_when_they_are_chosen(visitor: Page, address: str) -> None:
    text = f"{LOW}<b>日本</b> if x:\n        return 1234567"
    open_at(visitor, address, text)
    expect(visitor.locator(".playground .rows dt")).to_have_count(2)
    for number, name in enumerate(BESIDE):
        choose(visitor, name)
        known = load_pretrained(name)
        row = visitor.get_by_role("group", name=f"Tokens of {name}", exact=True)
        total = len(known.encode(text))
        heading = row.locator("xpath=../preceding-sibling::dt[1]")
        expect(heading).to_have_text(f"{name} {total} tokens")
        expect(visitor.locator(".playground .rows dt")).to_have_count(3 + number)
        assert row.locator(".tok").all_text_contents()[:9] == tokens(known, LOW)[:9]
        place = visitor.locator("#below details")
        expect(place.locator("summary").first).to_have_text(f"Compare with {name}")
        if not number:
            place.locator("summary").first.click()
        own = len(trained(text).tokenizer().encode(text))
        expect(visitor.locator(".comparer .order")).to_contain_text(name)
        expect(visitor.locator(".comparer .order")).to_contain_text(f"{own:,} tokens")
        expect(visitor.locator(".comparer .order")).to_contain_text(f"{total:,} tokens")
    choose(visitor, "GPT-2")
    expect(visitor.locator(".comparer .order")).to_contain_text("GPT-2")


@pytest.mark.gate
def test_from_the_disk_the_page_says_that_this_needs_a_web_server(visitor: Page, folder: Path) -> None:
    open_at(visitor, (folder / "index.html").as_uri(), LOW)
    choose(visitor, "o200k_base")
    expect(visitor.get_by_role("alert")).to_have_text(
        "o200k_base needs a web server: a page from the disk can't read the files beside it."
    )
    expect(visitor.get_by_label("Compare with")).to_have_value("GPT-2")
    choose(visitor, "GPT-2")
    expect(visitor.get_by_role("alert")).to_be_hidden()


@pytest.mark.gate
def test_in_a_frame_that_is_kept_apart_the_page_says_to_open_it_by_itself(
    visitor: Page, address: str, folder: Path
) -> None:
    course = folder.parent / "course.html"
    frame = f'<iframe sandbox="allow-scripts" src="{address}" width="900" height="600"></iframe>'
    course.write_text(f"<!doctype html><title>Course</title>{frame}", "utf-8")
    visitor.goto(f"{address.removesuffix('playground/')}course.html")
    inside = visitor.frame_locator("iframe")
    inside.get_by_label("Compare with").select_option("o200k_base")
    expect(inside.get_by_role("alert")).to_have_text(
        "o200k_base needs this page outside of a frame. Open it by itself."
    )


@pytest.mark.gate
def test_a_file_that_is_not_there_gets_a_sentence_and_one_that_comes_unpacked_is_read(
    visitor: Page, address: str, folder: Path
) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "index.html").write_bytes((folder / "index.html").read_bytes())
    name = "cl100k_base"
    (other / f"{name}.gz").write_bytes(gzip.decompress((folder / f"{name}.gz").read_bytes()))
    open_at(visitor, f"{address.removesuffix('playground/')}other/", LOW)
    choose(visitor, "o200k_base")
    expect(visitor.get_by_role("alert")).to_have_text(
        "The server answered 404 for o200k_base.gz. Put the whole folder on the server, and try again."
    )
    choose(visitor, name)
    expect(visitor.get_by_role("alert")).to_be_hidden()
    expect(visitor.get_by_role("group", name=f"Tokens of {name}")).to_be_visible()
