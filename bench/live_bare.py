"""A server that only does the input and output of live tables, to compare our server with.

One POST, one synced SQLite row in a group commit, one server-sent event to each of ten streams; no
rules, no hash chain, no tokens. The difference to our server is what the table costs.
``python -m bench.live_bare FOLDER`` prints its address and serves until it is killed.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw
import uvicorn

from passline.web.server import format_address, listen

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
JSON = [(b"content-type", b"application/json")]
STREAM = [(b"content-type", b"text/event-stream")]


class Rows:
    """Writes rows to disk; rows that arrive together share a synced commit."""

    def __init__(self, folder: Path) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._db = apsw.Connection(str(folder / "bare.sqlite"))
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            self._db.execute(f"PRAGMA {pragma}")
        self._db.execute("CREATE TABLE IF NOT EXISTS rows (tbl TEXT, body BLOB)")
        self._waiting: list[tuple[str, bytes, asyncio.Future[None]]] = []
        self._writing = False

    async def write(self, table: str, body: bytes) -> None:
        """Return once the row is on the disk."""
        synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, body, synced))
        if not self._writing:
            self._writing = True
            self._task = asyncio.create_task(self._write_all())
        await synced

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            rows = [(table, body) for table, body, _ in batch]
            await loop.run_in_executor(self._thread, self._commit, rows)
            for _, _, synced in batch:
                synced.set_result(None)
        self._writing = False

    def _commit(self, rows: list[tuple[str, bytes]]) -> None:
        with self._db:
            self._db.executemany("INSERT INTO rows VALUES (?, ?)", rows)


class Bare:
    """The ASGI application: a path ending in ``events`` is a stream, any other takes a line."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._streams: dict[str, list[asyncio.Queue[bytes]]] = {}
        self._number = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        table, _, what = scope["path"].removeprefix("/api/tables/").partition("/")
        if what == "events":
            await self._stream(table, send)
        else:
            await self._say(table, receive, send)

    async def _say(self, table: str, receive: Receive, send: Send) -> None:
        request = json.loads((await receive())["body"])
        self._number += 1
        entry = {"seq": self._number, "id": request["id"], "line": request["say"], "pad": "x" * 500}
        body = json.dumps(entry, separators=(",", ":")).encode()
        await self._rows.write(table, body)
        frame = b"id: %d\nevent: entry\ndata: %b\n\n" % (self._number, body)
        for stream in self._streams.get(table, ()):
            stream.put_nowait(frame)
        reply = b'{"seq":%d}' % self._number
        headers = [*JSON, (b"content-length", b"%d" % len(reply))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": reply})

    async def _stream(self, table: str, send: Send) -> None:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        self._streams.setdefault(table, []).append(queue)
        await send({"type": "http.response.start", "status": 200, "headers": STREAM})
        while True:
            frame = await queue.get()
            await send({"type": "http.response.body", "body": frame, "more_body": True})


def main() -> None:
    """Serve until killed."""
    ear = listen("127.0.0.1", 0)
    print(json.dumps({"url": format_address(ear, "127.0.0.1")}), flush=True)
    app = Bare(Rows(Path(sys.argv[1])))
    config = uvicorn.Config(
        app,
        lifespan="off",
        log_config=None,
        access_log=False,
        ws="none",
    )
    asyncio.run(uvicorn.Server(config).serve([ear]))


if __name__ == "__main__":
    main()
