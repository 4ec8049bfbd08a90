"""What may be done now, held against ``decide`` itself over random games."""

from __future__ import annotations

import random

import pytest

from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.events import AnyEvent
from passline.game.table.evolve import evolve_all
from passline.game.table.options import (
    BetOptionCache,
    Option,
    bet_option,
    list_bet_options,
    list_options,
)
from passline.game.table.state import Table
from tests.properties.houses import HOUSES, opening, shown
from tests.properties.moves import AMOUNTS, command_for, random_move
from tests.table.games import deal


def commands(player: str, option: Option, amount: int) -> cmd.AnyCommand:
    match option.verb:
        case "bet":
            return cmd.Bet(player, option.wager, amount)
        case "raise" | "reduce":
            return cmd.Change(player, option.wager, amount)
        case "down":
            return cmd.TakeDown(player, option.wager)
        case "on" | "off":
            return cmd.Call(player, option.wager, option.verb == "on")
        case "undo":
            return cmd.Undo(player)
        case "all-down":
            return cmd.TakeAllDown(player)
        case "take-dice":
            return cmd.TakeDice(player)
        case "decline":
            return cmd.DeclineDice(player)
        case "pass-dice":
            return cmd.PassDice(player)
        case "leave":
            return cmd.Leave(player)


def bought(table: Table, player: str) -> tuple[AnyEvent, ...]:
    answer = decide(table, cmd.BuyIn(player, 100_000))
    assert not isinstance(answer, Refusal)
    return answer


def check(table: Table, player: str, rng: random.Random) -> None:
    for option in list_options(table, player):
        odds = option.wager and isinstance(table.layout.spots[option.wager].rule, OddsRule)
        if option.bar is not None:
            assert option.bar.cite, option
            for amount in AMOUNTS if option.verb == "bet" else ():
                refused = decide(table, commands(player, option, amount))
                assert isinstance(refused, Refusal), (option, amount)
            continue
        if not option.step:
            assert not isinstance(decide(table, commands(player, option, 0)), Refusal), option
            continue
        assert option.least <= option.most, option
        count = (option.most - option.least) // option.step
        for n in {0, count, rng.randint(0, count)}:
            command = commands(player, option, option.least + n * option.step)
            answer = decide(table, command)
            assert not isinstance(answer, Refusal), (option, command, answer)
        below = option.least - option.step
        if option.verb == "bet" and below > 0 and not odds:  # odds are told in what pays exactly
            assert isinstance(decide(table, commands(player, option, below)), Refusal), option
        beyond = option.most + option.step
        if option.verb != "reduce":
            refused = decide(table, commands(player, option, beyond))
            assert isinstance(refused, Refusal), (option, beyond)


@pytest.mark.parametrize("number", range(len(HOUSES)), ids=[shown(house) for house in HOUSES])
def test_every_option_is_what_decide_says(number: int) -> None:
    rng = random.Random(7)
    table = opening(number)
    for seat in table.seats:
        table = evolve_all(table, bought(table, seat.id))
    for step in range(60):
        answer = decide(table, command_for(table, random_move(rng)))
        if not isinstance(answer, Refusal):
            table = evolve_all(table, answer)
        seat = table.seats[step % len(table.seats)]
        if seat.here and step % 6 == 0:
            check(table, seat.id, rng)


@pytest.mark.parametrize(
    ("book", "line"),
    [
        ("dealer-school", cmd.Change("ann", "pass", 2000)),  # Raises the limit of its odds.
        ("dealer-school", cmd.TakeDown("ann", "dont-pass")),  # Its odds may not be made any more.
        ("dealer-school", cmd.Bet("ann", "field", 96_500)),  # Too few chips for a place 6.
        ("dealer-school", cmd.Bet("ann", "buy-4", 10_000)),
        ("new-jersey", cmd.Bet("ann", "any-seven", 100)),  # A whirl is booked in part as this.
    ],
)
def test_kept_options_are_those_decided_now(book: str, line: cmd.AnyCommand) -> None:
    """A page keeps options between rolls. Taken back, the line leaves what there was."""
    play, cents = "ann: pass for 10; dont-pass for 20\nroll 2 2", {"limits.smallest_chip": "0.25"}
    before = deal(play, book=book, elect=cents).table
    answer = decide(before, line)
    assert not isinstance(answer, Refusal)
    after, cache = evolve_all(before, answer), BetOptionCache()
    assert list_bet_options(before, "ann") != list_bet_options(after, "ann")
    for table in (before, after, before):
        assert cache.list_bet_options(table, "ann") == list_bet_options(table, "ann")


def test_what_is_barred_says_the_clause_and_what_would_be_allowed() -> None:
    table = deal("ann: pass for 10\nroll 2 2").table
    found = {(o.verb, o.wager): o for o in list_options(table, "ann")}
    down = found["down", "pass"]
    assert down.bar is not None
    assert (down.bar.code, down.bar.cite) == ("not-taken-down-with-number", "19:47-1.3(c)1")
    place = found["bet", "place-win-6"]
    assert (place.least, place.step) == (600, 600)
    odds = found["bet", "pass-odds"]
    assert (odds.least, odds.most) == (100, 1000)
    assert bet_option(table, "ann", "place-win-6") == place


def test_a_composite_booked_as_its_parts_needs_enough_for_each() -> None:
    cents = {"limits.smallest_chip": "0.25"}
    table = deal("ann: pass for 10\n", elect=cents).table
    whirl = bet_option(table, "ann", "whirl")
    assert (whirl.bar, whirl.least, whirl.step) == (None, 500, 125)
    assert isinstance(decide(table, cmd.Bet("ann", "whirl", 375)), Refusal)
    more = deal("ann: pass for 10; any-seven for 1\n", elect=cents).table
    assert bet_option(more, "ann", "whirl").least == 125


def test_the_rail_bounds_what_may_be_bet_vigorish_and_all() -> None:
    table = deal("ann: field for 980\n").table
    buy = bet_option(table, "ann", "buy-4")
    assert (buy.bar, buy.most) == (None, 1900)
    short = bet_option(deal("ann: field for 998\n").table, "ann", "pass")
    assert short.bar is not None
    assert short.bar.code == "short-of-chips"
