"""Every row of every book's odds sheet, held against the auditor's own figures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.side_bets.own_figures import PUBLISHED, edge_by_table

from .closed import Together, line_with_odds
from .engine_json import run_json
from .rows import Key, points, rows
from .tables import BOOKS, lines, odds
from .tale import Figures

EXACT = ("win", "lose", "push", "edge", "edge_resolved", "rolls", "edge_per_roll")


def _differences(key: Key, row: dict[str, Any], worked: Figures) -> list[str]:
    wrong = [
        f"{key} {name}: {row[name]} for {getattr(worked, name)}"
        for name in EXACT
        if Fraction(row[name]) != getattr(worked, name)
    ]
    if row["sd"] != pytest.approx(worked.sd, rel=1e-12):
        wrong.append(f"{key} sd: {row['sd']} for {worked.sd}")
    vig = key[0].startswith(("buy-", "lay-"))
    outlay = row.get("edge_outlay")
    if vig and Fraction(str(outlay)) != worked.edge_outlay:
        wrong.append(f"{key} edge_outlay: {outlay} for {worked.edge_outlay}")
    if not vig and outlay is not None:
        wrong.append(f"{key} edge_outlay: {outlay} where there is no vigorish")
    return wrong


def _side_bet_differences(row: dict[str, Any]) -> list[str]:
    win, lose, push = (Fraction(row[name]) for name in ("win", "lose", "push"))
    edge = edge_by_table(row["wager"], row["option"].rpartition("=")[2])
    resolved, per_roll = edge / (win + lose), edge / Fraction(row["rolls"])
    figures = (Fraction(row[name]) for name in ("edge", "edge_resolved", "edge_per_roll"))
    if win + lose + push == 1 and tuple(figures) == (edge, resolved, per_roll):
        return []
    return [f"{row['wager']} {row['option']}: an edge of {row['edge']} for {edge}"]


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_is_as_worked(book: str) -> None:
    worked = dict(rows(book))
    wrong: list[str] = []
    for row in run_json("odds", book):
        assert row["method"] == "exact"
        key = row["wager"], row["option"]
        if row["wager"] in PUBLISHED:  # side bets, worked in a program of their own
            wrong += _side_bet_differences(row)
            continue
        wrong += _differences(key, row, worked.pop(key))
        for point, part in row.get("by_point", {}).items():
            key = f"{row['wager']}-{point}", None
            wrong += _differences(key, part, worked.pop(key))
    assert wrong == []
    assert list(worked) == [], "no row for these"


_DEFAULT = {"iowa": "10", "dealer-school": "3-4-5", "las-vegas": "3-4-5"}
#: Six times the flat is won on any number.
_3_4_5 = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
MULTIPLES = [
    (book, times)
    for book in BOOKS
    for times in ("2", "10", "100", "3-4-5")
    if (book, times) != ("iowa", "100")  # max.1.a: ten times at most
]


def _flats(book: str) -> list[str]:
    return [line.wager for line in lines(book) if line.wager.endswith(("pass", "come"))]


def _worked(book: str, flat: str, multiple: str) -> Together:
    """A flat with full odds: laid odds may win as many times the flat as are taken."""
    dont = flat.startswith("dont")
    stem = f"{flat}-odds-"
    pays = {
        int(line.wager.removeprefix(stem)): odds(line.pays)
        for line in lines(book)
        if line.wager.startswith(stem)
    }
    assert sorted(pays) == sorted(points(book))
    times = {n: Fraction(_3_4_5[n] if multiple == "3-4-5" else int(multiple)) for n in pays}
    return line_with_odds(pays, {n: times[n] / pays[n] if dont else times[n] for n in pays}, dont)


def _is_as_worked(row: dict[str, Any], book: str, flat: str, multiple: str) -> None:
    worked = _worked(book, flat, multiple)
    assert row["wager"] == f"{flat}+odds"
    assert Fraction(row["edge"]) == worked.edge
    assert Fraction(row["edge_flat"]) == worked.edge_flat
    assert Fraction(row["edge_resolved"]) == worked.edge_resolved
    assert Fraction(row["wagered"]) == worked.wagered
    sd = float(worked.variance) ** 0.5 / float(worked.wagered)
    assert row["sd"] == pytest.approx(sd, rel=1e-12)
    for name in ("win", "lose", "push", "rolls"):
        assert Fraction(row[name]) == getattr(rows(book)[flat, None], name)


@pytest.mark.parametrize(("book", "multiple"), MULTIPLES)
def test_line_wagers_with_any_odds(book: str, multiple: str) -> None:
    for flat in _flats(book):
        (row,) = run_json("odds", book, f"{flat}+odds", "-o", f"odds.multiple={multiple}")
        _is_as_worked(row, book, flat, multiple)


@pytest.mark.parametrize("book", BOOKS)
def test_full_odds_as_the_book_has_them(book: str) -> None:
    for flat in _flats(book):
        alone, row = run_json("odds", book, flat, "--with-odds")
        assert Fraction(alone["edge"]) == rows(book)[flat, None].edge
        _is_as_worked(row, book, flat, _DEFAULT.get(book, "1"))
