"""`SLUG for max` is the most odds that a flat bet may have, and is never refused for breakage."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.game.house.house import House, make_house, resolve_house
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.lab.machines.next_states import PLAYER, State, build_table
from passline.record.deal import deal_text
from passline.record.write import write_record
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand

HOUSES = [
    *((book, ()) for book in BOOKS),
    *((book, (("limits.smallest_chip", "5"),)) for book in ("new-jersey", "iowa")),
    *((book, (("odds.multiple", "2"),)) for book in BOOKS),
    *((book, (("odds.multiple", "3-4-5"),)) for book in ("section-2", "maryland-crapless")),
    ("dealer-school", (("limits.breakage", "refuse"),)),
]
FLATS = (500, 700, 1000, 2500)


def odds_spots(table: Table) -> list[tuple[str, str, int]]:
    """Yield every odds wager that can be made with its flat up: slug, flat, and the puck it
    needs.
    """
    found = []
    for slug, spot in table.layout.spots.items():
        if spot.flat and "-odds" in slug:
            points = table.house.book.points.value
            found += [(slug, spot.flat, n) for n in ([points[0]] if spot.number else points)]
    return found


def with_flat(table: Table, flat: str, puck: int, amount: int) -> Table:
    return build_table(table.layout, State(puck, ((flat, Stake(amount, amount)),)))


def accepted(table: Table, command: cmd.AnyCommand) -> bool:
    return not isinstance(decide(table, command), Refusal)


@pytest.mark.parametrize(("book", "options"), HOUSES)
def test_max_is_the_largest_amount_that_is_taken(
    book: str, options: tuple[tuple[str, str], ...]
) -> None:
    largest(house_for(book, None, options))


def test_a_posted_maximum_holds_too() -> None:
    for most in (7, 11, 200):  # fewer than the flat allows; no lawful house, but a tight one
        largest(make_house(rulebook("new-jersey"), given={"limits.max_by_wager.pass-odds": most}))


def largest(house: House) -> None:
    """Check for any flat and point that the house takes max odds and nothing over them."""
    bare = build_table(with_felt(house), State())
    spots = odds_spots(bare)
    assert len(spots) >= 12
    for amount in FLATS:
        if amount % house.chip:
            continue
        for slug, flat, puck in spots:
            table = with_flat(bare, flat, puck, amount)
            (made,) = understand(table, PLAYER, f"{slug} for max")
            assert isinstance(made, cmd.Bet)
            assert accepted(table, made), (slug, puck, amount, made.amount)
            chip = house.chip
            more = range(made.amount + chip, made.amount + 40 * chip, chip)
            assert not any(accepted(table, cmd.Bet(PLAYER, slug, most)) for most in more)


def with_felt(house: House) -> Layout:
    return compile_layout(house)


def test_new_jersey_lays_three_to_win_two_on_the_five() -> None:
    bare = build_table(with_felt(house_for("new-jersey")), State())
    for puck, amount in ((4, 2000), (5, 1500), (6, 1200)):
        table = with_flat(bare, "dont-pass", puck, 1000)
        said = understand(table, PLAYER, "dont-pass-odds for max")
        assert said == [cmd.Bet(PLAYER, "dont-pass-odds", amount)]


def test_max_where_a_book_lets_no_odds_pass_their_limit() -> None:
    """A book whose odds do not stretch to the next exact amount stays under its limit."""
    book = rulebook("new-jersey")
    tight = replace(book, odds=replace(book.odds, fit=replace(book.odds.fit, value=False)))
    bare = build_table(with_felt(resolve_house(tight, "craps", {})), State())
    table = with_flat(bare, "pass", 5, 700)  # 3 to 2 on $7: $6 pays exactly, $8 is over
    (made,) = understand(table, PLAYER, "pass-odds for max")
    assert made == cmd.Bet(PLAYER, "pass-odds", 600)
    assert accepted(table, made)


def test_max_again_changes_nothing_and_less_is_raised() -> None:
    head = "rulebook: dealer-school\nplayer: ann 500\nann: pass for 10\nroll 3 3\n"
    dealt = deal_text(head + "ann: pass-odds for 10\nann: pass-odds to max\nann: full odds\n")
    assert [entry.refusal for entry in dealt.entries if entry.refusal] == []
    assert dealt.table.seats[0].wagers["pass-odds"].amount == 5000
    assert "pass-odds to 50" in write_record(dealt)


@pytest.mark.parametrize(
    ("book", "state", "say", "reason"),
    [
        ("new-jersey", State(), "pass-odds for max", "odds on the line need a point"),
        ("new-jersey", State(6), "pass-odds for max", "needs a pass line wager"),
        ("new-jersey", State(6), "come-odds-4 for max", "needs a come 4 wager"),
        (
            "maryland-crapless",
            State(6),
            "dont-pass-odds for max",
            "is not a wager of this rulebook",
        ),
    ],
)
def test_max_that_cannot_be_had(book: str, state: State, say: str, reason: str) -> None:
    table = build_table(with_felt(house_for(book)), state)
    with pytest.raises(UnplayableError, match=reason):
        understand(table, PLAYER, say)


@pytest.mark.parametrize("say", ["pass for max", "field for max", "place-win-6 to max"])
def test_max_is_for_odds_only(say: str) -> None:
    table = build_table(with_felt(house_for("new-jersey")), State())
    with pytest.raises(RecordError, match="'max' is not a valid amount"):
        understand(table, PLAYER, say)


def test_come_odds_for_max_at_the_table() -> None:
    head = "rulebook: new-jersey\nplayer: ann 500\nann: pass for 10\nroll 3 3\nann: come for 10\n"
    dealt = deal_text(head + "roll 5 4\nann: come-odds-9 for max\n")
    assert dealt.table.seats[0].wagers["come-odds-9"].amount == 1000
    table = dealt.table
    for event in decide(table, cmd.Roll(5, 4)):  # type: ignore[union-attr]
        table = evolve(table, event)
    assert table.seats[0].rail == 49_000 + 1000 + 1500  # back, with $10 and 3 to 2 on $10
