"""A table's first view is small: everything that a browser asks for before one can bet."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.serving import Server, serving

#: Bytes over the wire, compressed as they are sent.
MOST = 150_000
_LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')
_IMPORTED = re.compile(r'^import [^;]*?from "\./([^"]+)";', re.MULTILINE | re.DOTALL)


def sent(server: Server, path: str) -> tuple[int, str]:
    """The bytes of an answer as they were sent, and its text."""
    headers = {"Accept-Encoding": "gzip", "Accept": "*/*"}
    with server.http.stream("GET", path, headers=headers) as answer:
        assert answer.status_code == 200, path
        raw = sum(map(len, answer.iter_raw()))
    return raw, server.http.get(path).text


def first_view(server: Server, table: str) -> dict[str, int]:
    at = f"/api/tables/{table}"
    waiting, found = [f"/t/{table}", f"{at}/page", f"{at}/felt?end=left&place=0"], {}
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found[path], text = sent(server, path)
        if path.startswith("/t/"):
            waiting += _LINKED.findall(text)
        if path.endswith(".js"):
            folder = path.rpartition("/")[0]
            waiting += [f"{folder}/{name}" for name in _IMPORTED.findall(text)]
    return found


def test_the_first_view_is_small(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = str(server.open()["table"])
        server.sit(table)
        view = first_view(server, table)
    names = {path.rpartition("/")[2] for path in view}
    assert {"table.js", "felt.js", "send_bets.js", "table.css", "page"} <= names
    assert "text_mode.js" not in names  # what few need comes when it is asked for
    assert sum(view.values()) < MOST, view
