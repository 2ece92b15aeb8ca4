"""The requests that the server answers, and its headers."""

import pytest

from bpeviz.ui.server.guards import refusal
from bpeviz.ui.server.hosting import Hosting
from bpeviz.ui.server.response_headers import headers, inline_scripts


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/compare",
        "/static/js/index.js",
        "/media/abc.csv",
        "/_stcore/health",
        "/_stcore/host-config",
        "/_stcore/stream",
        "/base/_stcore/health",
        "/_stcore/bidi-components/a.js",
    ],
)
def test_what_the_page_asks_for_is_answered(path: str) -> None:
    assert refusal("GET", path) is None
    assert refusal("HEAD", path) is None


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/base/_stcore/metrics",
        "/_stcore/metrics/",
        "/_stcore/script-health-check",
        "/_stcore/agent/openapi.json",
        "/_stcore/agent/interact",
        "/_stcore/agent/mcp",
        "/_stcore/",
        "/_stcore/healthy",
        "/auth/login",
        "/auth/logout",
        "/oauth2callback",
    ],
)
def test_what_nobody_needs_is_not_there(path: str) -> None:
    for method in ("GET", "POST", "PUT"):
        assert refusal(method, path) == 404


def test_only_uploads_have_a_body() -> None:
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE"):
        assert refusal(method, "/") == 405
        assert refusal(method, "/_stcore/health") == 405
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert refusal(method, "/_stcore/upload_file/session/file") is None
    assert refusal("POST", "/_stcore/upload_file/session/file") == 405


def test_the_policy_allows_no_script_that_a_text_could_bring_and_no_other_host() -> None:
    policy = dict(part.split(" ", 1) for part in headers(Hosting())["Content-Security-Policy"].split("; "))
    assert "'unsafe-inline'" not in policy["script-src"]
    assert "'unsafe-eval'" not in policy["script-src"]
    assert "data:" not in policy["script-src"]
    assert policy["default-src"] == policy["frame-ancestors"] == "'self'"
    sources = {word for places in policy.values() for word in places.split()}
    assert {word for word in sources if not word.startswith("'")} == {"blob:", "data:"}


def test_the_page_s_own_inline_scripts_are_found_and_allowed() -> None:
    assert inline_scripts("<a><script>\n  b()\n</script><script src=x></script><script>c()</script>") == [
        "\n  b()\n",
        "c()",
    ]
    assert "'sha256-" in headers(Hosting())["Content-Security-Policy"]
