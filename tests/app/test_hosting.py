"""Under which names the server answers, to whose pages, and who may show the page in a frame."""

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from bpeviz.errors import ServerSettingError
from bpeviz.ui.server import guards
from bpeviz.ui.server.guards import HostGuard, refused
from bpeviz.ui.server.hosting import Hosting, host_name, read_hosting
from bpeviz.ui.server.response_headers import headers

STREAM = "ws://bpe.example.org/_stcore/stream"
OURS = Hosting(hosts=("bpe.example.org", "*.hf.space"))


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost", "localhost"),
        ("BPE.example.org:8501", "bpe.example.org"),
        ("bpe.example.org.", "bpe.example.org"),
        ("192.168.1.5:80", "192.168.1.5"),
        ("[::1]:8501", "::1"),
        ("", ""),
        ("evil.org@localhost", ""),
        ("localhost/evil.org", ""),
        ("localhost evil.org", ""),
        ("[::1", ""),
    ],
)
def test_the_name_in_a_header(header: str, name: str) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    "name", ["localhost", "127.0.0.1", "10.1.2.3", "::1", "bpe.example.org", "a.hf.space", "a.b.hf.space"]
)
def test_names_that_the_server_answers_to(name: str) -> None:
    assert OURS.answers_to(name)


@pytest.mark.parametrize(
    "name", ["", "evil.org", "hf.space", "evilhf.space", "bpe.example.org.evil.org", "a.bpe.example.org"]
)
def test_names_that_it_does_not_answer_to(name: str) -> None:
    assert not OURS.answers_to(name)
    assert not Hosting().answers_to(name)


def test_a_refusal_says_what_to_set() -> None:
    said = refused(Headers({"host": "bpe.example.com:80"}), OURS)
    assert said is not None
    assert "bpe.example.com" in said
    assert "BPEVIZ_HOSTS" in said


@pytest.mark.parametrize("origin", ["http://evil.org", "http://localhost:9999", "null", "", "https://"])
def test_a_page_of_another_site_is_refused(origin: str) -> None:
    asked = {"host": "localhost:8501", "origin": origin}
    assert refused(Headers(asked), Hosting()) == "This request comes from a page of another site."


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("localhost:8501", "http://localhost:8501"),
        ("bpe.example.org", "https://bpe.example.org"),
        ("[::1]:8501", "http://[::1]:8501"),
    ],
)
def test_our_own_page_is_not(host: str, origin: str) -> None:
    assert refused(Headers({"host": host, "origin": origin}), OURS) is None
    assert refused(Headers({"host": host}), OURS) is None


@pytest.mark.parametrize(
    "hosting", [Hosting(), OURS, Hosting(OURS.hosts, frames=("https://course.example",))]
)
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_an_upload_names_our_own_page(hosting: Hosting, method: str) -> None:
    host = next(iter(hosting.hosts), "localhost:8501")
    said = refused(Headers({"host": host}), hosting, method)
    assert said == "This request does not say which page it comes from."
    for origin in ("https://course.example", "https://evil.example", f"https://{host}.evil.example", "null"):
        assert refused(Headers({"host": host, "origin": origin}), hosting, method) is not None
    assert refused(Headers({"host": host, "origin": f"https://{host}"}), hosting, method) is None


@pytest.fixture
def guarded(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(guards, "hosting", lambda: OURS)

    async def talk(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("hello")

    def answer(_request: object) -> PlainTextResponse:
        return PlainTextResponse("hello")

    routes = [
        Route("/{path:path}", answer, methods=["GET", "PUT", "DELETE"]),
        WebSocketRoute("/_stcore/stream", talk),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(HostGuard)]), "http://bpe.example.org")


def test_requests_and_websockets_pass_or_are_refused(guarded: TestClient) -> None:
    foreign, evil = {"origin": "https://evil.org"}, {"host": "evil.org"}
    assert guarded.get("/").text == "hello"
    with guarded.websocket_connect(STREAM) as socket:
        assert socket.receive_text() == "hello"
    for asked in (foreign, evil):
        assert guarded.put("/_stcore/upload_file/a/b", headers=asked).status_code == 403
        with pytest.raises(WebSocketDisconnect), guarded.websocket_connect(STREAM, headers=asked):
            pass
    ours = {"origin": "https://bpe.example.org"}
    for method in ("PUT", "DELETE"):
        assert guarded.request(method, "/_stcore/upload_file/a/b").status_code == 403
        assert guarded.request(method, "/_stcore/upload_file/a/b", headers=ours).text == "hello"
    assert "BPEVIZ_HOSTS" in guarded.get("/", headers=evil).text
    assert guarded.get("/_stcore/health", headers=evil).text == "hello"


def test_variables_are_lists_of_names_and_of_sites() -> None:
    assert read_hosting({}) == Hosting()
    read = read_hosting(
        {
            "BPEVIZ_HOSTS": "bpe.Example.org, *.hf.space",
            "BPEVIZ_FRAMES": "https://huggingface.co  http://127.0.0.1:8000 https://*.example.org",
        }
    )
    assert read.hosts == ("bpe.example.org", "*.hf.space")
    assert read.frames == ("https://huggingface.co", "http://127.0.0.1:8000", "https://*.example.org")
    assert read_hosting({"BPEVIZ_FRAMES": "*"}).frames == ("*",)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("BPEVIZ_HOSTS", "https://bpe.example.org"),
        ("BPEVIZ_HOSTS", "bpe.example.org:8501"),
        ("BPEVIZ_HOSTS", "*"),
        ("BPEVIZ_FRAMES", "example.org"),
        ("BPEVIZ_FRAMES", "https://example.org/course"),
        ("BPEVIZ_FRAMES", "https://example.org; script-src *"),
        ("BPEVIZ_FRAMES", "'unsafe-inline'"),
    ],
)
def test_other_values_are_named(variable: str, value: str) -> None:
    with pytest.raises(ServerSettingError, match=variable):
        read_hosting({variable: value})


def test_only_the_named_sites_may_frame_the_page() -> None:
    alone, framed = headers(Hosting()), headers(Hosting(frames=("https://huggingface.co",)))
    assert alone["Content-Security-Policy"].endswith("frame-ancestors 'self'")
    assert alone["X-Frame-Options"] == "SAMEORIGIN"
    assert framed["Content-Security-Policy"].endswith("frame-ancestors 'self' https://huggingface.co")
    assert "X-Frame-Options" not in framed
