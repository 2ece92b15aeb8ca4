"""The running server, asked by raw sockets: who reaches it, and what it refuses."""

import http.client
import json
import re
import socket
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from bpeviz.limits import limits
from bpeviz.ui.server.hosting import Hosting
from bpeviz.ui.server.response_headers import headers
from tests.support import app_page as on

REFUSED, TAKEN = "403 Forbidden", "101 Switching Protocols"


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port is not None
    return port


def websocket(address: str, host: str, origin: str | None) -> str:
    """The status with which the server answers the handshake of a page."""
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: streamlit",
        *([f"Origin: {origin}"] if origin else []),
    ]
    with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return connection.recv(4096).split(b"\r\n")[0].decode().removeprefix("HTTP/1.1 ")


@pytest.mark.gate
def test_a_page_of_ours_may_talk_to_the_server(address: str) -> None:
    port = port_of(address)
    for name in ("localhost", "127.0.0.1"):
        assert websocket(address, f"{name}:{port}", f"http://{name}:{port}") == TAKEN


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost.evil.example", "null"])
@pytest.mark.gate
def test_a_page_of_another_site_may_not(address: str, origin: str) -> None:
    assert websocket(address, f"localhost:{port_of(address)}", origin) == REFUSED


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "localhost@evil.example"])
def test_a_name_that_is_made_to_lead_here_is_no_host_of_ours(address: str, host: str) -> None:
    assert websocket(address, host, f"http://{host}") == REFUSED


def test_an_answer_is_shared_with_no_other_site(address: str) -> None:
    asked = urllib.request.Request(f"{address}/_stcore/health", headers={"Origin": "http://evil.example"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] is None


def status(address: str, path: str, method: str = "GET") -> int:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/compare", "/_stcore/health", "/_stcore/metrics", "/media/none"])
@pytest.mark.gate
def test_every_answer_has_the_headers(address: str, path: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("GET", path)
    sent = dict(connection.getresponse().getheaders())
    connection.close()
    assert {name.lower(): value for name, value in headers(Hosting()).items()}.items() <= sent.items()


def test_a_page_around_this_one_is_listened_to_by_no_origin(address: str) -> None:
    with urllib.request.urlopen(f"{address}/_stcore/host-config", timeout=60) as answer:
        assert json.load(answer)["allowedOrigins"] == []


@pytest.mark.gate
def test_the_address_of_a_saved_session_is_told_to_nobody(page: Page) -> None:
    """It goes with no request as the page that asks, neither to this server nor to another."""
    referrers: list[str] = []
    page.on("request", lambda asked: referrers.append(asked.headers.get("referer", "")))
    page.goto("/")
    on.train_on(page, "the cat in the hat " * 9)
    expect(page).to_have_url(re.compile("session="))
    page.reload()
    expect(page.locator(on.CELLS).first).to_be_visible()
    assert set(referrers) == {""}


def test_a_long_text_trains_as_a_file_does_and_stays_in_its_field(page: Page) -> None:
    page.goto("/")
    on.open_text_menu(page)
    field = page.get_by_label(on.FIELD)
    field.focus()
    page.evaluate("navigator.clipboard.writeText('the cat '.repeat(10_000))")
    page.keyboard.press("Control+V")
    page.get_by_role("button", name="Watch it").click()
    expect(on.summary(page)).to_contain_text("your text · 80,000 bytes", timeout=60_000)
    page.keyboard.press("Escape")
    on.open_text_menu(page)
    assert field.evaluate("field => field.value.length") == 80_000


def asked_upload(page: Page) -> tuple[str, dict[str, str]]:
    """The address of an upload that the page makes, and its headers."""
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    with page.expect_request(lambda request: request.method == "PUT") as asked:
        on.drop(page, "a.txt", b"the cat in the hat")
    expect(on.summary(page)).to_contain_text("18 bytes")
    sent = asked.value.all_headers()
    return asked.value.url, {name: sent[name] for name in ("content-type", "origin")}


@pytest.mark.gate
def test_a_file_trains_where_the_page_has_no_cookies(page: Page) -> None:
    browser = page.context.new_cdp_session(page)
    browser.send("Emulation.setDocumentCookieDisabled", {"disabled": True})
    try:
        page.goto("/")
        expect(page.locator(on.CELLS).first).to_be_visible()
        assert page.evaluate("[navigator.cookieEnabled, document.cookie]") == [False, ""]
        on.drop(page, "a.txt", b"the cat in the hat")
        expect(on.summary(page)).to_contain_text("18 bytes")
        assert page.context.cookies() == []
    finally:  # the next test has the same tab
        browser.detach()


def form(data: bytes) -> tuple[bytes, str]:
    """The body of an upload, and its type."""
    head = b'--edge\r\nContent-Disposition: form-data; name="a.txt"; filename="a.txt"\r\n\r\n'
    return head + data + b"\r\n--edge--\r\n", "multipart/form-data; boundary=edge"


def put(url: str, with_headers: dict[str, str], data: bytes = b"", *, length: int | None = None) -> int:
    """The status of an upload; one that gives its ``length`` is answered before its data is sent."""
    asked = urlsplit(url)
    connection = http.client.HTTPConnection(asked.netloc, timeout=60)
    try:
        sent = dict(with_headers)
        if "transfer-encoding" not in sent:
            sent["content-length"] = str(len(data) if length is None else length)
        connection.request("PUT", asked.path, data or None, sent)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.gate
def test_an_upload_needs_the_origin_of_our_page_and_has_a_limit(page: Page) -> None:
    url, sent = asked_upload(page)
    body, content_type = form(b"the cat")
    sent = {**sent, "content-type": content_type}
    assert put(url, sent, body) == 204
    assert put(url, sent, length=limits().largest_upload_bytes + 1) == 413
    assert put(url, {"content-type": content_type}, body) == 403
    for origin in ("http://localhost:9999", "http://evil.example", "null"):
        assert put(url, {**sent, "origin": origin}, body) == 403
    assert put(url, {**sent, "host": "evil.example.org"}, body) == 403


def test_a_file_that_is_too_large_is_refused_with_the_limit(page: Page, tmp_path: Path) -> None:
    page.goto("/")
    expect(page.locator(on.CELLS).first).to_be_visible()
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(limits().max_corpus_upload_bytes + 2**20)
    field = page.locator(".st-key-drop_zone input[type=file]")
    expect(field).to_have_count(1)  # for a moment, an old one may be there too
    field.set_input_files(tmp_path / "large.txt")
    expect(page.get_by_text("File must be 200.0MB or smaller.")).to_be_visible()
