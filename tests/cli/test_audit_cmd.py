"""``passline audit``: what it reads, what it prints, how it exits."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner, Result

from passline.cli.audit import command
from passline.game.words.log import SHIFT_FIGURES
from passline.live.dice_proofs import Sealer
from passline.live.log_entries import encode_canonical
from passline.live.schema import LineRequest, OpenTableRequest, SeatRequest
from passline.live.service import TableService
from passline.live.store import Store
from passline.live.stores.postgres import PostgresStore
from passline.live.stores.sqlite import SqliteStore
from passline.live.tokens import Holder
from passline.version import VERSION
from tests.live.conftest import database, postgres
from tests.live.tampering import fields_of, mended

__all__ = ["database", "postgres"]

ROOT = Path(__file__).parents[2]
LOGS = ROOT / "tests" / "live" / "logs"
LOG = LOGS / f"{VERSION}-new-jersey-machine.jsonl"
CREW = LOGS / f"{VERSION}-new-jersey-crew.jsonl"
LINES = LOG.read_bytes().splitlines(keepends=True)
CONTRACT = ("entries", "throws", "chain", "replay", "ledger", "dice")


def audit(*args: str | Path, said: bytes = b"") -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], input=said, prog_name="passline")


def outcome(*args: str | Path, said: bytes = b"", code: int = 0) -> dict[str, object]:
    ended = audit(*args, "--json", said=said)
    assert ended.exit_code == code, ended.output
    found: dict[str, object] = json.loads(ended.stdout)
    return found


def refused(*args: str | Path, said: bytes = b"") -> str:
    """The one line of an input that cannot be used."""
    ended = audit(*args, said=said)
    assert (ended.exit_code, ended.stdout) == (2, ""), ended.output
    assert ended.stderr.count("\n") == 1
    return ended.stderr


def test_a_log_that_is_whole() -> None:
    ended = audit(LOG)
    assert ended.exit_code == 0, ended.output
    assert "chain   ok\n" in ended.stdout
    assert "replay  ok\n" in ended.stdout
    found = outcome(LOG)
    assert [found[key] for key in CONTRACT] == [len(LINES), 30, "ok", "ok", "ok", "ok"]
    assert outcome("-", said=LOG.read_bytes()) == found


def test_a_log_that_was_tampered_with() -> None:
    entries = fields_of(LOG.read_bytes())
    number = next(n for n, e in enumerate(entries) if "fair" in e)
    entries[number]["fair"]["nonce"] += "xy"
    forged = b"".join(encode_canonical(entry) + b"\n" for entry in mended(entries, number))
    ended = audit("-", said=forged)
    assert ended.exit_code == 1
    told = f"entry {number}: the secret throws"
    assert told in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.endswith("(dice)\n")
    assert told in ended.stdout
    found = outcome("-", said=forged, code=1)
    assert [found[key] for key in CONTRACT[2:]] == ["ok", "ok", "ok", number]


def test_receipts() -> None:
    last = fields_of(LOG.read_bytes())[-1]
    good = f"{last['seq']}:{last['hash']}"
    assert audit(LOG, "--receipt", good, "--receipt", good).exit_code == 0
    cut = audit("-", "--receipt", good, said=b"".join(LINES[:-2]))
    assert cut.exit_code == 1
    assert f"entry {len(LINES) - 2}: the log ends here" in cut.stderr
    assert audit(LOG, "--receipt", f"3:{last['hash']}").exit_code == 1
    for bad in ("3", "x:y", f"-1:{last['hash']}", f"3:{last['hash'][1:]}", ":", ""):
        assert "use SEQ:HASH" in refused(LOG, "--receipt", bad)


def test_what_cannot_be_read() -> None:
    assert "there is no table log" in refused("nowhere.jsonl")
    assert "is a folder" in refused(LOGS)
    assert "it is empty" in refused("-")
    for junk in (b"hello\n", b"[1, 2]\n", b"{}\n", b"rulebook: iowa\n", b"\xff\xfe{}", b"[" * 9999):
        assert "not the log of a table" in refused("-", said=junk)
    assert "name one of FILE" in refused()
    assert "name one of FILE" in refused(LOG, "--data", ".")
    assert "--csv needs --report" in refused(LOG, "--csv")
    other = audit(LOG, "--table", "another")
    assert (other.exit_code, other.stderr.count("entry 0: this is the log of table")) == (1, 1)


def test_any_spelling_of_the_same_entries_will_do() -> None:
    """Line ends, a mark at the start, empty lines, other spaces and escapes change no entry."""
    log = b"".join(LINES)
    loose = b"".join(json.dumps(entry).encode() + b"\r\n" for entry in fields_of(log))
    for spelled in (
        log.replace(b"\n", b"\r\n"), log[:-1], log + b"\n \n", b"\xef\xbb\xbf" + log, loose,
    ):  # fmt: skip
        assert outcome("-", said=spelled) == outcome(LOG)


def broken() -> Iterator[tuple[str, bytes]]:
    """What may stand in the place of an entry, and what is told of it."""
    line = LINES[9]
    yield "not JSON", line[:-30] + b"\n"
    yield "not JSON", line.replace(b'"player"', b'"pl\xffyer"', 1)
    yield "not JSON", line.replace(b'"events":[', b'"events":[NaN,', 1)
    yield "not a whole number", line.replace(b'"seq":9', b'"seq":9.0', 1)
    yield "not a whole number", line.replace(b'"events":[', b'"events":[1e3,', 1)
    yield "not below 2^53", line.replace(b'"events":[', b'"events":[9007199254740992,', 1)
    yield "nested too deeply", line.replace(b'"events":[', b'"events":[' + b"[" * 5000, 1)
    yield "given twice", line.replace(b'"seq":9', b'"seq":9,"seq":9', 1)
    yield "given twice", line.replace(b'"seq":9', b'"hash":"%b","seq":9' % (b"0" * 64), 1)
    yield (
        "the field events has the wrong type",
        line.replace(b'"events":[', b'"events":"","x":[', 1),
    )
    yield "the field at is not a time", line.replace(b'"at":"2026-11', b'"at":"2026-13', 1)
    yield "an entry is a JSON object", b"[]\n"
    yield "the field seq is missing", line.replace(b'"seq"', b'"sec"', 1)


@pytest.mark.parametrize(("why", "line"), list(broken()))
def test_what_is_no_entry_is_the_first_that_is_wrong(why: str, line: bytes) -> None:
    log = b"".join([*LINES[:9], line, *LINES[10:]])
    ended = audit("-", said=log)
    assert ended.exit_code == 1, ended.output
    assert ended.stderr.startswith("passline audit: table ")
    assert "entry 9: it cannot be read: " in ended.stderr
    assert why in ended.stderr
    found = outcome("-", said=log, code=1)
    assert [found[key] for key in CONTRACT] == [9, 0, 9, 9, 9, 9]


def test_a_line_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    long = tmp_path / "long.jsonl"
    with long.open("wb") as file:
        file.writelines(LINES[:3])
        file.seek(100 * 2**20, os.SEEK_CUR)
        file.write(b"\n")
    ended = audit(long)
    assert ended.exit_code == 1
    assert "entry 3: it cannot be read: a line has more than 16 MiB" in ended.stderr
    with long.open("wb") as file:
        file.truncate(100 * 2**20)
    assert "16 MiB" in refused(long)


CHANCE = random.Random(7)


def _service(store: Store) -> TableService:
    return TableService(store, Sealer(bytes(32)), random_bytes=CHANCE.randbytes)


async def _games(folder: Path, names: tuple[str, ...] = ("one",)) -> tuple[SqliteStore, list[str]]:
    store = await SqliteStore.open(folder)
    return store, [await _game(_service(store), name) for name in names]


async def _game(service: TableService, name: str) -> str:
    asked = OpenTableRequest(rulebook="new-jersey", name=name, pace={"betting": 0, "shooter": 0})
    table = (await service.open_table(asked)).table
    await service.sit(table, SeatRequest(name="ann", buy_in="500"))
    for number, say in enumerate(("pass for 10", "roll", "field for 5")):
        await service.say(table, Holder("player", "ann"), LineRequest(id=f"a{number}", say=say))
    return table


def test_the_tables_of_a_folder(tmp_path: Path) -> None:
    async def play() -> list[str]:
        store, tables = await _games(tmp_path / "live", ("one", "two"))
        await store.close()
        return tables

    tables = asyncio.run(play())
    before = {path.name: path.read_bytes() for path in (tmp_path / "live").iterdir()}
    found = outcome("--data", tmp_path / "live")
    assert [found[key] for key in CONTRACT[2:]] == ["ok"] * 4
    each = found["tables"]
    assert isinstance(each, list)
    assert sorted(one["table"] for one in each) == sorted(tables)
    assert found["entries"] == sum(one["entries"] for one in each)
    assert audit("--data", tmp_path / "live").stdout.count(": ok\n") == 2
    one = outcome("--data", tmp_path / "live", "--table", tables[0])
    assert [one["table"], one["throws"], one["chain"]] == [tables[0], 1, "ok"]
    receipt = f"{one['entries'] - 1}:{one['head']}"  # type: ignore[operator]
    assert "add --table" in refused("--data", tmp_path / "live", "--receipt", receipt)
    args = ("--data", tmp_path / "live", "--table", tables[0], "--receipt", receipt)
    assert audit(*args).exit_code == 0
    assert "there is no table" in refused("--data", tmp_path / "live", "--table", "nope")
    assert "there is no table" in refused("--data", tmp_path / "live", "--table", "'; --")
    assert {path.name: path.read_bytes() for path in (tmp_path / "live").iterdir()} == before


def test_a_deleted_listing_hides_no_table_and_deleted_entries_are_noticed(tmp_path: Path) -> None:
    async def play() -> list[str]:
        store, tables = await _games(tmp_path, ("one", "two"))
        await store.close()
        return tables

    first, second = asyncio.run(play())
    with closing(apsw.Connection(str(tmp_path / "live.sqlite"))) as db:
        db.execute("DELETE FROM tables WHERE tbl = ?", (first,))
    each = outcome("--data", tmp_path)["tables"]
    assert isinstance(each, list)
    assert {one["table"] for one in each} == {first, second}
    with closing(apsw.Connection(str(tmp_path / "live.sqlite"))) as db:
        db.execute("DELETE FROM entries WHERE tbl = ?", (second,))
    found = audit("--data", tmp_path)
    assert found.exit_code == 1
    assert f"table {second}: entry 0: the store lists the table but has none" in found.stderr


def test_nothing_is_made_where_there_is_nothing(tmp_path: Path) -> None:
    assert "cannot be opened" in refused("--data", tmp_path / "gone")
    assert "cannot be opened" in refused("--data", tmp_path)
    (tmp_path / "live.sqlite").write_bytes(b"something else")
    assert refused("--data", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["live.sqlite"]
    assert refused("--database", "postgresql:///postgres?host=/nowhere/at/all")
    assert refused("--database", "nonsense")


def test_an_empty_store_has_no_table(tmp_path: Path) -> None:
    async def play() -> None:
        store, _ = await _games(tmp_path, ())
        await store.close()

    asyncio.run(play())
    assert "there is no table to audit" in refused("--data", tmp_path)


def test_while_a_server_has_the_folder(tmp_path: Path) -> None:
    async def play() -> tuple[str, subprocess.CompletedProcess[str]]:
        store, (table,) = await _games(tmp_path)
        try:
            args = [sys.executable, "-m", "passline", "audit", "--data", str(tmp_path), "--json"]
            run = lambda: subprocess.run(args, capture_output=True, text=True, check=False)  # noqa: E731
            return table, await asyncio.to_thread(run)
        finally:
            await store.close()

    table, ended = asyncio.run(play())
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["table"] == table


def test_a_row_that_was_bent_in_the_store(tmp_path: Path) -> None:
    """Wrong entries of a store are found like those of a file, and are no damage to stumble on."""

    async def play() -> str:
        store, (table,) = await _games(tmp_path)
        await store.close()
        return table

    table = asyncio.run(play())
    with closing(apsw.Connection(str(tmp_path / "live.sqlite"))) as db:
        kept = list(db.execute("SELECT seq, body FROM entries ORDER BY seq"))
        body = bytes(kept[2][1]).replace(b'"amount":1000', b'"amount":2000')
        for bad, why in (
            (body, "hash is not that of the entry"),
            (body[:-1], "not JSON"),
            (b" " + bytes(kept[2][1]), "not canonical JSON"),
        ):
            db.execute("UPDATE entries SET body = ? WHERE seq = 2", (bad,))
            ended = audit("--data", tmp_path)
            assert ended.exit_code == 1
            assert f"table {table}: entry 2: " in ended.stderr
            assert why in ended.stderr
        db.execute("DELETE FROM entries WHERE seq = 2")
        assert outcome("--data", tmp_path, code=1)["chain"] == 2
        db.execute("UPDATE entries SET body = x'00' WHERE seq = 0")
        assert outcome("--data", tmp_path, code=1)["chain"] == 0


@pytest.mark.system
def test_the_tables_of_a_database(database: str) -> None:
    async def play() -> str:
        store = await PostgresStore.open(database)
        table = await _game(_service(store), "one")
        await store.close()
        return table

    table = asyncio.run(play())
    found = outcome("--database", database)
    assert (found["table"], found["chain"], found["dice"]) == (table, "ok", "ok")
    assert "there is no table" in refused("--database", database, "--table", "nope")


def rows(*args: str | Path) -> list[dict[str, str]]:
    ended = audit(*args, "--report", "--csv")
    assert ended.exit_code == 0, ended.output
    return list(csv.DictReader(io.StringIO(ended.stdout)))


def test_shift_reports() -> None:
    (row,) = rows(CREW)
    assert row["begins"] == "2026-11-15T06:00-06:00"
    assert row["ends"] == "2026-11-15T14:00-06:00"
    told = json.loads(audit(CREW, "--report", "--json").stdout)
    assert told["shift"] == {"hours": 8, "start": 6}
    assert {key: str(value) for key, value in told["rows"][0].items()} == row
    text = audit(CREW, "--report").stdout
    for key, words in told["definitions"].items():
        assert key in row
        assert words in text
    entries = fields_of(CREW.read_bytes())
    events = [one for entry in entries for one in entry["events"]]
    drop = sum(one["amount"] for one in events if one["event"] == "bought-in")
    assert row["drop"] == f"{drop // 100}.{drop % 100:02d}"
    assert row["throws"] == str(sum(one["event"] == "rolled" for one in events))


def test_shifts_are_cut_as_asked_and_add_up() -> None:
    (whole,) = rows(CREW, "--shift", "24h")
    hourly = rows(CREW, "--shift", "1", "--shift-start", "0")
    assert len(hourly) >= 1
    for key in ("drop", "win", "vig", "tokes", "throws"):
        cents = [int(row[key].replace(".", "")) for row in (whole, *hourly)]
        assert cents[0] == sum(cents[1:])
    for bad in ("0", "7h", "25", "-8", "x", "", "8.5h"):
        assert "divide the day" in refused(CREW, "--report", "--shift", bad)
    assert audit(CREW, "--report", "--shift-start", "24").exit_code == 2
    assert "choose one of --csv and --json" in refused(CREW, "--report", "--csv", "--json")


def test_no_reports_from_a_log_that_is_wrong() -> None:
    ended = audit("-", "--report", said=b"".join([*LINES[:9], *LINES[10:]]))
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "entry 9: " in ended.stderr


def test_a_tables_name_is_no_formula() -> None:
    entries = fields_of(CREW.read_bytes())
    entries[0]["settings"]["name"] = "=1+1"
    log = b"".join(encode_canonical(entry) + b"\n" for entry in mended(entries))
    ended = audit("-", "--report", "--csv", said=log)
    assert ",'=1+1," in ended.stdout


def _documented() -> list[tuple[str, str]]:
    page = (ROOT / "docs" / "operate" / "live.md").read_text("utf-8")
    blocks = re.findall(r"```console\n\$ passline audit (.*)\n((?:.*\n)*?)```", page)
    assert len(blocks) == 2
    return blocks


@pytest.mark.parametrize(("args", "shown"), _documented())
def test_the_page_shows_what_is_printed(
    args: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert audit(*args.split()).stdout == shown


def test_the_page_says_what_each_figure_is() -> None:
    page = (ROOT / "docs" / "operate" / "live.md").read_text("utf-8")
    for key in SHIFT_FIGURES:
        assert f"\n| `{key}` | " in page


def test_the_example_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert command.epilog is not None
    example = command.epilog.partition("passline audit ")[2].split()
    assert audit(*example).exit_code == 0
