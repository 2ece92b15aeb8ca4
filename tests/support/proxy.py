"""A proxy that serves the app below a path."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["proxy"]


@contextmanager
def proxy(port: int, path: str) -> Iterator[int]:
    """The port of a proxy for the server on ``port``. It passes on what is below ``path``, as it is, and
    answers 404 to all else."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_take, args=(listening, port, path), daemon=True).start()
        yield listening.getsockname()[1]


def _take(listening: socket.socket, port: int, path: str) -> None:
    while True:
        try:
            taken, _ = listening.accept()
        except OSError:  # closed
            return
        threading.Thread(target=_pass_on, args=(taken, port, path), daemon=True).start()


def _pass_on(taken: socket.socket, port: int, path: str) -> None:
    """Pass on one connection, whose first request says where it goes."""
    with taken:
        head = taken.recv(65536)
        if not head:
            return
        if not head.split(b" ", 2)[1].startswith(path.encode()):
            taken.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        try:
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:  # the browser is there longer than the server
            taken.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        with server:
            server.sendall(head)
            back = threading.Thread(target=_copy, args=(server, taken), daemon=True)
            back.start()
            _copy(taken, server)
            back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:  # either side has left
        pass
