"""The auditor's own sums, held against figures that are published and known."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from .closed import line_with_odds
from .collect import fire, hand_rolls, points_made
from .pips import SIX, TEN
from .rows import rows
from .tables import BOOKS, lines, odds

#: Book, wager, election; the edge in percent as published: of the stake and the vigorish.
EDGES = """
new-jersey pass 1.414
new-jersey dont-pass 1.364
new-jersey place-win-4 6.667
new-jersey place-win-5 4.000
new-jersey place-win-6 1.515
new-jersey place-lose-4 3.030
new-jersey place-lose-5 2.500
new-jersey place-lose-6 1.818
new-jersey buy-4 4.762
new-jersey hard-4 11.111
new-jersey hard-6 9.091
new-jersey field 5.556
new-jersey any-seven 16.667
new-jersey any-craps 11.111
new-jersey craps-2 13.889
new-jersey eleven 11.111
new-jersey hop-2-2 13.889
new-jersey hop-1-6 11.111
new-jersey horn 12.500
new-jersey horn-high-2 12.778
new-jersey horn-high-11 12.222
new-jersey whirl 13.333
new-jersey c-and-e 11.111
new-jersey fire offers.fire=A 20.763
section-2 lay-4 2.439
section-2 lay-5 3.226
section-2 lay-6 4.000
iowa big-6 9.091
dealer-school buy-4 1.667
las-vegas place-lose-4 3.030
las-vegas place-lose-5 2.500
las-vegas place-lose-6 1.818
las-vegas buy-4 1.667
las-vegas buy-5 2.000
las-vegas buy-6 2.273
las-vegas lay-4 2.439
las-vegas lay-5 3.226
las-vegas lay-6 4.000
las-vegas field offers.field=twelve 2.778
las-vegas field offers.field=two 2.778
las-vegas field offers.field=double 5.556
las-vegas big-6 9.091
las-vegas three-way-craps 12.963
las-vegas fire offers.fire=A 20.763
las-vegas fire offers.fire=C 24.856
las-vegas all-small offers.bonus=A 7.761
las-vegas make-them-all offers.bonus=A 7.464
maryland-crapless pass 5.382
maryland-crapless place-win-2 offers.place-2=a 7.143
maryland-crapless place-win-3 offers.place-3=a 6.250
maryland-crapless buy-12 4.762
maryland-crapless all-small offers.bonus=A 7.761
maryland-crapless all-tall offers.bonus=A 7.761
maryland-crapless make-them-all offers.bonus=A 7.464
maryland-crapless all-small offers.bonus=B 18.303
maryland-crapless make-them-all offers.bonus=B 20.609
"""
_TAKEN = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}
TAKEN = {**_TAKEN, 8: _TAKEN[6], 9: _TAKEN[5], 10: _TAKEN[4]}
LAID = {number: 1 / paid for number, paid in TAKEN.items()}
THREE_FOUR_FIVE = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}


@pytest.mark.parametrize("line", EDGES.strip().splitlines())
def test_edges_are_as_published(line: str) -> None:
    book, wager, *option, percent = line.split()
    row = rows(book)[wager, option[0] if option else None]
    assert round(float(row.edge_outlay) * 100, 3) == float(percent)


def test_the_line_is_what_the_books_on_craps_say() -> None:
    table = rows("iowa")
    line, dont = table["pass", None], table["dont-pass", None]
    assert (line.edge, line.rolls) == (Fraction(7, 495), Fraction(557, 165))
    assert (dont.edge, dont.edge_resolved) == (Fraction(3, 220), Fraction(27, 1925))
    assert rows("maryland-crapless")["pass", None].edge == Fraction(373, 6930)


@pytest.mark.parametrize(
    ("multiple", "taken", "laid"),
    [(1, 0.848, 0.682), (2, 0.606, 0.455), (3, 0.471, 0.341), (10, 0.184, 0.124)],
)
def test_odds_thin_the_edge_as_published(multiple: int, taken: float, laid: float) -> None:
    right = line_with_odds(TAKEN, dict.fromkeys(SIX, Fraction(multiple)))
    wrong = line_with_odds(LAID, {n: multiple * TAKEN[n] for n in SIX}, dont=True)
    assert round(float(right.edge) * 100, 3) == taken
    assert round(float(wrong.edge) * 100, 3) == laid


def test_three_four_five_odds_as_published() -> None:
    right = line_with_odds(TAKEN, {n: Fraction(times) for n, times in THREE_FOUR_FIVE.items()})
    wrong = line_with_odds(LAID, dict.fromkeys(SIX, Fraction(6)), dont=True)
    assert (right.edge, right.edge_flat) == (Fraction(7, 1870), Fraction(7, 495))
    assert wrong.edge == Fraction(3, 1100)
    assert round(float(right.variance) ** 0.5, 3) == 4.916


def test_a_shooters_hand_is_as_published() -> None:
    assert hand_rolls(SIX) == Fraction(1671, 196)
    made = points_made(SIX)
    # The chances of 0 to 4 different points as Ethier works them out.
    ethier = [0.593939393939, 0.260750492004, 0.101275355549, 0.033434212179, 0.008798178440]
    assert [round(float(chance), 12) for chance in made[:5]] == ethier
    assert sum(made) == sum(points_made(TEN)) == 1


def test_a_fire_ladder_of_another_house_is_as_published() -> None:
    """10, 200 and 2,000 to 1 is in none of the five books; its edge is known."""
    ladder = {4: Fraction(10), 5: Fraction(200), 6: Fraction(2000)}
    assert round(float(fire(SIX, ladder).edge) * 100, 2) == 24.86


def test_pairs_of_wagers_that_make_each_other_up() -> None:
    """Sums that must hold between rows, whatever each of them is."""
    table = rows("section-2")
    for number in SIX:
        taken, laid = table[f"come-odds-{number}", None], table[f"dont-come-odds-{number}", None]
        assert taken.win + laid.win == 1
        assert taken.edge == laid.edge == 0
    legs = [table[leg, None].edge for leg in ("craps-2", "craps-3", "eleven", "craps-12")]
    assert table["horn", None].edge == sum(legs) / 4
    assert table["whirl", None].edge == (sum(legs) + table["any-seven", None].edge) / 5


def _register(book: str) -> dict[str, str]:
    tree = Path(__file__).parents[3]
    text = (tree / "src/passline/game/law/books" / book / "clauses.tsv").read_text("utf-8")
    split = [row.split("\t") for row in text.splitlines()]
    return {row[0]: row[3] for row in split}


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "las-vegas"])
def test_the_clauses_typed_beside_the_figures_say_the_same(book: str) -> None:
    register, held = _register(book), 0
    for line in lines(book):
        figures = register[line.clause].split("; ")
        posted = [one.removeprefix("odds=") for one in figures if one.startswith("odds=")]
        if posted and " to " in line.pays:
            paid, stake = posted[0].split(":")
            assert odds(line.pays) == Fraction(int(paid), int(stake)), line
            held += 1
    assert held >= 50


def test_the_auditor_shares_nothing_with_the_engine() -> None:
    found: dict[str, set[str]] = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and node.level != 1:
                names = ["passline" if node.level else node.module]
            for name in names:
                if name.startswith("passline"):
                    found.setdefault(path.stem, set()).add(name)
    assert found == {"engine_json": {"passline.cli.main"}}
