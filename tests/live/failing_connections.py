"""Wires that fail: a proxy that cuts connections, and a server that answers what it is told to."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class CuttingProxy:
    """Passes every request on to a server. Where ``cuts`` says so of the request's first line, the
    reply never arrives: the server did what it was asked, and the client does not know."""

    def __init__(self, url: str, cuts: Callable[[str], bool]) -> None:
        where = urlsplit(url)
        self._to = (str(where.hostname), where.port or 0)
        self._cuts = cuts
        self.cut: list[str] = []
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._ear.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._ear.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        """One connection: each of its requests on a connection of its own."""
        with client, suppress(OSError):
            while (head := _head(client)) is not None:
                first = head.split(b"\r\n", 1)[0].decode()
                with socket.create_connection(self._to) as server:
                    server.sendall(head + _body(client, head))
                    if "/events" not in first and self._cuts(first):
                        server.recv(65536)  # it was done
                        self.cut.append(first)
                        return
                    self._pass_on(server, client, first)
                    return

    def _pass_on(self, server: socket.socket, client: socket.socket, first: str) -> None:
        """What the server says; a stream may be cut off in the middle of an event."""
        server.settimeout(0.2 if "/events" not in first else 60)
        sent = 0
        with suppress(TimeoutError):
            while data := server.recv(65536):
                if "/events" in first and sent > 200 and self._cuts(first):
                    client.sendall(data[: len(data) // 2])
                    self.cut.append(first)
                    return
                client.sendall(data)
                sent += len(data)

    def close(self) -> None:
        self._ear.close()


def _head(client: socket.socket) -> bytes | None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = client.recv(1)
        if not byte:
            return None
        head += byte
    return head


def _body(client: socket.socket, head: bytes) -> bytes:
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    body = b""
    while len(body) < length:
        body += client.recv(length - len(body))
    return body


@contextmanager
def cutting(url: str, cuts: Callable[[str], bool]) -> Iterator[CuttingProxy]:
    """A proxy before a server, gone afterwards."""
    proxy = CuttingProxy(url, cuts)
    try:
        yield proxy
    finally:
        proxy.close()


Reply = tuple[int, dict[str, str], bytes]


@contextmanager
def scripted(*replies: Reply) -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A server that gives these answers in turn, the last for ever; and the requests it got."""
    asked: list[tuple[str, bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            status, headers, body = replies[min(len(asked), len(replies) - 1)]
            asked.append((f"{self.command} {self.path}", self.rfile.read(length)))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
