"""Every kind of event in words, and every throw as the stick would call it."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from passline.game.layout.stakes import Settlement, refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Fault, ShootoutNote
from passline.game.words.events import call_roll, describe_event

WON = Settlement("ann", "pass", 1000, "win", "1 to 1", 1000, 0, "19:47-1.4(b)/pass", 2000, 0)


CHIPPED = Fault(what="flaw", cite="7.F(4)", flaw="chipped")
HOUSE = ev.HouseDescription(rulebook="iowa", game="craps", name="Boardwalk", elections={}, terms={})
OPENED = ev.Opened(house=HOUSE, digest="", version="1")
UNDONE = ev.Undone(player="ann", corrects=1, wagers=(), moved=500, vig=0)
LATE = ev.LateCalled(
    player="ann", wager="hard-8", amount=500, needs=("dealer", "boxperson"), cite="x"
)


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ev.BoughtIn("ann", 20000), "ann buys in for $200"),
        (ev.Wagered("ann", "pass", 1000), "ann: pass line for $10"),
        (ev.Wagered("ann", "buy-4", 2000, 100), "ann: buy 4 for $20, vigorish $1"),
        (ev.Changed("ann", "pass", 1000, 2000, 0, 2000), "ann: pass line up to $20"),
        (ev.Changed("ann", "pass", 2000, 1000, 0, 1000), "ann: pass line down to $10"),
        (ev.Changed("ann", "pass", 1000, 1000, 0, 1000), "ann: pass line stays at $10"),
        (ev.Changed("ann", "pass", 1000, 0, 0, 0), "ann: pass line down, $10 back"),
        (ev.Changed("ann", "buy-4", 2000, 4000, 100, 4000), "ann: buy 4 up to $40, vigorish $1"),
        (
            ev.Changed("ann", "buy-4", 4000, 2000, -100, 2000),
            "ann: buy 4 down to $20, vigorish $1 back",
        ),
        (
            ev.Changed("ann", "buy-4", 2000, 0, -100, 0),
            "ann: buy 4 down, $20 back, vigorish $1 back",
        ),
        (ev.Called("ann", "hard-8", True), "ann: hard 8 is on"),
        (ev.Called("ann", "hard-8", False), "ann: hard 8 is off"),
        (ev.Called("ann", "hard-8", None), "ann: hard 8 is working by the rules"),
        (ev.Toked("ann", 500, "tokes.1"), "ann tokes the dealers $5, into the toke box [tokes.1]"),
        (
            ev.TokeMade("ann", "hard-8", 100, "tokes.2"),
            "ann has hard 8 up for the dealers, $1, announced [tokes.2]",
        ),
        (ev.TokesDropped(900, "x"), "$9 for the dealers, into the toke box [x]"),
        (ev.ColoredUp("ann"), "ann colors up"),
        (
            ev.ColorUpRequested("ann", "change.2#1"),
            "ann asks to color up, and waits for permission [change.2#1]",
        ),
        (
            ev.ColorUpPermitted("ann", "supervisor", "change.2#1"),
            "the supervisor permits ann's color change [change.2#1]",
        ),
        (
            ev.Warned("ann", "misses-wall", "supervisor", "no-roll.3.m"),
            "the supervisor warns ann for missing the wall [no-roll.3.m]",
        ),
        (
            ev.NoRoll("off-table", "stickperson", "no-roll.2", True, "outside"),
            "no roll, off table, one down outside, called by the stickperson [no-roll.2]",
        ),
        (ev.ChequesChanged("ann", 10000, "green", 4, "x"), "ann changes $100 to 4 green"),
        (ev.LeftTable("ann"), "ann leaves the table"),
        (ev.Seated("ann", standing=True), "ann stands up"),
        (ev.Seated("ann", standing=False), "ann sits down"),
        (ev.DiceTaken("ann", 6), "ann takes the dice: 6 offered, 2 chosen, 4 put back"),
        (ev.DiceDeclined("ann"), "ann declines the dice"),
        (ev.DicePassed("ann", "choice", "10.A"), "ann passes the dice, by choice [10.A]"),
        (ev.DiceAsked("ann", same=True, cite="x"), "ann asks for the same dice [x]"),
        (ev.DiceAsked("ann", same=False, cite="x"), "ann asks for new dice [x]"),
        (ev.DiceChanged("damage", "7.F(4)"), "a new set of dice: damage [7.F(4)]"),
        (ev.DiceChanged("age", "7.E", "4411"), "a new set of dice (4411): age [7.E]"),
        (ev.DiceSent("ann"), "the dice are out, to ann"),
        (ev.DiceReleased("ann"), "the dice are in the air, from ann"),
        (OPENED, "the table opens: craps at Boardwalk"),
        (ev.Joined("ann", "ann", 3), "ann comes up to the table, to place 3"),
        (UNDONE, "ann takes back the last statement"),
        (
            LATE,
            "ann: hard 8 for $5 in the air, for the dealer and boxperson to confirm [x]",
        ),
        (
            ev.LateConfirmed("ann", "hard-8", "dealer", "x"),
            "ann: hard 8, confirmed by the dealer [x]",
        ),
        (
            ev.LateLapsed("ann", "hard-8", "x"),
            "ann: hard 8, called in the air and not confirmed, has no action [x]",
        ),
        (
            ev.DicePassed("ann", "order", "x", by="boxperson", ground="delay"),
            "ann passes the dice, by order of the boxperson, for delay [x]",
        ),
        (ev.DiceDrawnBack(), "the dice come back to the center"),
        (ev.DiceInspected("supervisor", "", (), "x"), "the supervisor inspects the dice: fit [x]"),
        (
            ev.DiceInspected("supervisor", "4411", (CHIPPED,), "x"),
            "the supervisor inspects set 4411: unfit: chipped [7.F(4)]",
        ),
        (
            ev.DiceRecalled("switched", "x"),
            "the dice are called in to be inspected: switched [x]",
        ),
        (
            ev.SetCancelled("4411", 4, "x"),
            "set 4411 is canceled on the 4, signed out and wrapped [x]",
        ),
        (ev.SetCancelled("4411", 0, "x"), "set 4411 is canceled, signed out and wrapped [x]"),
        (ev.DieLost(4, True, "x"), "a die is not found: the game goes on with 4 [x]"),
        (ev.DieLost(4, False, "x"), "a die is not found: a new set is needed [x]"),
        (
            ev.DieFound(True, "x"),
            "a die is brought back, to be inspected before it is thrown [x]",
        ),
        (ev.DieFound(False, "x"), "a die is brought back [x]"),
        (ev.Relieved("kim", "stickperson", False, "x"), "kim relieves the stickperson [x]"),
        (
            ev.Relieved("kim", "boxperson", True, "x"),
            "kim relieves the boxperson; the dice wait for the OK [x]",
        ),
        (ev.LimitsSet("", 15_00, 500_00, "x"), "the limits are $15 to $500 [x]"),
        (ev.LimitsSet("field", 5_00, 50_00, "x"), "the limits of field are $5 to $50 [x]"),
        (ev.DiceOkayed("x"), "the boxperson gives the OK: the dice may move [x]"),
        (ev.GameDied(5, "x"), "the game is dead: 5 dice in the bowl [x]"),
        (ev.BowlDumped("ann", "x"), "ann comes up: the bowl is emptied [x]"),
        (ev.TableClosed(True, "x"), "the table closes; it opens again with a new set [x]"),
        (ev.TableClosed(False, "x"), "the table closes [x]"),
        (ev.TableOpened(), "the table opens"),
        (
            ev.NoRoll("in-cup", "boxperson", "8.C(4)#1"),
            "no roll, in cup, called by the boxperson [8.C(4)#1]",
        ),
        (ev.Rolled(4, 3, "ann", 0, 0, (WON,)), "seven, winner, front line winner"),
        (
            ev.LimitsTold("ann", "field", 500, 50000, "overmax.7.a"),
            "the dealer tells ann that field takes $5 to $500 [overmax.7.a]",
        ),
        (
            ev.ShootoutMoved(10000, (), True),
            "shootout $100, points made: none, open",
        ),
        (
            ev.ShootoutMoved(150000, (4, 10), False, ShootoutNote("grown", 150000)),
            "shootout $1,500, points made: 4, 10, waits for a seven-out; log: bonus $1,500",
        ),
        (ev.Clocked("2007-04-02 09:00"), "it is 2007-04-02 09:00"),
        (
            ev.ThrowCorrected(4, 3, (3, 3), "boxperson", "custom: keyed"),
            "the boxperson corrects the throw: 4 and 3, not 3 and 3 [custom: keyed]",
        ),
        (
            ev.CommandDropped(
                0,
                "ann",
                cmd.Bet("ann", "place-win-6", 1200),
                refuse("under-minimum", "2(a)", wager="place-win-6", least=1500),
            ),
            "ann: place 6 for $12 no longer holds: place 6 takes at least $15 [2(a)]",
        ),
    ],
)
def test_an_event_in_words(event: ev.AnyEvent, words: str) -> None:
    assert describe_event(event) == words


def test_every_kind_of_event_has_words() -> None:
    (told,) = [
        mark.args[1]
        for mark in test_an_event_in_words.pytestmark  # type: ignore[attr-defined]
    ]
    assert {type(event) for event, _ in told} == set(get_args(ev.AnyEvent))


@pytest.mark.parametrize(
    ("dice", "was", "puck", "words"),
    [
        ((1, 1), 0, 0, "two, craps, line away"),
        ((1, 2), 0, 0, "three, craps, line away"),
        ((6, 6), 0, 0, "twelve, craps, line away"),
        ((4, 3), 0, 0, "seven, winner, front line winner"),
        ((2, 2), 0, 4, "four, hard four, mark the point"),
        ((3, 1), 0, 4, "four, easy four, mark the point"),
        ((3, 2), 0, 5, "five, mark the point"),
        ((6, 5), 4, 4, "yo eleven"),
        ((5, 5), 4, 4, "ten, hard ten"),
        ((2, 2), 4, 0, "four, hard four, winner, front line winner"),
        ((4, 3), 4, 0, "seven, out, line away"),
        ((1, 1), 4, 4, "two"),
        ((5, 4), 0, 0, "nine"),
    ],
)
def test_a_throw_as_it_is_called(dice: tuple[int, int], was: int, puck: int, words: str) -> None:
    assert call_roll(ev.Rolled(*dice, "ann", was, puck, ())) == words


@pytest.mark.parametrize("dice", [(1, 1), (4, 3), (2, 3), (6, 6)])
def test_a_special_roll_says_nothing_of_the_line(dice: tuple[int, int]) -> None:
    words = call_roll(ev.Rolled(*dice, "ann", 0, 0, (), special=True))
    assert words in {"two", "seven", "five", "twelve"}


def test_another_winner_makes_it_no_front_line_winner() -> None:
    field = msgspec.structs.replace(WON, wager="field")
    lost = msgspec.structs.replace(WON, result="lose", paid=0, back=0)
    assert call_roll(ev.Rolled(6, 5, "ann", 0, 0, (field, lost))) == "yo eleven"


def test_an_eleven_is_a_winner_where_a_pass_wager_won_on_it() -> None:
    assert call_roll(ev.Rolled(6, 5, "ann", 0, 0, (WON,))) == (
        "yo eleven, winner, front line winner"
    )
