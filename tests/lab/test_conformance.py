"""``passline conformance``: each row against the auditor, which shares nothing with the engine."""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from passline.cli.main import cli
from passline.game.house.load import house_for
from passline.lab import conformance
from passline.lab.conformance import (
    ConformanceRow,
    HeaderRow,
    MenuRow,
    SettlementRow,
    Situation,
    TotalRow,
    list_conformance_rows,
)
from tests.auditor.dice import Dice
from tests.auditor.figures import (
    BOOKS,
    CRAPLESS_PLACE,
    CRAPLESS_TRUE,
    LAID,
    SIDE_BETS,
    TEN,
    Book,
)
from tests.auditor.limits import Up
from tests.auditor.reading import cents
from tests.auditor.wagers import Rules

THROWS = [(a, b) for a in range(1, 7) for b in range(1, 7)]
#: A situation, its stake in dollars, and what the shooter has gathered.
Key = tuple[Situation, str, tuple[int, ...], tuple[int, ...]]


def _elections(sample: str) -> tuple[tuple[str, str], ...]:
    """Return a sample house's elections as typed."""
    text = files("passline").joinpath("samples", f"{sample}.toml").read_text("utf-8")
    whole = tomllib.loads(text)
    found = []
    for table, values in whole.items():
        if isinstance(values, dict):
            found += [(f"{table}.{key}", value) for key, value in _flatten(values)]
    return tuple((key, json.dumps(value).strip('"')) for key, value in found)


def _flatten(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (dotted key, value) of a table and the tables in it."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{under}", one) for under, one in _flatten(value))
        else:
            yield key, value


#: How the auditor reads the rulebooks: the shipped ones, and the sample that builds on one.
READINGS: dict[str, Book] = BOOKS | {
    "vegas-crapless": BOOKS["las-vegas"]._replace(
        points=TEN,
        dont=False,
        place=CRAPLESS_PLACE,
        true=CRAPLESS_TRUE,
        laid={2: (1, 6), 3: (1, 3), **LAID, 11: (1, 3), 12: (1, 6)},
    ),
}
HOUSES: list[tuple[str, str, tuple[tuple[str, str], ...]]] = [
    *((book, "", ()) for book in BOOKS),
    ("new-jersey", "mini-craps", ()),
    ("new-jersey", "craps", (("offers.fire", "A"),)),
    ("new-jersey", "craps", (("offers.six-seven-eight", "true"), ("buy.when", "won"))),
    ("dealer-school", "craps", (("limits.breakage", "up"), ("limits.min", "7"))),
    ("las-vegas", "craps", tuple((f"offers.{side}", "A") for side in SIDE_BETS)),
    ("dealer-school", "craps", (("offers.ride-the-line", "G"),)),
    ("vegas-crapless", "craps", ()),
    ("new-jersey", "craps", _elections("boardwalk")),
    ("las-vegas", "craps", _elections("strip")),
    ("las-vegas", "craps", _elections("downtown")),
]


@cache
def _rows(book: str, game: str, elections: tuple[tuple[str, str], ...]) -> list[ConformanceRow]:
    return list(list_conformance_rows(house_for(book, game or None, elections)))


def _group(rows: list[ConformanceRow]) -> dict[Key, dict[tuple[int, int], SettlementRow]]:
    found: dict[Key, dict[tuple[int, int], SettlementRow]] = defaultdict(dict)
    for row in rows:
        if isinstance(row, SettlementRow):
            situation = Situation(wager=row.wager, puck=row.puck, working=row.working)
            by_dice = found[situation, row.stake, row.made, row.thrown]
            assert row.dice not in by_dice, row
            by_dice[row.dice] = row
    return found


def _expect(rules: Rules, key: Key, dice: tuple[int, int]) -> dict[str, Any] | None:
    situation, stake, made, thrown = key
    desk = Dice(rules, [])
    desk.puck, desk.made, desk.thrown = situation.puck or 0, set(made), set(thrown)
    wager = Up(cents(stake), cents(stake), call=situation.working)
    return desk.settle_alone(situation.wager, wager, dice)


def _check(rules: Rules, key: Key, rows: dict[tuple[int, int], SettlementRow]) -> None:
    for dice in THROWS:
        expected, row = _expect(rules, key, dice), rows.get(dice)
        if expected is None or row is None:
            assert (expected, row) == (None, None), (key, dice)
            continue
        shown = {name: getattr(row, name) for name in ("wager", "stake", "result", "paid")}
        shown |= {"vig": row.vig, "left": row.left} | ({"to": row.to} if row.to else {})
        assert {name: expected[name] for name in expected if name != "player"} == shown, (key, dice)
        assert row.cite


@pytest.fixture(autouse=True)
def _sample_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSLINE_BOOKS", str(files("passline").joinpath("samples", "books")))


@pytest.mark.parametrize(("book", "game", "elections"), HOUSES)
def test_the_auditor_agrees_with_every_row(
    book: str, game: str, elections: tuple[tuple[str, str], ...]
) -> None:
    rows = _rows(book, game, elections)
    rules = Rules(READINGS[book], dict(elections), game)
    settled = _group(rows)
    for key, by_dice in settled.items():
        _check(rules, key, by_dice)
    decided = {key[0] for key in settled}
    situations = 0
    for menu in (row for row in rows if isinstance(row, MenuRow)):
        situations += len(menu.situations)
        for situation in menu.situations:  # A bet that no roll touches: the auditor agrees.
            if situation not in decided:
                assert not situation.working or situation.wager in {"fire", "ride-the-line-11"}
                _check(rules, (situation, menu.stakes[-1], (), ()), {})
    assert situations > 150


@pytest.mark.parametrize("book", BOOKS)
def test_the_rows_are_whole(book: str) -> None:
    rows = _rows(book, "", ())
    header, total = rows[0], rows[-1]
    assert isinstance(header, HeaderRow)
    assert isinstance(total, TotalRow)
    menus = [row for row in rows if isinstance(row, MenuRow)]
    settlements = [row for row in rows if isinstance(row, SettlementRow)]
    assert (header.rulebook, total.menus, total.settlements) == (
        *(book, len(menus)),
        len(settlements),
    )
    assert total.states == sum(menu.states for menu in menus)
    assert sum(menu.settlements for menu in menus) == len(settlements)
    assert len({menu.menu for menu in menus}) == len(menus)
    # A pass bet alone, worked by hand: each point with the puck and the bet, or neither.
    pass_menu = next(menu for menu in menus if menu.menu == "pass")
    points = len(BOOKS[book].points)
    # Off: without and with a bet. On each point: no bet, the bet, the bet and its odds.
    assert pass_menu.states >= 2 + 3 * points


def test_the_header_has_the_elections_as_typed() -> None:
    elections = (("limits.min", "15"), ("limits.smallest_chip", "2.50"), ("stays.lay", "true"))
    header = _rows_header("new-jersey", elections)
    assert header.elections == dict(elections)


def _rows_header(book: str, elections: tuple[tuple[str, str], ...]) -> HeaderRow:
    header = next(iter(list_conformance_rows(house_for(book, None, elections))))
    assert isinstance(header, HeaderRow)
    return header


def test_every_row_fits_the_schema() -> None:
    schema = conformance.conformance_schema()
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    for row in _rows("iowa", "", ())[::97]:
        shown = json.loads(msgspec.json.encode(row))
        fields = definitions[type(row).__name__]
        assert set(shown) <= set(fields["properties"])
        assert set(fields["required"]) <= set(shown)
        assert msgspec.json.decode(msgspec.json.encode(row), type=ConformanceRow) == row


def _run(*args: str) -> Any:
    return CliRunner().invoke(cli, ["conformance", *args])


def test_the_command_writes_a_file_and_never_replaces_one(tmp_path: Path) -> None:
    out = tmp_path / "iowa.jsonl"
    assert _run("--rulebook", "iowa", "--out", str(out)).exit_code == 0
    lines = out.read_text("utf-8").splitlines()
    assert json.loads(lines[0])["kind"] == "header"
    assert json.loads(lines[-1])["kind"] == "total"
    out.write_text("mine", "utf-8")
    refused = _run("--rulebook", "iowa", "--out", str(out))
    assert refused.exit_code == 2
    assert out.read_text("utf-8") == "mine"
    assert _run("--rulebook", "iowa", "--out", str(out), "--force").exit_code == 0
    assert out.read_text("utf-8").splitlines() == lines
    assert _run("--rulebook", "iowa").stdout.splitlines() == lines


def test_an_interrupt_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> Any:
        yield TotalRow(menus=0, states=0, settlements=0)
        raise KeyboardInterrupt

    monkeypatch.setattr(conformance, "list_conformance_rows", interrupt)
    assert _run("--rulebook", "iowa", "--out", str(tmp_path / "x.jsonl")).exit_code != 0
    assert list(tmp_path.iterdir()) == []


def test_the_schema_is_printed() -> None:
    done = _run("--schema")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == json.loads(json.dumps(conformance.conformance_schema()))
    assert _run().exit_code == 2
