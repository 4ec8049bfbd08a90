"""``POST /api/tables`` without a key, and ``serve --hosting``."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from click.testing import CliRunner

from passline.cli.serve import command
from tests.web.conftest import KEY, House
from tests.web.serving import serving

pytestmark = pytest.mark.anyio

FRIENDS = {"rulebook": "new-jersey", "name": "Friday", "elections": {"limits.min": "10"}}


async def test_off_a_key_is_needed(house: House) -> None:
    answer = await house.ask("POST", "/api/tables", FRIENDS)
    assert answer.status_code == 401


async def test_on_anybody_opens_a_few_tables(house: House) -> None:
    house.app.tables.hosting = 2
    first = await house.ask("POST", "/api/tables", FRIENDS)
    assert first.status_code == 201
    opened = first.json()
    assert set(opened["tokens"]) == {"floor", "watcher"}
    path = f"/api/tables/{opened['table']}"
    assert (await house.ask("GET", path)).json()["name"] == "Friday"
    invited = await house.ask(
        "POST", f"{path}/tokens", {"role": "player"}, opened["tokens"]["floor"]
    )
    assert invited.status_code == 201
    assert (await house.ask("POST", "/api/tables", {**FRIENDS, "open": False})).status_code == 201
    third = await house.ask("POST", "/api/tables", FRIENDS)
    assert third.status_code == 429
    assert int(third.headers["retry-after"]) > 0
    assert (await house.ask("POST", "/api/tables", FRIENDS, KEY)).status_code == 201
    assert (await house.ask("POST", "/api/tables", FRIENDS, "x" * 40)).status_code == 401


async def test_a_table_that_is_opened_again_counts(house: House) -> None:
    """Closing a table made room for another one, and then the first could be opened again."""
    house.app.tables.hosting = 2
    hosted = []
    for _ in range(4):
        opened = (await house.ask("POST", "/api/tables", FRIENDS)).json()
        hosted.append((opened["table"], opened["tokens"]["floor"]))
        assert (await house.say(*hosted[-1], "c", "table closes")).json()["seq"] == 1
    answers = await asyncio.gather(*(house.say(*one, "o", "table opens") for one in hosted))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 429, 429]
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert int(refused.headers["retry-after"]) > 0
    table = hosted[answers.index(refused)][0]
    assert (await house.say(table, KEY, "k", "table opens")).status_code == 200
    first = hosted[next(n for n, answer in enumerate(answers) if answer.is_success)]
    assert (await house.say(*first, "o", "table opens")).status_code == 200  # Sent again.


async def test_what_hosts_may_not_open(house: House) -> None:
    house.app.tables.hosting = 3
    typed = {"rulebook": "iowa", "dice": "typed", "posts": {"stick": "person"}}
    assert (await house.ask("POST", "/api/tables", typed)).status_code == 403
    wrongs: list[object] = [{"rulebook": "nowhere"}, [], {"host": "me"}, {"name": 1}]
    for wrong in wrongs:
        assert (await house.ask("POST", "/api/tables", wrong)).status_code == 400
    other = {"Origin": "http://localhost:1"}
    answer = await house.ask("POST", "/api/tables", FRIENDS, headers=other)
    assert answer.status_code == 403
    assert (await house.ask("GET", "/api/tables")).json() == []


@pytest.mark.parametrize(
    ("elections", "words"),
    [
        ({"limits.min": "x"}, "Minimum: choose dollars like 15 or 12.50."),
        (
            {"limits.min": "50", "limits.max": "10"},
            "Minimum: choose at most the maximum, $10.",
        ),
        ({"odds.multiple": "1000"}, "Odds: choose 1 to 100 (19:47-1.6(e)#1)."),
    ],
)
async def test_a_wrong_field_of_the_form_is_named_by_its_label(
    house: House, elections: dict[str, str], words: str
) -> None:
    house.app.tables.hosting = 3
    answer = await house.ask("POST", "/api/tables", {**FRIENDS, "elections": elections})
    assert (answer.status_code, answer.json()["error"]) == (400, words)


@pytest.mark.parametrize("wrong", ["0", "many", "-1", "3.5", "9" * 5000])
def test_hosting_is_off_or_a_number(wrong: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--data", str(tmp_path), "--hosting", wrong])
    assert result.exit_code == 2
    assert "--hosting" in result.output


@pytest.mark.parametrize("wrong", ["many", "-1", "3.5", "9" * 5000, "none"])
def test_shifts_are_off_or_a_number(wrong: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--data", str(tmp_path), "--shifts", wrong])
    assert result.exit_code == 2
    assert "--shifts: use 'off' or a number" in result.output


@pytest.mark.system
def test_the_operator_turns_shifts_off(tmp_path: Path) -> None:
    with serving(tmp_path, "", "--shifts", "off") as server:
        assert server.http.post("/api/school/shifts", json={}).status_code == 403


@pytest.mark.system
def test_the_default_on_this_machine_is_three(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        statuses = [server.ask("POST", "", FRIENDS).status_code for _ in range(4)]
        assert statuses == [201, 201, 201, 429]
    with serving(tmp_path, "", "--hosting", "off") as server:
        assert server.ask("POST", "", FRIENDS).status_code == 401
