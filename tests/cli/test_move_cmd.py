"""``passline move``: tables from a folder to a database and back, and what stops it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.live.dice_proofs import Sealer
from passline.live.schema import OpenTableRequest, SeatRequest
from passline.live.service import TableService
from passline.live.stores.open_store import open_store
from passline.live.stores.sqlite import SqliteStore
from tests.cli.test_backup_cmd import learn, school_of
from tests.live.conftest import database, postgres

pytestmark = pytest.mark.system

__all__ = ["database", "postgres"]


def move(*args: object) -> Result:
    return CliRunner().invoke(cli, ["move", *map(str, args)], prog_name="passline")


def opened(folder: Path, *names: str) -> list[str]:
    """A folder with tables, and somebody at each; their ids."""

    async def make() -> list[str]:
        store = await open_store(folder)
        service = TableService(store, Sealer(bytes(32)))
        found = []
        for name in names:
            table = (await service.open_table(OpenTableRequest(rulebook="iowa", name=name))).table
            await service.sit(table, SeatRequest(name="ann", buy_in="500", token="a" * 32))
            found.append(table)
        await store.close()
        return found

    return asyncio.run(make())


def held(folder: Path | None, database: str | None = None) -> list[str]:
    """The names of the tables that a lobby shows."""

    async def look() -> list[str]:
        store = await open_store(folder, database)
        rows = await TableService(store, Sealer(bytes(32))).lobby()
        await store.close()
        return sorted(str(row["name"]) for row in rows)

    return asyncio.run(look())


def test_tables_go_to_a_database_and_back(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PASSLINE_DICE_KEY", "00" * 32)
    here, back = tmp_path / "here", tmp_path / "back"
    one, two = opened(here, "One", "Two")
    gone = move(one, "--from", here, "--to", database)
    assert (gone.exit_code, gone.output) == (0, f"{one} moved; its log continues after entry 3\n")
    assert (held(here), held(None, database)) == (["Two"], ["One"])
    rest = move("--all", "--from", here, "--to", database, "--json")
    assert (rest.exit_code, json.loads(rest.output)) == (
        0,
        {"moved": {two: 3}, "finished": [], "kept": {}, "elsewhere": [], "school": 0},
    )
    again = move("--all", "--from", here, "--to", database)
    assert (again.exit_code, again.output) == (0, "no table is left to move\n")
    assert move("--all", "--from", database, "--to", here).exit_code == 0  # they come back
    assert (held(here), held(None, database)) == (["One", "Two"], [])
    assert move("--all", "--from", here, "--to", back).exit_code == 0
    audited = CliRunner().invoke(cli, ["audit", "--data", str(back)])
    assert (audited.exit_code, held(back)) == (0, ["One", "Two"])


def test_what_cannot_be_moved_is_said_and_stays(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (one,) = opened(here, "One")
    for args, words in (
        (("--from", here, "--to", there), "name the tables to move, or use --all"),
        ((one, "--all", "--from", here, "--to", there), "name the tables to move, or use --all"),
        (("--all", "--from", here, "--to", f"{here}/"), "--from and --to are the same store"),
        (("--all", "--from", tmp_path, "--to", there), "has no tables"),
        (("--all", "--from", here, "--to", "postgresql://127.0.0.1:1/x"), "database"),
    ):
        wrong = move(*args)
        assert (wrong.exit_code, words in wrong.output) == (2, True), wrong.output
    missing = move("nowhere", "--from", here, "--to", there, "--json")
    assert missing.exit_code == 1
    assert "there is no table 'nowhere'" in missing.output

    async def served() -> Result:
        store = await open_store(here)
        try:
            return await asyncio.to_thread(move, one, "--from", here, "--to", there)
        finally:
            await store.close()

    busy = asyncio.run(served())
    assert (busy.exit_code, f"another server uses {here}" in busy.output) == (2, True)
    assert held(here) == ["One"]


def test_a_move_that_was_killed_half_way_is_finished(tmp_path: Path) -> None:
    """Killed after the old store says that the table moved, before the new one has it."""
    here, there, third = tmp_path / "here", tmp_path / "there", tmp_path / "third"
    one, two = opened(here, "One", "Two")

    class KilledError(BaseException):
        pass

    async def die(*_: object) -> None:
        raise KilledError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "import_table", die)
        with pytest.raises(KilledError):
            move(one, "--from", here, "--to", there)
    assert held(here) == ["Two"]
    other = move("--all", "--from", here, "--to", third)  # it began to go elsewhere
    assert other.exit_code == 0
    assert f"moved to another store before: {one}" in other.output
    assert held(third) == ["Two"]
    done = move("--all", "--from", here, "--to", there)
    assert done.exit_code == 0
    assert f"{one} was moved half-way; the move is finished" in done.output
    assert f"moved to another store before: {two}" in done.output
    assert held(there) == ["One"]
    audited = CliRunner().invoke(cli, ["audit", "--data", str(there)])
    assert audited.exit_code == 0
    assert "no table is left to move" in move("--all", "--from", here, "--to", there).output


def test_the_school_moves_too(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_HOME", str(tmp_path / "home"))
    here, back = tmp_path / "here", tmp_path / "back"
    opened(here, "One")
    learn(here)
    for _ in range(2):  # Once more changes nothing.
        moved = move("--all", "--from", here, "--to", database)
        assert moved.exit_code == 0, moved.output
        assert "the school's 4 records are there too" in moved.output
    assert move("--all", "--from", database, "--to", back).exit_code == 0
    assert school_of(back) == school_of(database) == school_of(here)
