"""The files that a browser keeps, without a browser."""

import gzip

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from bpeviz.browser.part_files import part_file
from bpeviz.ui.server.kept_files import CompressedFiles, PartFiles

PAGE = "<!doctype html>" + "<p>" * 1_000
SCRIPT = "const one = 1;\n" * 100


class Site:
    """A server with Streamlit's kind of files, and how often each was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        layers = [Middleware(CompressedFiles), Middleware(PartFiles)]
        routes = [Route("/{path:path}", self._answer)]
        self.client = TestClient(Starlette(routes=routes, middleware=layers))

    async def _answer(self, request: Request) -> Response:
        path = request.path_params["path"]
        self.asked.append(path)
        if path.endswith("missing.js"):
            return PlainTextResponse("no", 404)
        if path.endswith("unknown.js"):
            return Response(PAGE, media_type="text/html")
        return Response(
            SCRIPT, media_type="text/javascript", headers={"ETag": '"theirs"', "Set-Cookie": "visitor=1"}
        )


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.mark.parametrize("folder", ["", "/tools/bpe"])
def test_the_file_of_a_part_is_below_any_address_and_stays(site: Site, folder: str) -> None:
    answer = site.client.get(f"{folder}/{part_file('player').path}")
    assert answer.text == part_file("player").content
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert site.asked == []


@pytest.mark.parametrize("name", ["player.js", "player.0000000000000000.js", "nothing.js", ""])
def test_another_name_is_no_part(site: Site, name: str) -> None:
    for _ in range(2):
        assert site.client.get(f"/parts/{name}").status_code == 404


def test_a_script_of_streamlit_is_asked_for_and_compressed_once(site: Site) -> None:
    for path in ("/static/js/index.js", "/static/js/index.js?x", "/tools/bpe/static/js/index.js"):
        with site.client.stream("GET", path) as answer:
            assert gzip.decompress(b"".join(answer.iter_raw())).decode() == SCRIPT
            assert answer.headers["etag"] == '"theirs"'
            assert "Accept-Encoding" in answer.headers["vary"]
            assert "set-cookie" not in answer.headers
    assert site.asked == ["static/js/index.js"]


@pytest.mark.parametrize("headers", [{"accept-encoding": "identity"}, {"range": "bytes=0-9"}])
def test_who_wants_it_as_it_is_gets_it_as_it_is(site: Site, headers: dict[str, str]) -> None:
    assert site.client.get("/static/js/index.js").status_code == 200
    answer = site.client.get("/static/js/index.js", headers=headers)
    assert answer.text == SCRIPT
    assert "content-encoding" not in answer.headers


def test_errors_and_other_files_pass(site: Site) -> None:
    for path in ("/static/js/missing.js", "/media/saved.js", "/static/media/font.woff2"):
        for _ in range(2):
            assert "content-encoding" not in site.client.get(path).headers
    assert site.client.get("/static/js/missing.js").status_code == 404
    assert len(site.asked) == 7


def test_a_page_under_the_name_of_a_file_is_not_kept(site: Site) -> None:
    """Streamlit answers with its page at names that it doesn't know, and such names never end."""
    for _ in range(2):
        answer = site.client.get("/static/js/unknown.js")
        assert answer.text == PAGE
        assert "content-encoding" not in answer.headers
    assert len(site.asked) == 2
