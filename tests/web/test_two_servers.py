"""Two servers on one database: whoever is asked, it is one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.conftest import database, postgres
from tests.web.serving import KEY, serving

pytestmark = pytest.mark.system

__all__ = ["database", "postgres"]  # fixtures


def test_what_one_writes_the_other_tells(tmp_path: Path, database: str) -> None:
    with serving(tmp_path, database) as one, serving(tmp_path, database) as two:
        opened = one.open(open=False)
        table, watcher = opened["table"], opened["tokens"]["watcher"]
        bearer = {"Authorization": f"Bearer {watcher}"}
        given = two.ask("POST", f"/{table}/tokens", {"role": "player", "name": "ann"}, KEY)
        token = given.json()["token"]
        seat = {"name": "ann", "buy_in": "500", "token": token}
        assert one.ask("POST", f"/{table}/seats", seat).status_code == 201
        with one.stream(table, **bearer) as near, two.stream(table, **bearer) as far:
            bet = one.say(table, token, "a1", "pass for 10").json()
            assert two.say(table, token, "a1", "pass for 10").json() == bet
            thrown = two.say(table, token, "a2", "roll").json()
            views = [server.ask("GET", f"/{table}", token=token).json() for server in (two, one)]
            won = views[0]["seq"] - thrown["seq"]  # a winner is said again, an entry of its own
            assert won in {0, 1}
            assert won or views[0]["head"] == thrown["hash"]
            assert views[0] == views[1]
            for heard in (near, far):
                assert any(seq == str(thrown["seq"]) for seq, _, _ in heard)
            gone = one.ask("DELETE", f"/{table}/tokens", {"role": "watcher"}, KEY)
            assert gone.status_code == 204
            assert [kind for _, kind, _ in (*near, *far) if kind != "entry"] == []
        assert two.ask("GET", f"/{table}", token=watcher).status_code == 401
        assert one.end() == (0, "")
        code, log = two.end()
        assert code == 0
        assert [line.partition(": ")[2] for line in log.splitlines()] == [
            "wrong key or token from 127.0.0.1 at /api/tables/{table}"
        ]
