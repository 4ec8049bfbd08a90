"""``passline backup`` and ``passline restore``: everything comes back, and nothing half."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import psycopg
import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.live.backup_file import read_backup
from passline.live.backup_rows import LIVE_COLUMNS, SCHOOL_COLUMNS
from passline.live.dice_proofs import Sealer
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest
from passline.live.service import TableService
from passline.live.stores.open_store import open_store
from passline.live.stores.sqlite import SqliteStore
from passline.live.tokens import Holder
from passline.school.answer_log import AnswerRecord
from passline.school.audition_attempts import AttemptStart
from passline.school.learner_tokens import SchoolTokenHolder, open_learner_stores
from tests.live.conftest import database, postgres

__all__ = ["database", "postgres"]
ANN, TOKEN = Holder("player", "ann"), "a" * 32


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, args)), prog_name="passline")


async def play(service: TableService) -> str:
    """A table with a player, a bet and a throw; its id."""
    asked = OpenTableRequest(rulebook="iowa", pace={"betting": 0, "shooter": 0})
    table = (await service.open_table(asked)).table
    await service.sit(table, SeatRequest(name="ann", buy_in="500", token=TOKEN))
    for number, say in enumerate(("pass for 10", "roll")):
        await service.say(table, ANN, LineRequest(id=f"a{number}", say=say, nonce="n"))
    return table


def learn(place: Path | str) -> None:
    """A learner with a token, an answer, one of before ids, and an audition."""
    answers, tokens, attempts = open_learner_stores(place)
    at = datetime(2026, 11, 18, tzinfo=UTC)
    for answer_id in ("q1", ""):
        record = AnswerRecord(
            at=at, drill="limits", right=True, clauses=("iowa:1",), id=answer_id, n=len(answer_id)
        )
        answers.append("Zoë K.", record)
    assert tokens.take("t" * 32, SchoolTokenHolder("Zoë K."))
    start = AttemptStart(
        audition="ab" * 16, learner="Zoë K.", rulebook="iowa", house="", seed="s", minutes=5, at=at
    )
    attempts.create(start.audition, "start", "Zoë K.", msgspec.json.encode(start))
    answers.close()


def school_of(place: Path | str) -> tuple[object, ...]:
    answers, tokens, attempts = open_learner_stores(place)
    found = answers.read("Zoë K.").answers
    parts = [attempts.read(one) for one in attempts.list_auditions("Zoë K.")]
    told = [(one.at, one.drill, one.n) for one in found], tokens.holder("t" * 32), parts
    assert len(found) == 2
    assert parts
    answers.close()
    return told


def rows_of(file: Path) -> list[str]:
    """The rows of a backup that must come back, in any order."""
    return sorted(repr(row) for row in read_backup(file) if row[0] != "snapshots")


@pytest.fixture
def served(tmp_path: Path) -> tuple[Path, str]:
    """A server's folder with a table and the school."""

    async def make() -> str:
        store = await open_store(tmp_path / "here")
        table = await play(TableService(store, Sealer(bytes(32))))
        await store.raise_fact("a day was told", 739_000)
        await store.close()
        return table

    table = asyncio.run(make())
    learn(tmp_path / "here")
    return tmp_path / "here", table


def view(place: Path | None, url: str | None, table: str) -> dict[str, object]:
    async def look() -> dict[str, object]:
        store = await open_store(place, url)
        service = TableService(store, Sealer(bytes(32)))
        assert await service.holder(table, TOKEN) == ANN
        shown = await service.view(table, ANN)
        await store.close()
        return shown

    return asyncio.run(look())


def test_a_folder_comes_back_whole(tmp_path: Path, served: tuple[Path, str]) -> None:
    here, table = served
    file, there = tmp_path / "b", tmp_path / "there"
    saved = run("backup", "--out", file, "--data", here)
    assert saved.exit_code == 0, saved.output
    assert f"{file}: 1 table, " in saved.output
    assert "log entries, 2 answers of learners, 1 part of auditions\n" in saved.output
    assert f"house.key, dice.key and signing.key (in {here})" in saved.output
    assert file.stat().st_mode & 0o777 == 0o600
    put = run("restore", file, "--data", there)
    assert put.exit_code == 0, put.output
    assert f"signing.key (in {there})" in put.output
    assert "--restored" in put.output
    assert view(there, None, table) == view(here, None, table)
    assert school_of(there) == school_of(here)
    assert not (there / "restoring").exists()
    modes = {(one.is_dir(), oct(one.stat().st_mode & 0o777)) for one in there.rglob("*")}
    assert modes == {(True, "0o700"), (False, "0o600")}
    assert run("audit", "--data", there).exit_code == 0
    again = tmp_path / "again"
    assert run("backup", "--out", again, "--data", there, "--json").exit_code == 0
    assert rows_of(again) == rows_of(file)


def test_a_server_that_runs_is_saved_at_one_moment(tmp_path: Path) -> None:
    here, file = tmp_path / "here", tmp_path / "b"

    async def save() -> tuple[str, Result]:
        store = await open_store(here)
        table = await play(TableService(store, Sealer(bytes(32))))
        saved = await asyncio.to_thread(run, "backup", "--out", file, "--data", here)
        await store.close()
        return table, saved

    table, saved = asyncio.run(save())
    assert saved.exit_code == 0, saved.output
    assert run("restore", file, "--data", tmp_path / "there").exit_code == 0
    assert view(tmp_path / "there", None, table)["table"] == table


@pytest.mark.system
def test_a_folder_goes_to_a_database_and_back(
    tmp_path: Path, served: tuple[Path, str], database: str
) -> None:
    here, table = served
    first, second = tmp_path / "first", tmp_path / "second"
    assert run("backup", "--out", first, "--data", here).exit_code == 0
    put = run("restore", first, "--database", database)
    assert put.exit_code == 0, put.output
    assert view(None, database, table) == view(here, None, table)
    assert school_of(database) == school_of(here)
    full = run("restore", first, "--database", database)
    assert (full.exit_code, "the database is not empty" in full.output) == (2, True)
    assert run("backup", "--out", second, "--database", database).exit_code == 0
    assert rows_of(second) == rows_of(first)
    assert run("restore", second, "--data", tmp_path / "there").exit_code == 0
    assert school_of(tmp_path / "there") == school_of(here)


def test_a_folder_of_before_facts_is_saved(tmp_path: Path, served: tuple[Path, str]) -> None:
    here, table = served
    with closing(sqlite3.connect(here / "live.sqlite")) as database:
        database.execute("DROP TABLE facts")
        database.execute("PRAGMA user_version = 1")
    saved = run("backup", "--out", tmp_path / "b", "--data", here)
    assert saved.exit_code == 0, saved.output
    assert run("restore", tmp_path / "b", "--data", tmp_path / "there").exit_code == 0
    assert view(tmp_path / "there", None, table) == view(here, None, table)


@pytest.mark.system
def test_a_database_whose_tables_were_deleted_is_restored_and_its_facts_stay(
    tmp_path: Path, served: tuple[Path, str], database: str
) -> None:
    async def raise_facts(*facts: int) -> list[int]:
        store = await open_store(None, database)
        for number in facts:
            await store.raise_fact("a day was told", number)
            await store.raise_fact("another", number)
        found = [await store.fact(name) for name in ("a day was told", "another")]
        await store.close()
        return found

    here, table = served
    assert run("backup", "--out", tmp_path / "b", "--data", here).exit_code == 0
    assert asyncio.run(raise_facts(5)) == [5, 5]
    put = run("restore", tmp_path / "b", "--database", database)
    assert put.exit_code == 0, put.output
    assert view(None, database, table) == view(here, None, table)
    assert asyncio.run(raise_facts()) == [739_000, 5]


@pytest.mark.system
def test_every_table_of_the_database_is_in_a_backup(database: str) -> None:
    async def make() -> None:
        await (await open_store(None, database)).close()

    asyncio.run(make())
    with psycopg.connect(database) as connection:
        rows = connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = "
            "current_schema() AND table_name LIKE 'passline_%'"
        ).fetchall()
    found = {(str(table).removeprefix("passline_"), str(column)) for table, column in rows}
    found = {(table, column) for table, column in found if table != "leases"}  # of running servers
    known = {
        (table, column)
        for table, columns in {**LIVE_COLUMNS, **SCHOOL_COLUMNS}.items()
        for column in columns
    }
    assert found - known == {("schema", "version"), ("reviews", "seq")}


def test_nothing_is_restored_half_or_over_anything(
    tmp_path: Path, served: tuple[Path, str]
) -> None:
    here, _ = served
    file = tmp_path / "b"
    assert run("backup", "--out", file, "--data", here).exit_code == 0
    kept = file.read_bytes()
    exists = run("backup", "--out", file, "--data", here)
    assert (exists.exit_code, "add --force" in exists.output) == (2, True)
    assert file.read_bytes() == kept
    assert run("backup", "--out", file, "--data", here, "--force").exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    full = run("restore", file, "--data", here)
    assert (full.exit_code, "exists: restore to a new folder" in full.output) == (2, True)
    there = tmp_path / "there"
    for data in (kept[: len(kept) // 2], kept[:-12], b"", b"something else", kept + b"x"):
        file.write_bytes(data)
        wrong = run("restore", file, "--data", there)
        assert (wrong.exit_code, wrong.output.count("\n")) == (2, 1), wrong.output
        assert not there.exists()
    nothing = run("backup", "--out", tmp_path / "c", "--data", tmp_path / "nowhere")
    assert (nothing.exit_code, (tmp_path / "c").exists()) == (2, False)
    assert run("backup", "--out", tmp_path / "no" / "c", "--data", here).exit_code == 2
    assert run("restore", tmp_path / "gone", "--data", there).exit_code == 2
    both = run("restore", file, "--data", there, "--database", "postgresql:///x")
    assert (both.exit_code, "choose one of" in both.output) == (2, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "here"]


def test_a_restored_folder_is_locked_while_a_server_has_it(tmp_path: Path) -> None:
    async def held() -> Result:
        store = await SqliteStore.open(tmp_path / "there")
        (tmp_path / "there" / "live.sqlite").rename(tmp_path / "aside")
        try:
            return await asyncio.to_thread(
                run, "restore", tmp_path / "b", "--data", tmp_path / "there"
            )
        finally:
            await store.close()

    asyncio.run(_saved(tmp_path))
    found = asyncio.run(held())
    assert (found.exit_code, "another server uses" in found.output) == (2, True), found.output


async def _saved(folder: Path) -> None:
    store = await open_store(folder / "here")
    await play(TableService(store, Sealer(bytes(32))))
    await store.close()
    result = await asyncio.to_thread(
        run, "backup", "--out", folder / "b", "--data", folder / "here"
    )
    assert result.exit_code == 0
