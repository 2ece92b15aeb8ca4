"""A hosted server as people reach it: by its name, through a proxy with a path, in another site's frame."""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.app_page import CELLS
from tests.support.hosted_page import expect_app, expect_refused, framed, tab_with_names
from tests.support.paths import ROOT
from tests.support.proxy import proxy
from tests.support.server import address_of, free_port, running, running_command
from tests.support.wheel import environment

COURSE, STRANGER = "http://course.example.net", "http://stranger.example.com"


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    with tab_with_names(chromium.browser_type) as page:
        yield page


@pytest.mark.gate
def test_a_frame_of_a_named_site_shows_the_app_and_that_of_another_does_not(tab: Page) -> None:
    variables = {"BPEVIZ_HOSTED": "1", "BPEVIZ_HOSTS": "*.example.org", "BPEVIZ_FRAMES": COURSE}
    with running(variables) as server:
        port = server.url.rpartition(":")[2]
        address = f"http://bpe.example.org:{port}/"
        expect_app(framed(tab, COURSE, address))
        player = framed(tab, COURSE, f"{address}?embed=true&text=low+lower+lowest&merges=5&step=3")
        expect(player.locator(".bpeviz.player .step")).to_have_value("3")
        expect(player.get_by_role("link", name="Open in bpeviz")).to_be_visible()
        expect(player.get_by_role("link", name="Compare")).to_have_count(0)
        said: list[str] = []
        tab.on("console", lambda message: said.append(message.text))
        expect_refused(framed(tab, STRANGER, address))
        assert any("frame-ancestors" in words for words in said)
        tab.goto(f"http://other.example.com:{port}/")
        expect(tab.locator("body")).to_contain_text("does not answer as other.example.com")
        expect(tab.locator("body")).to_contain_text("BPEVIZ_HOSTS")


def test_a_server_without_names_has_no_frames_of_other_sites(tab: Page) -> None:
    with running({"BPEVIZ_HOSTED": "1"}) as server:
        expect_refused(framed(tab, COURSE, server.url))
        tab.goto(server.url)
        expect(tab.locator(CELLS).first).to_be_visible()


def test_behind_a_proxy_with_a_path(tab: Page) -> None:
    port, path = free_port(), "/tools/bpe"
    variables = {"BPEVIZ_HOSTED": "1", "BPEVIZ_HOSTS": "example.org"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    command += ["--server.baseUrlPath", path.strip("/")]
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    with (
        running_command(command, port, {**environment(), **variables}, ROOT, f"{path}/_stcore/health"),
        proxy(port, path) as outside,
    ):
        site = f"http://example.org:{outside}{path}/"
        tab.goto(site)
        expect_app(tab)
        tab.get_by_role("link", name="Compare").click()
        expect(tab.get_by_text("Equal vocabulary size").first).to_be_visible()
        assert tab.url.startswith(f"{site}compare")
    assert [url for url in asked if not url.startswith((site, "data:", "blob:"))] == []


def test_the_main_file_for_community_cloud(tab: Page) -> None:
    port = free_port()
    file = Path("hosting", "community_cloud", "streamlit_app.py")
    command = [Path(sys.executable).with_name("streamlit"), "run", file, "--server.port", str(port)]
    with running_command(command, port, {**environment(), "BPEVIZ_FRAMES": COURSE}, ROOT):
        # Chromium opens no address of .app without TLS
        for host, status in (("bpe.streamlit.app", 200), ("bpe.example.org", 403)):
            asked = Request(address_of(port), headers={"Host": host})
            assert status_of(asked) == status
        tab.goto(address_of(port))
        expect_app(tab)
        expect_app(framed(tab, COURSE, address_of(port)))


def status_of(asked: Request) -> int:
    try:
        with urlopen(asked, timeout=60) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code
