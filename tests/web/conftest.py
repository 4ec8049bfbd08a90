"""The application with a store in memory, and a client of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from passline.live.dice_proofs import Sealer
from passline.live.service import TableService
from passline.live.stores.memory import MemoryDisk, MemoryStore
from passline.school.learner_tokens import open_learner_stores
from passline.web.app import App

KEY = "the-house-key-of-these-tests"
BASE = "http://127.0.0.1:7117"
#: No waiting: the shooter may throw at once, and nobody is passed for delay.
TABLE = {"rulebook": "new-jersey", "name": "One", "pace": {"betting": 0, "shooter": 0}}


class House:
    """The application, and shorthands for common requests."""

    def __init__(self, app: App, http: httpx.AsyncClient) -> None:
        self.app, self.http = app, http

    async def ask(
        self, method: str, path: str, body: object = None, token: str = "", **more: Any
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= more.pop("headers", {})
        if body is not None:
            more["json"] = body
        return await self.http.request(method, path, headers=headers, **more)

    async def open(self, **asked: object) -> dict[str, Any]:
        answer = await self.ask("POST", "/api/tables", {**TABLE, **asked}, KEY)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def sit(self, table: str, name: str = "ann", **asked: object) -> str:
        body = {"name": name, "buy_in": "500", **asked}
        answer = await self.ask("POST", f"/api/tables/{table}/seats", body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    async def say(self, table: str, token: str, id_: str, say: str) -> httpx.Response:
        return await self.ask("POST", f"/api/tables/{table}/say", {"id": id_, "say": say}, token)


@pytest.fixture
def anyio_backend() -> str:
    """Run coroutines on asyncio."""
    return "asyncio"


@pytest.fixture
async def house(anyio_backend: str, tmp_path: Path) -> AsyncIterator[House]:
    """An application without tables, with a school, that answers to this machine's names."""
    store = MemoryStore(MemoryDisk())
    hall = TableService(store, Sealer(bytes(32)))
    await hall.start(tend=False)
    app = App(hall, KEY, {"127.0.0.1", "localhost"}, *open_learner_stores(tmp_path))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=BASE) as http:
        yield House(app, http)
    await app.streams.stop()
    await hall.stop()
    await store.close()
