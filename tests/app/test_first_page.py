"""Streamlit's first page with the bar of the connection and the still picture of the first step."""

import base64
import hashlib
import html
import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from bpeviz.runs.samples import FIRST_STEP, first_run
from bpeviz.ui.page import PAGES, WATCH
from bpeviz.ui.server.first_page import FirstPage, first_page
from bpeviz.ui.server.hosting import Hosting
from bpeviz.ui.server.response_headers import headers, inline_scripts


async def _page(_: object) -> HTMLResponse:
    return HTMLResponse("<head></head>", headers={"ETag": '"theirs"', "Last-Modified": "yesterday"})


async def _other(_: object) -> PlainTextResponse:
    return PlainTextResponse("plain")


async def _missing(_: object) -> HTMLResponse:
    return HTMLResponse("<head>missing</head>", 404)


@pytest.fixture(scope="module")
def client() -> TestClient:
    pages = [Route(path, _page) for path in ("/", "/compare", "/media/saved.html")]
    routes = [*pages, Route("/plain", _other), Route("/gone", _missing)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(FirstPage)]))


def test_a_first_visit_gets_the_picture_and_all_others_the_bar_alone(client: TestClient) -> None:
    assert client.get("/").text == first_page(picture=True)
    for path in ("/?session=x", "/?embed=true", "/compare"):
        assert client.get(path).text == first_page()
    assert 'id="bpeviz-picture"' not in first_page()


def test_every_path_of_a_page_says_where_the_server_is() -> None:
    (known,) = re.findall(r"OUR_PAGE = /\S+\(\?:(\S+)\)", first_page())
    assert set(known.split("|")) == {each.path for each in PAGES} - {WATCH}


def test_the_page_is_streamlit_s_but_for_what_is_ours() -> None:
    scripts = re.findall(r'src="\./static/js/[^"]+"', first_page())
    assert len(scripts) == 1
    assert "<title>bpeviz</title>" in first_page()
    assert 'content="width=device-width, initial-scale=1, viewport-fit=cover, ' in first_page()
    assert first_page().index("window.WebSocket") < first_page().index(scripts[0])


def test_what_is_no_page_stays_as_it_is(client: TestClient) -> None:
    assert client.get("/plain").text == "plain"
    assert client.get("/media/saved.html").text == "<head></head>"
    assert client.get("/gone").text == "<head>missing</head>"


def test_the_headers_are_about_our_page(client: TestClient) -> None:
    answer = client.get("/")
    assert int(answer.headers["content-length"]) == len(first_page(picture=True).encode())
    assert not {"etag", "last-modified"} & set(answer.headers)


def test_the_picture_has_the_tokens_of_the_first_step() -> None:
    shown = re.findall(r'<span style="--hue:\d+">(.*?)</span>', first_page(picture=True), re.DOTALL)
    tokenizer = first_run().tokenizer.after(FIRST_STEP)
    ids = tokenizer.encode(first_run().corpus.text)
    assert [html.unescape(token) for token in shown] == [
        tokenizer.token_bytes(token_id).decode() for token_id in ids[: len(shown)]
    ]
    assert len(shown) > 100


def test_the_policy_allows_each_script_in_the_page() -> None:
    policy = headers(Hosting())["Content-Security-Policy"]
    for picture in (False, True):
        for script in inline_scripts(first_page(picture=picture)):
            assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy


def test_file_answers_of_streamlit_are_replaced_too(tmp_path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<head></head>")
    app = Starlette(routes=[Route("/", lambda _: FileResponse(page))], middleware=[Middleware(FirstPage)])
    assert TestClient(app).get("/", headers={"accept-encoding": "gzip"}).text == first_page(picture=True)
