"""The running server, asked by raw sockets: who reaches it, and what it refuses."""

import http.client
import socket
import urllib.request
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from bpeviz.ui.limits import limits

REFUSED, TAKEN = "403 Forbidden", "101 Switching Protocols"
#: No packet goes there: the kernel only says from which address one would.
SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}


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


def answers(family: socket.AddressFamily, host: str, port: int) -> bool:
    with socket.socket(family) as connection:
        connection.settimeout(10)
        try:
            connection.connect((host, port))
        except OSError:
            return False
        return True


def own_address(family: socket.AddressFamily) -> str | None:
    """The address by which other machines reach this one; None where there is none."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as unsent:
            unsent.connect((SOMEWHERE[family], 9))
            return str(unsent.getsockname()[0])
    except OSError:
        return None


def test_a_page_of_ours_may_talk_to_the_server(address: str) -> None:
    port = port_of(address)
    for name in ("localhost", "127.0.0.1"):
        assert websocket(address, f"{name}:{port}", f"http://{name}:{port}") == TAKEN


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost.evil.example", "null"])
def test_a_page_of_another_site_may_not(address: str, origin: str) -> None:
    assert websocket(address, f"localhost:{port_of(address)}", origin) == REFUSED


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "localhost@evil.example", "[::1]"]
)
def test_a_name_that_is_made_to_lead_here_is_no_host_of_ours(address: str, host: str) -> None:
    assert websocket(address, host, f"http://{host}") == REFUSED


def test_no_other_machine_reaches_the_server(address: str) -> None:
    port = port_of(address)
    assert answers(socket.AF_INET, "127.0.0.1", port)
    for family in SOMEWHERE:
        own = own_address(family)
        if own and own not in ("127.0.0.1", "::1"):
            assert not answers(family, own, port)


def test_an_answer_is_shared_with_no_other_site(address: str) -> None:
    asked = urllib.request.Request(f"{address}/_stcore/health", headers={"Origin": "http://evil.example"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] is None


def put(url: str, headers: dict[str, str], data: bytes = b"", *, length: int | None = None) -> int:
    """The status of an upload; one that gives its ``length`` is answered before its data is sent."""
    asked = urlsplit(url)
    connection = http.client.HTTPConnection(asked.netloc, timeout=60)
    try:
        sent = {**headers, "content-length": str(len(data) if length is None else length)}
        connection.request("PUT", asked.path, data or None, sent)
        return connection.getresponse().status
    finally:
        connection.close()


def test_an_upload_needs_the_token_of_the_page_and_has_a_limit(page: Page) -> None:
    page.get_by_text("Upload files").click()
    with page.expect_request(lambda request: request.method == "PUT") as asked:
        page.locator("input[type=file]").set_input_files(
            {"name": "a.txt", "mimeType": "text/plain", "buffer": b"the cat in the hat"}
        )
    expect(page.get_by_text("18 bytes")).to_be_visible()
    url, sent = asked.value.url, asked.value.all_headers()
    headers = {name: sent[name] for name in ("content-type", "cookie", "x-xsrftoken")}
    boundary = headers["content-type"].split("boundary=")[1]
    disposition = 'Content-Disposition: form-data; name="a.txt"; filename="a.txt"'

    body = f"--{boundary}\r\n{disposition}\r\n\r\nthe cat\r\n--{boundary}--\r\n".encode()

    assert put(url, headers, body) == 204
    assert put(url, headers, length=limits().max_upload_bytes + 1) == 413
    for lacking in ("cookie", "x-xsrftoken"):
        assert put(url, {n: v for n, v in headers.items() if n != lacking}, body) == 403
    assert put(url, {**headers, "x-xsrftoken": "2|00|00|0"}, body) == 403


def test_a_file_that_is_too_large_is_refused_with_the_limit(page: Page) -> None:
    page.get_by_text("Upload files").click()
    large = b"word " * (limits().max_text_bytes // 5 + 200_000)
    page.locator("input[type=file]").set_input_files(
        {"name": "large.txt", "mimeType": "text/plain", "buffer": large}
    )
    expect(page.get_by_text("File must be 8.0MB or smaller.")).to_be_visible()
