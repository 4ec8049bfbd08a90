"""Money never leaks: drop = rails + layout + win + vigorish + tokes, after every event."""

from __future__ import annotations

import msgspec
import pytest

from passline.game.law.verdicts import Result
from passline.game.layout.stakes import Settlement
from passline.game.table import events as ev
from passline.game.table.evolve import LedgerError, evolve, evolve_all
from passline.game.table.state import ledger_balance
from tests.table.games import deal, throws

PLAY = """
ann: pass for 10; field for 5; buy-4 for 20
bob: dont-pass for 10; toke 3
roll 3 3
ann: pass-odds for 10; come for 10
roll 5 4
ann: buy-4 to 40; hard-8 for 5; whirl for 5
roll 2 2
ann: buy-4 down; come-odds-9 for 10
no roll off-table
bob leaves
roll 4 3
ann colours up
"""
TABLE = deal(PLAY, "ann 1000, bob 1000")
EVENTS = [event for entry in TABLE.entries for event in entry.events]


def test_every_step_of_a_game_balances() -> None:
    table, balances = TABLE.opening, []
    for event in EVENTS:
        table = evolve(table, event)
        balances.append(ledger_balance(table))
    assert len(EVENTS) > 20
    assert balances == [0] * len(EVENTS)


def test_the_state_is_a_fold_of_its_events() -> None:
    assert evolve_all(TABLE.opening, EVENTS) == TABLE.table
    half = evolve_all(TABLE.opening, EVENTS[:15])
    assert evolve_all(half, EVENTS[15:]) == TABLE.table


def test_no_events_change_nothing() -> None:
    assert evolve_all(TABLE.table, []) is TABLE.table


def test_a_forged_change_is_never_let_past() -> None:
    table = deal("ann: pass for 10").table
    with pytest.raises(LedgerError, match="-500 cents astray"):
        evolve(table, ev.Changed(player="ann", wager="pass", was=1500, now=500, vig=0, flat=500))


def test_a_settlement_of_more_than_lies_there_is_never_let_past() -> None:
    won = deal("ann: pass for 10\nroll 4 3")
    (settlement,) = throws(won)[-1].settlements
    forged = msgspec.structs.replace(settlement, stake=2000, back=3000)
    before = deal("ann: pass for 10\nann takes the dice").table
    with pytest.raises(LedgerError):
        evolve(before, msgspec.structs.replace(throws(won)[-1], settlements=(forged,)))


def test_a_settlement_of_a_wager_that_is_not_up_is_never_let_past() -> None:
    (settlement,) = throws(deal("ann: pass for 10\nroll 1 2"))[-1].settlements
    with pytest.raises(LedgerError, match="astray"):
        evolve(
            deal("ann takes the dice").table,
            ev.Rolled(first=1, second=2, shooter="ann", was=0, puck=0, settlements=(settlement,)),
        )


def test_a_rail_is_never_short() -> None:
    with pytest.raises(LedgerError, match="ann's rail is short"):
        evolve(deal("", "ann 20").table, ev.Wagered("ann", "pass", 2100))


@pytest.mark.parametrize(
    ("result", "paid", "back", "left"),
    [
        ("win", 1000, 1000, 0),
        ("win", 0, 2000, 0),
        ("lose", 0, 1500, 0),
        ("lose", 0, -500, 0),
        ("push", 0, 1000, 1000),
        ("return", 0, 0, 0),
        ("travel", 0, 0, 0),
    ],
)
def test_a_settlement_that_does_not_add_up_is_never_let_past(
    result: Result, paid: int, back: int, left: int
) -> None:
    table = deal("ann: pass for 10\nann takes the dice").table
    done = Settlement(
        player="ann",
        wager="pass",
        stake=1000,
        result=result,
        odds=None,
        paid=paid,
        vig=0,
        cite="forged",
        back=back,
        left=left,
    )
    with pytest.raises(LedgerError, match="does not add up"):
        evolve(
            table, ev.Rolled(first=1, second=2, shooter="ann", was=0, puck=0, settlements=(done,))
        )


def test_events_that_move_no_money_cannot_leak_any() -> None:
    table = deal("ann: place-win-8 for 12").table
    for event in (
        ev.Called("ann", "place-win-8", False),
        ev.ColoredUp("ann"),
        ev.Seated("ann", standing=True),
        ev.DiceTaken("ann", 5),
        ev.DiceDeclined("ann"),
        ev.NoRoll("off-table", "", ""),
        ev.Clocked("2007-04-02 09:00"),
    ):
        assert ledger_balance(evolve(table, event)) == 0
