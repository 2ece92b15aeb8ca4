"""A small Hugging Face Hub on this machine: models with files, for HF_ENDPOINT."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

__all__ = ["COMMIT", "HubServer", "hub_server"]

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class HubServer:
    """Where it is (``url``), the ``paths`` asked for, and how it answers.

    ``files``: the content of the files of each model; ``gated``: models whose files need access; ``sizes``:
    what it says instead of the true size; ``wait``: the downloads wait for it; ``status``: of every answer;
    ``replies``: the status, headers and body for some paths, whatever else there is.
    """

    url: str = ""
    files: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    gated: frozenset[str] = frozenset()
    sizes: dict[str, int] = field(default_factory=dict)
    status: int = 200
    replies: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    wait: threading.Event = field(default_factory=threading.Event)
    paths: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def answer(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """The status, headers and body for a path."""
        self.paths.append(path)
        if path in self.replies:
            return self.replies[path]
        if self.status != 200:
            return self.status, {}, b"{}"
        if path.startswith("/api/models/"):
            return self._info(path.removeprefix("/api/models/").partition("/revision/")[0])
        model, _, rest = path.removeprefix("/").partition("/resolve/")
        name = rest.partition("/")[2]
        if model in self.gated:
            return 403, {"X-Error-Code": "GatedRepo", "X-Error-Message": "Access is restricted."}, b""
        if name not in self.files.get(model, {}):
            return 404, {"X-Error-Code": "EntryNotFound"}, b""
        self.wait.wait(20)
        content = self.files[model][name]
        etag = hashlib.sha256(content).hexdigest()
        return 200, {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT}, content

    def _info(self, model: str) -> tuple[int, dict[str, str], bytes]:
        if model not in self.files:
            return 404, {"X-Error-Code": "RepoNotFound"}, b"{}"
        siblings = [
            {"rfilename": name, "size": self.sizes.get(name, len(content)), "blobId": "0" * 40}
            for name, content in self.files[model].items()
        ]
        return 200, {}, json.dumps({"id": model, "sha": COMMIT, "siblings": siblings}).encode()


@contextmanager
def hub_server(files: Mapping[str, Mapping[str, bytes]]) -> Iterator[HubServer]:
    """A Hub with these models, until the end of the block."""
    hub = HubServer(files=files)
    hub.wait.set()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            hub.tokens.append(self.headers.get("Authorization", ""))
            status, headers, body = hub.answer(unquote(urlsplit(self.path).path))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("localhost", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    hub.url = f"http://localhost:{server.server_port}"
    try:
        yield hub
    finally:
        hub.wait.set()
        server.shutdown()
        server.server_close()
        thread.join()
