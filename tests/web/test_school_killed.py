"""A server killed in an audition and in a shift: what was acknowledged is kept, and both go on."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.school.right_shift import ShiftSolver
from tests.web.serving import KEY, Server

pytestmark = pytest.mark.system
KILLS = 4


class KilledServer:
    """A server that is killed at moments that nobody chose, and started again."""

    def __init__(self, data: Path) -> None:
        self.data, self.server, self.kills = data, Server(data), 0

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """Return (status, body) of a request, or None if the server was killed before it replied.

        The server is up again then.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data, address = msgspec.to_builtins(body), f"/api/school{path}"
        try:
            reply = self.server.http.request(method, address, json=data, headers=headers)
        except httpx.TransportError:
            self.server.process.wait(timeout=30)
            self.server.http.close()
            self.server.process.communicate(timeout=30)
            self.server, self.kills = Server(self.data), self.kills + 1
            return None
        return reply.status_code, reply.json()

    def sure(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """Return the body of a request, which is sent again until it is answered with success."""
        for _ in range(9):
            reply = self.ask(method, path, body, token)
            if reply is not None:
                assert reply[0] < 300, reply
                return reply[1]
        raise AssertionError(f"{path} is never answered")

    @contextmanager
    def killing(self, seconds: float) -> Iterator[None]:
        """Kill the server after some seconds, in the middle of what it does or just after."""
        timer = threading.Timer(seconds, self.server.process.kill)
        timer.start()
        yield
        timer.join()


@contextmanager
def serving_killed(data: Path) -> Iterator[KilledServer]:
    served = KilledServer(data)
    try:
        yield served
    finally:
        served.server.end()


def deal_right(served: KilledServer, shift: dict[str, Any], chance: random.Random) -> None:
    """Deal a shift without a mistake, while the server is killed again and again."""
    path, token = f"/shifts/{shift['shift']}", shift["token"]
    body: object
    for _ in range(400):
        state = served.sure("GET", f"{path}/state", token=token)
        if state["phase"] == "over":
            return
        solver = ShiftSolver(served.data, served.server.http, KEY, shift["shift"])
        if state["calls"]:
            action, body = "calls", solver.right_calls()[0][1]
        elif state["phase"] == "betting":
            action, body = "dice-out", {}
        else:
            action, body = "done", solver.right_work()
        killed = served.kills < KILLS and chance.random() < 0.4
        with served.killing(chance.uniform(0, 0.06)) if killed else nullcontext():
            reply = served.ask("POST", f"{path}/{action}", body, token)
        assert reply is None or reply[0] == 200, (action, reply)
    raise AssertionError("the shift does not end")


@pytest.mark.parametrize("post", ["base", "stick", "box"])
def test_a_shift_that_is_dealt_right_stays_right(tmp_path: Path, post: str) -> None:
    with serving_killed(tmp_path) as served:
        asked = {"post": post, "rolls": 6, "pace": 30, "seed": "7"}
        token = "a" * 48
        served.sure("POST", "/learner", {"name": "Ann", "token": token})
        shift = served.sure("POST", "/shifts", asked, token)
        deal_right(served, shift, random.Random(post))
        report = served.sure("GET", f"/shifts/{shift['shift']}")
        assert (report["over"], report["thrown"], report["ended"]) == (True, 6, "finished")
        assert report["mistakes"] == []
        assert served.kills >= 2
        (folder,) = tmp_path.glob(f"**/{shift['shift']}")
        marks = [json.loads(one.read_bytes())["n"] for one in folder.glob("shift-mark-*.json")]
        assert sorted(marks) == [*range(1, len(marks) + 1)]
        practiced = served.sure("GET", "/progress", token=token)
        assert practiced["answers"] > 0


def test_the_answers_of_an_audition_are_kept(tmp_path: Path) -> None:
    """Each that was acknowledged; the audition ends once, and its answers are practiced once."""
    chance = random.Random(7)
    with serving_killed(tmp_path) as served:
        token = "a" * 48
        served.sure("POST", "/learner", {"name": "Ann", "token": token})
        attempt = served.sure("POST", "/auditions", {"learner": "Ann"}, token)
        path, acknowledged = f"/auditions/{attempt['audition']}", set[int]()
        for n in range(1, attempt["of"] + 1):
            killed = n % 10 == 5 and served.kills < KILLS
            with served.killing(chance.uniform(0, 0.02)) if killed else nullcontext():
                reply = served.ask("POST", f"{path}/answers", {"n": n, "answer": None})
            if reply is not None:
                assert reply[0] == 200, reply
                acknowledged.add(n)
        assert served.kills >= 2
        found = served.sure("GET", path)
        assert acknowledged <= set(found["answered"])
        assert found["left"] > 0
        with served.killing(chance.uniform(0, 0.1)):
            served.ask("POST", f"{path}/finish", {}, attempt["key"])
        reports = [served.sure("POST", f"{path}/finish", {}, attempt["key"]) for _ in range(2)]
        assert reports[0] == reports[1]
        assert reports[0]["audition"] == attempt["audition"]
