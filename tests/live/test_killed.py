"""A whole server killed under load, again and again: nothing acknowledged is lost, nothing happens
twice, and every throw is the one that was promised."""

from __future__ import annotations

import random
import threading
import time
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from passline.game.table.state import ledger_balance
from passline.live.dice_proofs import DiceCommitment, verify_throw
from passline.live.hash_chain import verify_chain
from passline.live.live_table import fold_log
from passline.live.log_entries import Entry, read_entry
from tests.web.serving import KEY, Server, serving

pytestmark = pytest.mark.system

#: Those who speak, each as fast as a token may.
VOICES = 4
SAYS = ("pass for 5", "field for 5", "roll", "place 6 for 6", "undo", "all down", "roll")


class Floor:
    """The servers as they come and go, and what was acknowledged."""

    def __init__(self, servers: list[Server], table: str) -> None:
        self.urls = [server.url for server in servers]
        self.table, self.over = table, False
        self.acks: dict[tuple[str, str], tuple[str, dict[str, Any]]] = {}
        self.wrong: list[str] = []
        self.said = 0

    def speak(self, name: str, token: str) -> None:
        """Say one line after the other under ids, each until it is answered."""
        chance = random.Random(name)
        with httpx.Client(timeout=5) as http:
            for number in count(1):
                if self.over:
                    return
                body = {"id": f"{name}-{number}", "say": chance.choice(SAYS), "nonce": "n"}
                answer = self._answered(http, token, body)
                if answer is not None:
                    self.acks[name, body["id"]] = (body["say"], answer)
                time.sleep(0.02)

    def _answered(
        self, http: httpx.Client, token: str, body: dict[str, str]
    ) -> dict[str, Any] | None:
        headers = {"Authorization": f"Bearer {token}"}
        for turn in count():
            url = self.urls[turn % len(self.urls)]
            try:
                answer = http.post(f"{url}/api/tables/{self.table}/say", json=body, headers=headers)
            except httpx.TransportError:
                time.sleep(0.02)
                continue
            self.said += 1
            if answer.status_code == 200:
                told: dict[str, Any] = answer.json()
                return told if told["seq"] is not None else None
            if answer.status_code not in (429, 503):
                self.wrong.append(f"{body}: {answer.status_code} {answer.text}")
                return None
            time.sleep(0.05)
        return None

    def again(self, name: str, token: str) -> None:
        """Everything that was acknowledged is answered once more as it was."""
        with httpx.Client(timeout=5) as http:
            for (who, request), (say, told) in list(self.acks.items())[::7]:
                if who == name:
                    body = {"id": request, "say": say, "nonce": "n"}
                    if self._answered(http, token, body) != told:
                        self.wrong.append(f"{request} is answered otherwise")
                    time.sleep(0.06)


def proven(floor: Floor, log: list[Entry], starts: int) -> None:
    """What must be true of the log in the end, after so many starts of servers."""
    verify_chain(log)
    assert floor.acks, "nothing was acknowledged"
    for (who, request), (_, told) in floor.acks.items():
        entry = log[told["seq"]]
        assert (entry.hash, entry.by, entry.id) == (told["hash"], who, request)
    ids = [(entry.by, entry.id) for entry in log if entry.id is not None]
    assert len(set(ids)) == len(ids)
    promise, secrets = DiceCommitment(), set[str]()
    for entry in log:
        verify_throw(floor.table, promise, entry)
        if entry.fair is not None:
            assert entry.fair.secret not in secrets
            secrets.add(entry.fair.secret)
        promise = promise.apply_entry(entry)
    assert promise.throws
    assert promise.recommits <= starts  # at most one for each: no secret was missing
    live = fold_log(floor.table, log)
    assert live is not None
    assert ledger_balance(live.table) == 0


def killed_under_load(data: Path, kills: int, database: str = "", servers: int = 1) -> None:
    """So many kills, at moments that nobody chose."""
    chance = random.Random(7)
    up = [Server(data, database) for _ in range(servers)]
    try:
        table = up[0].open()["table"]
        names = ("ann", "bob", "cal", "dan")[:VOICES]
        tokens = {name: up[0].sit(table, name) for name in names}
        floor = Floor(up, table)
        voices = [threading.Thread(target=floor.speak, args=one) for one in tokens.items()]
        for voice in voices:
            voice.start()
        for _ in range(kills):
            time.sleep(chance.uniform(0.2, 0.5))
            place = chance.randrange(servers)
            _killed(up[place])
            up[place] = Server(data, database)
            floor.urls[place] = up[place].url
        time.sleep(0.3)
        floor.over = True
        for voice in voices:
            voice.join(timeout=30)
        for name, token in tokens.items():
            floor.again(name, token)
        assert floor.wrong == []
    finally:
        for server in up:
            _killed(server)
    with serving(data, database) as after:
        text = after.ask("GET", f"/{table}/log", token=KEY).text
    proven(floor, [read_entry(line.encode()) for line in text.splitlines()], kills + servers + 1)


def _killed(server: Server) -> None:
    server.http.close()
    server.process.kill()
    server.process.communicate(timeout=30)


def test_a_server_on_sqlite_is_killed_under_load(tmp_path: Path) -> None:
    killed_under_load(tmp_path, 3)


def test_two_servers_on_postgres_are_killed_under_load(tmp_path: Path, database: str) -> None:
    killed_under_load(tmp_path, 2, database, servers=2)
