"""``passline tables`` and ``passline keys``: what an operator deletes and replaces."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from passline.cli.main import cli
from passline.live.dice_proofs import Sealer
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest
from passline.live.service import OPERATOR, TableService
from passline.live.signing_key import load_signing_key
from passline.live.store import Store
from passline.live.stores.open_store import check_tables_known, open_store
from passline.live.stores.sqlite import SqliteStore
from tests.live.conftest import database, postgres

__all__ = ["database", "postgres"]
DOC = Path(__file__).parents[2] / "docs" / "operate" / "live.md"


def run(*args: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, args)), prog_name="passline")


async def open_tables(store: Store, closed: bool) -> list[str]:
    """An open table, and one that is closed (or also open)."""
    service = TableService(store, Sealer(bytes(32)))
    tables = [(await service.open_table(OpenTableRequest(rulebook="iowa"))).table for _ in "ab"]
    await service.sit(tables[0], SeatRequest(name="ann", buy_in="500"))
    if closed:
        closing = LineRequest(id="c", say="table closes")
        assert (await service.say(tables[1], OPERATOR, closing)).seq is not None
    return tables


def make_old(folder: Path) -> list[str]:
    """A folder with an open table and a closed one, both of half a year ago."""
    then = datetime.now(UTC) - timedelta(days=180)

    async def make() -> list[str]:
        store = await SqliteStore.open(folder, clock=lambda: then)
        tables = await open_tables(store, closed=True)
        await check_tables_known(store, folder, str(folder))
        await store.close()
        return tables

    return asyncio.run(make())


def ids(folder: Path | None, url: str | None = None) -> list[str]:
    async def look() -> list[str]:
        store = await open_store(folder, url)
        found = await store.ids()
        await store.close()
        return found

    return asyncio.run(look())


def test_old_closed_tables_are_pruned(tmp_path: Path) -> None:
    still_open, closed = make_old(tmp_path)
    shown = run("tables", "prune", "--days", 90, "--data", tmp_path)
    assert shown.exit_code == 0
    assert f"{closed} would be deleted" in shown.output
    assert "nothing was deleted: add --yes" in shown.output
    assert ids(tmp_path) == sorted((still_open, closed))
    assert (
        "no table is that old" in run("tables", "prune", "--days", 365, "--data", tmp_path).output
    )
    gone = run("tables", "prune", "--days", 90, "--data", tmp_path, "--yes", "--json")
    assert json.loads(gone.output) == {"deleted": [closed]}
    assert ids(tmp_path) == [still_open]
    assert run("audit", "--data", tmp_path).exit_code == 0


def test_a_table_is_deleted_with_everything_of_it(tmp_path: Path) -> None:
    one, two = make_old(tmp_path)
    missing = run("tables", "delete", one, "nope", "--data", tmp_path, "--yes")
    assert (missing.exit_code, "there is no table 'nope'" in missing.output) == (2, True)
    assert ids(tmp_path) == sorted((one, two))
    assert run("tables", "delete", one, two, "--data", tmp_path, "--yes").exit_code == 0
    assert ids(tmp_path) == []

    async def rows() -> list[object]:
        store = await SqliteStore.open(tmp_path)
        names = ("entries", "tables", "tokens", "secrets", "snapshots")
        found = [row for name in names for row in await store._query(f"SELECT * FROM {name}")]
        await check_tables_known(store, tmp_path, str(tmp_path))  # a server starts here again
        await store.close()
        return found

    assert asyncio.run(rows()) == []


@pytest.mark.system
def test_a_table_of_a_database_is_deleted(database: str) -> None:
    async def make() -> list[str]:
        store = await open_store(None, database)
        tables = await open_tables(store, closed=False)
        await store.close()
        return tables

    one, two = asyncio.run(make())
    assert run("tables", "delete", one, "--database", database, "--yes").exit_code == 0
    assert ids(None, database) == [two]


@pytest.mark.parametrize("key", ["house", "dice", "signing", "metrics"])
def test_a_key_is_replaced_and_the_old_one_kept(
    tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = f"PASSLINE_{key.upper()}_KEY"
    monkeypatch.delenv(variable, raising=False)
    missing = run("keys", "rotate", key, "--data", tmp_path)
    assert (missing.exit_code, "there is no" in missing.output) == (2, True)
    path = tmp_path / f"{key}.key"
    path.write_text("old\n")
    path.chmod(0o600)
    done = run("keys", "rotate", key, "--data", tmp_path)
    assert done.exit_code == 0, done.output
    assert path.stat().st_mode & 0o777 == 0o600
    assert re.fullmatch("[0-9a-zA-Z]{32,64}", path.read_text().strip())
    (kept,) = [one for one in tmp_path.iterdir() if one != path]
    assert (kept.read_text(), kept.stat().st_mode & 0o777) == ("old\n", 0o600)
    monkeypatch.setenv(variable, "x")
    assert "change it there" in run("keys", "rotate", key, "--data", tmp_path).output


def test_a_new_signing_key_stands_in_the_log(tmp_path: Path) -> None:
    async def say(table: str, say: str) -> tuple[str, str]:
        store = await open_store(tmp_path)
        key = load_signing_key(tmp_path)
        service = TableService(store, Sealer(bytes(32)), signing_key=key)
        table = table or (await service.open_table(OpenTableRequest(rulebook="iowa"))).table
        said = await service.say(table, OPERATOR, LineRequest(id=say, say=say))
        await store.close()
        assert said.receipt is not None
        return table, said.receipt

    table, before = asyncio.run(say("", "table closes"))
    old = load_signing_key(tmp_path).public_key
    assert run("keys", "rotate", "signing", "--data", tmp_path).exit_code == 0
    _, after = asyncio.run(say(table, "table opens"))
    new = load_signing_key(tmp_path).public_key
    assert new != old
    where = ("audit", "--data", tmp_path, "--table", table)
    assert run(*where, "--receipt", before, "--receipt", after).exit_code == 0
    assert run(*where, "--receipt", before, "--public-key", old).exit_code == 0
    assert run(*where, "--receipt", before, "--public-key", new).exit_code == 1


def test_the_commands_of_the_document_work_as_written(tmp_path: Path) -> None:
    one, two = make_old(tmp_path)
    (tmp_path / "signing.key").write_text("0" * 64)
    text = DOC.read_text("utf-8")
    part = text.partition("## Old tables and new keys")[2].partition("\n## ")[0]
    commands = re.findall(r"^    passline (.*)$", part, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        words = command.replace("/srv/passline", str(tmp_path)).replace("TABLE", one).split()
        done = run(*words)
        assert done.exit_code == 0, done.output
    assert ids(tmp_path) == []
    assert two
