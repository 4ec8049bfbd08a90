"""Edges as dealt: breakage and rounded vigorish worked by hand, and a few elections."""

from __future__ import annotations

from fractions import Fraction

import pytest

from .engine_json import run_json
from .pips import before_seven
from .rows import rows

#: Book, wager, stake; what a win is paid; the vigorish, and when it is taken. In dollars, by hand.
DEALT = """
iowa               place-win-6   10 | 11  | 0
iowa               place-win-5    7 |  9  | 0
dealer-school      place-win-4    6 | 10  | 0
new-jersey         place-win-6   12 | 14  | 0
new-jersey         place-lose-4  11 |  5  | 0
new-jersey         buy-4         25 | 50  | 1 made
new-jersey         buy-4         10 | 20  | 0 made
new-jersey         buy-10       100 | 200 | 5 made
new-jersey         lay-5         30 | 20  | 1 made
section-2          lay-5         30 | 20  | 1 made
section-2          lay-6         60 | 50  | 2 made
section-2          buy-6         35 | 42  | 1 made
iowa               lay-4         70 | 35  | 1 made
iowa               lay-6        100 | 83  | 4 made
iowa               buy-9         45 | 67  | 2 made
maryland-crapless  buy-2         25 | 150 | 1 made
maryland-crapless  buy-11        40 | 120 | 2 made
dealer-school      buy-4         25 | 50  | 1 won
dealer-school      buy-4         50 | 100 | 3 won
dealer-school      buy-10        75 | 150 | 4 won
dealer-school      buy-5         30 | 45  | 2 made
dealer-school      buy-6         25 | 30  | 1 made
dealer-school      lay-4         20 | 10  | 1 made
dealer-school      lay-6         30 | 25  | 1 made
"""

#: What a house elects, and the edge that follows.
ELECTED = """
new-jersey field pays.field-12=3 to 1 | 1/36
new-jersey buy-4 buy.when=won | 1/60
new-jersey buy-6 buy.rate=0.04 | 1/25
new-jersey lay-10 lay.when=won | 1/30
maryland-crapless buy-2 buy.when=won | 1/140
maryland-crapless place-win-12 offers.place-12=b | 1/7
maryland-crapless place-win-3 offers.place-3=b | 1/10
"""


@pytest.mark.parametrize("line", DEALT.strip().splitlines())
def test_a_stake_as_dealt(line: str) -> None:
    said, paid, charged = (part.strip() for part in line.split("|"))
    book, wager, stake = said.split()
    vig, _, when = charged.partition(" ")
    number = int(wager.rpartition("-")[2])
    against = wager.startswith(("place-lose", "lay"))
    win = 1 - before_seven(number) if against else before_seven(number)
    loses = int(stake) + (int(vig) if when == "made" else 0)
    cost = (1 - win) * loses - win * (int(paid) - int(vig))
    (row,) = run_json("odds", book, wager, "--stake", stake)
    assert Fraction(row["edge"]) == cost / int(stake)
    assert Fraction(row["win"]) == win
    if when:
        assert Fraction(row["edge_outlay"]) == cost / loses


@pytest.mark.parametrize("line", ELECTED.strip().splitlines())
def test_an_election_changes_the_edge(line: str) -> None:
    said, edge = line.split(" | ")
    book, wager, election = said.split(" ", 2)
    (row,) = [
        row for row in run_json("odds", book, wager, "-o", election) if _elected(row, election)
    ]
    assert Fraction(row["edge"]) == Fraction(edge)


def _elected(row: dict[str, str | None], election: str) -> bool:
    """A row that rests on another choice of the same election is not the one asked for."""
    return row["option"] in {None, election}


def test_a_stake_that_cannot_be_paid_has_no_figures() -> None:
    (row,) = run_json("odds", "new-jersey", "place-win-6", "--stake", "10")
    assert row["edge"] is None
    assert row["refused"]["cite"] == "19:47-1.4(f)"


@pytest.mark.parametrize("game", ["mini-craps", "automated-craps"])
def test_the_other_games_of_a_book_have_the_same_wagers(game: str) -> None:
    """New Jersey's 1.2(a): one menu for its three games, but fire at craps alone."""
    found = {
        row["wager"]: Fraction(row["edge"])
        for row in run_json("odds", "new-jersey", "--game", game)
    }
    worked = {
        wager: figures.edge
        for (wager, _), figures in rows("new-jersey").items()
        if wager != "fire" and "pass-odds-" not in wager
    }
    assert found == worked
