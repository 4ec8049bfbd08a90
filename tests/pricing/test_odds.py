"""What wagers are worth, against figures worked by hand or long published."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.game.house.house import make_house
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.words.refusals import describe_refusal
from passline.lab.machines.bet_walks import BetWalk, walk_wager
from passline.lab.pricing.wager_odds import (
    RefusedOdds,
    StakeRefusedError,
    WagerError,
    WagerOdds,
    odds,
    odds_json,
    sheet,
)
from passline.lab.pricing.walk_setup import find_exact_stake, lift_limits, make_course

EDGES = {
    "pass": Fraction(7, 495),
    "dont-pass": Fraction(3, 220),
    "come": Fraction(7, 495),
    "dont-come": Fraction(3, 220),
    "place-win-4": Fraction(1, 15),
    "place-win-5": Fraction(1, 25),
    "place-win-6": Fraction(1, 66),
    "place-win-8": Fraction(1, 66),
    "place-win-9": Fraction(1, 25),
    "place-win-10": Fraction(1, 15),
    "place-lose-4": Fraction(1, 33),
    "place-lose-5": Fraction(1, 40),
    "place-lose-6": Fraction(1, 55),
    "hard-4": Fraction(1, 9),
    "hard-6": Fraction(1, 11),
    "hard-8": Fraction(1, 11),
    "hard-10": Fraction(1, 9),
    "field": Fraction(1, 18),
    "any-seven": Fraction(1, 6),
    "any-craps": Fraction(1, 9),
    "craps-2": Fraction(5, 36),
    "craps-3": Fraction(1, 9),
    "c-and-e": Fraction(1, 9),
    "horn": Fraction(1, 8),
    "horn-high-12": Fraction(23, 180),
    "horn-high-3": Fraction(11, 90),
    "whirl": Fraction(2, 15),
    "hop-3-3": Fraction(5, 36),
    "hop-1-3": Fraction(1, 9),
    "buy-4": Fraction(1, 20),
    "lay-4": Fraction(1, 20),
}


@pytest.mark.parametrize("wager", EDGES)
def test_new_jersey_by_hand(wager: str) -> None:
    assert odds(house_for("new-jersey"), wager).edge == EDGES[wager]


@pytest.mark.parametrize(
    ("book", "wager", "edge"),
    [
        ("maryland-crapless", "pass", Fraction(373, 6930)),
        ("maryland-crapless", "place-win-2", Fraction(1, 14)),
        ("maryland-crapless", "place-win-3", Fraction(1, 16)),
        ("iowa", "big-6", Fraction(1, 11)),
        ("iowa", "hi-lo", Fraction(5, 36)),
        ("iowa", "three-way-craps", Fraction(7, 54)),
        ("iowa", "lay-4", Fraction(1, 40)),
        ("section-2", "lay-6", Fraction(1, 24)),
        ("dealer-school", "buy-4", Fraction(1, 60)),
        ("dealer-school", "buy-5", Fraction(1, 20)),
    ],
)
def test_other_books_by_hand(book: str, wager: str, edge: Fraction) -> None:
    assert odds(house_for(book), wager).edge == edge


def test_a_push_counts_unless_it_is_left_out() -> None:
    row = odds(house_for("new-jersey"), "dont-pass")
    assert (row.win, row.lose, row.push) == (
        Fraction(949, 1980),
        Fraction(244, 495),
        Fraction(1, 36),
    )
    assert row.edge_resolved == Fraction(27, 1925)
    assert row.rolls == Fraction(557, 165)
    assert row.edge_per_roll == Fraction(3, 220) / Fraction(557, 165)


def test_a_push_takes_no_odds_with_it() -> None:
    """New Jersey's single odds: $10 flat, laid $20, $15 or $12 to win $10; a push has $10 at stake.

    The mean loss is that of the flat, and 35 throws in 36 leave the flat at stake.
    """
    row = odds(house_for("new-jersey"), "dont-pass", with_odds=True)
    laid = Fraction(6 * 20 + 8 * 15 + 10 * 12, 36)  # on average, in dollars
    assert row.edge_flat == Fraction(3, 220)
    assert row.edge_resolved == 10 * Fraction(3, 220) / (10 * Fraction(35, 36) + laid)
    assert row.edge_resolved == Fraction(27, 3905)


def test_no_odds_go_with_a_wager_that_takes_none() -> None:
    with pytest.raises(WagerError, match="they go with pass line, don't pass, come and don't come"):
        sheet(house_for("new-jersey"), "field", with_odds=True)


def test_a_level_composite_is_a_push() -> None:
    row = odds(house_for("new-jersey"), "whirl")
    assert (row.win, row.push, row.lose) == (Fraction(1, 6), Fraction(1, 6), Fraction(2, 3))


def test_the_edge_of_stake_and_vigorish() -> None:
    assert odds(house_for("new-jersey"), "buy-4").edge_outlay == Fraction(1, 21)
    assert odds(house_for("iowa"), "lay-4").edge_outlay == Fraction(1, 41)
    # Taken only on a win, nothing is laid out beside the stake.
    assert odds(house_for("dealer-school"), "buy-10").edge_outlay == Fraction(1, 60)
    assert odds(house_for("iowa"), "place-win-4").edge_outlay is None


@pytest.mark.parametrize(
    ("options", "wager", "win", "edge"),
    [
        ([("offers.fire", "A")], "fire", 0.010600546, 0.207627505),
        ([("offers.fire", "B")], "fire", 0.010600546, 0.238870),
    ],
)
def test_fire(options: list[tuple[str, str]], wager: str, win: float, edge: float) -> None:
    """Four, five and six points: 0.8798, 0.1640 and 0.0162 percent of shooters."""
    row = odds(house_for("new-jersey", None, options), wager)
    assert float(row.win) == pytest.approx(win, rel=1e-6)
    assert float(row.edge) == pytest.approx(edge, rel=1e-4)
    assert row.rolls == Fraction(1671, 196)  # the mean length of a shooter's turn
    tiers = [float(chance) for net, chance in row.outcomes if net > 0]
    assert tiers == pytest.approx([0.008798, 0.001640, 0.000162], rel=3e-3)


@pytest.mark.parametrize(
    ("table", "small", "everything"), [("A", 0.077613, 0.074644), ("B", 0.183033, 0.206086)]
)
def test_bonus_craps(table: str, small: float, everything: float) -> None:
    house = house_for("maryland-crapless", None, [("offers.bonus", table)])
    assert float(odds(house, "all-small").edge) == pytest.approx(small, rel=1e-4)
    assert odds(house, "all-tall").edge == odds(house, "all-small").edge
    assert float(odds(house, "make-them-all").edge) == pytest.approx(everything, rel=1e-4)


@pytest.mark.parametrize(
    ("book", "wager", "fewer"),
    [
        ("new-jersey", "fire", True),
        ("new-jersey", "six-seven-eight", False),
        ("maryland-crapless", "all-small", True),
        ("maryland-crapless", "all-tall", True),
        ("maryland-crapless", "make-them-all", True),
        pytest.param("maryland-crapless", "fire", True, marks=pytest.mark.long),
    ],
)
def test_states_that_are_made_one_change_nothing(book: str, wager: str, fewer: bool) -> None:
    from msgspec.structs import replace

    from passline.lab.exact.bet_decisions import solve_walk

    offer = "offers.six-seven-eight" if book == "new-jersey" else "offers.bonus"
    chosen = [("offers.fire", "A"), (offer, "true" if book == "new-jersey" else "A")]
    layout = lift_limits(compile_layout(house_for(book, None, chosen)))
    spot = layout.spots[wager]
    course = make_course(layout, spot)
    short = walk_wager(layout, wager, find_exact_stake(layout, spot), course)
    full = replace(course, keep_all_states=True)
    whole = walk_wager(layout, wager, find_exact_stake(layout, spot), full)
    assert isinstance(short, BetWalk)
    assert isinstance(whole, BetWalk)
    assert (len(short.ways) < len(whole.ways)) is fewer
    assert solve_walk(short) == solve_walk(whole)


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_adds_up(book: str) -> None:
    given = {"offers.place-2": "b"} if book == "maryland-crapless" else {}
    rows = sheet(make_house(rulebook(book), given=given), with_odds=True)
    assert rows
    for row in rows:
        assert isinstance(row, WagerOdds)
        assert row.win + row.lose + row.push == 1
        assert min(row.win, row.lose, row.push) >= 0
        assert sum(chance for _, chance in row.outcomes) == 1
        assert row.edge_flat == -sum(net * chance for net, chance in row.outcomes)
        assert row.rolls >= 1
        assert row.sd > 0
        assert row.cite
        if "-odds" in row.wager:
            assert row.edge == 0
        else:
            # A come bet that is put on a number, without its first roll, is the worst bet of all.
            put = row.wager.startswith("come-")
            assert 0 < row.edge <= (Fraction(1, 3) if put else Fraction(1, 4))


def test_odds_behind_the_line_by_point() -> None:
    row = odds(house_for("new-jersey"), "pass-odds")
    assert row.edge == 0
    assert row.win == Fraction(67, 165)
    four, six = row.by_point[4], row.by_point[6]
    assert isinstance(four, WagerOdds)
    assert isinstance(six, WagerOdds)
    assert (four.pays, four.win, four.rolls) == ("2 to 1", Fraction(1, 3), Fraction(4))
    assert (six.pays, six.win) == ("6 to 5", Fraction(5, 11))


@pytest.mark.parametrize(
    ("book", "multiple", "wager", "edge"),
    [
        ("new-jersey", "1", "pass", Fraction(7, 825)),
        ("new-jersey", "1", "dont-pass", Fraction(3, 440)),
        ("new-jersey", "2", "pass", Fraction(7, 1155)),
        ("new-jersey", "3-4-5", "pass", Fraction(7, 1870)),
        ("new-jersey", "10", "dont-pass", Fraction(3, 2420)),
        ("new-jersey", "10", "come", Fraction(7, 3795)),
        ("iowa", "", "dont-come", Fraction(3, 2420)),
        ("maryland-crapless", "1", "pass", Fraction(373, 12705)),
    ],
)
def test_with_odds_of_the_whole_amount(
    book: str, multiple: str, wager: str, edge: Fraction
) -> None:
    chosen = [("odds.multiple", multiple)] if multiple else []
    house = house_for(book, None, chosen)
    row = odds(house, wager, with_odds=True)
    assert row.edge == edge
    assert row.edge_flat == odds(house, wager).edge
    assert odds(house, f"{wager}+odds") == row
    assert row.multiple == (multiple or "20 on 4 and 10, 15 on 5 and 9, 12 on 6 and 8")


def test_breakage_as_dealt() -> None:
    iowa = house_for("iowa")
    # $5 on the 6 wins $5.83, of which $5 is paid: the edge of an even-money race, 6 to 5 against.
    assert odds(iowa, "place-win-6", stake=500).edge == Fraction(1, 11)
    assert odds(iowa, "place-win-6", stake=600).edge == Fraction(1, 66)
    assert odds(iowa, "place-win-4", stake=700).edge == Fraction(2 * 7 - 12, 21)  # $12.60 pays $12
    # $25 of odds on the 5 pays $37, fifty cents short; on the 4 nothing is lost.
    assert odds(iowa, "come-odds-5", stake=2500).edge == Fraction(2, 5) * Fraction(1, 50)
    assert odds(iowa, "come-odds-4", stake=2500).edge == 0
    pooled = odds(iowa, "pass-odds", stake=2500)
    assert pooled.edge == Fraction(8, 24) * Fraction(2, 5) * Fraction(1, 50)


def test_vigorish_as_rounded() -> None:
    jersey, school = house_for("new-jersey"), house_for("dealer-school")
    assert odds(jersey, "buy-4", stake=2500).edge == Fraction(1, 25)  # $1.25 is rounded down to $1
    assert odds(jersey, "buy-4", stake=1000).edge == 0  # fifty cents to nothing
    assert odds(school, "buy-5", stake=5000).edge == Fraction(3, 50)  # $2.50 half up to $3
    # On the 4 the school takes it from a win, $3 of $100.
    assert odds(school, "buy-4", stake=5000).edge == Fraction(1, 3) * Fraction(3, 50)


def test_a_refused_stake_says_why() -> None:
    jersey = house_for("new-jersey")
    with pytest.raises(StakeRefusedError, match=r"\$6 or \$12 can") as refused:
        odds(jersey, "place-win-6", stake=700)
    assert refused.value.refusal.cite.startswith("19:47")
    rows = {row.wager: row for row in sheet(jersey, stake=700)}
    assert isinstance(rows["place-win-6"], RefusedOdds)
    assert isinstance(rows["pass"], WagerOdds)
    line = rows["pass-odds"]
    assert isinstance(line, RefusedOdds)
    assert isinstance(line.by_point[4], WagerOdds)
    assert isinstance(line.by_point[6], RefusedOdds)
    shown = odds_json(line)
    assert shown["edge"] is None
    assert shown["refused"]["reason"] == describe_refusal(line.refusal)
    assert shown["by_point"]["4"]["edge"] == "0"


def test_a_stake_under_the_odds_minimum_is_refused_within_a_walk() -> None:
    house = make_house(
        rulebook("new-jersey"), given={"limits": {"min_by_wager": {"pass-odds": 50}}}
    )
    with pytest.raises(StakeRefusedError, match=r"at least \$50"):
        odds(house, "pass", stake=1000, with_odds=True)


@pytest.mark.parametrize(
    ("wager", "says"),
    [
        ("plas-win-6", "did you mean place 6"),
        ("come-6", "a come that has traveled"),
        ("fire", "the house has not elected the fire bet"),
        ("big-6", "not a wager of this rulebook"),
        ("field+odds", "no wager 'field\\+odds'"),
        ("x" * 90, "x{40}\\.\\.\\."),
    ],
)
def test_wagers_that_have_no_figures(wager: str, says: str) -> None:
    with pytest.raises(WagerError, match=says):
        odds(house_for("new-jersey"), wager)


def test_no_stake_at_all() -> None:
    with pytest.raises(WagerError, match="above zero"):
        odds(house_for("new-jersey"), "pass", stake=0)


def test_option_rows() -> None:
    rows = sheet(house_for("maryland-crapless"), "place-win-2", options=True)
    assert [(row.option, row.pays) for row in rows] == [
        ("offers.place-2=a", "11 to 2"),
        ("offers.place-2=b", "25 to 5"),
    ]
    elected = house_for("new-jersey", None, [("offers.fire", "B")])
    assert [row.option for row in sheet(elected, "fire", options=True)] == ["offers.fire=B"]
    every = sheet(house_for("new-jersey"), options=True)
    assert [row.option for row in every if row.option] == [
        "offers.fire=A",
        "offers.fire=B",
        "offers.six-seven-eight=true",
    ]
    refused = house_for("new-jersey", None, [("offers.fire", "false")])
    with pytest.raises(WagerError, match="not elected the fire bet"):
        sheet(refused, "fire", options=True)


def test_one_row_for_each_wager_dealt() -> None:
    layout = compile_layout(house_for("new-jersey"))
    rows = [row.wager for row in sheet(layout.house)]
    travelled = {slug for slug in layout.spots if slug.startswith(("come-", "dont-come-"))}
    travelled = {slug for slug in travelled if "odds" not in slug}
    assert sorted(rows) == sorted(set(layout.spots) - travelled)


def test_a_raised_payout_is_seen() -> None:
    house = house_for("new-jersey", None, [("pays.field-12", "3 to 1")])
    assert odds(house, "field").edge == Fraction(1, 36)
    row = odds(house, "field")
    assert row.pays == "1 to 1 on 3, 4, 9, 10 and 11; 2 to 1 on 2; 3 to 1 on 12"
    assert row.cites == ("19:47-1.4(b)/field", "19:47-1.4(b)/field-2", "19:47-1.4(b)/field-12")


def test_a_machine_without_a_shooter() -> None:
    house = house_for("new-jersey", "automated-craps")
    assert odds(house, "pass").edge == Fraction(7, 495)
    assert odds(house, "dont-come", with_odds=True).edge == Fraction(3, 440)
