"""Open a table, declare a game dead, close a table and reopen it.

The first event of a table has all values of its house and the place of each player.
"""

from __future__ import annotations

from collections.abc import Sequence

from passline.game.house.house import House, describe_elections, describe_terms
from passline.game.layout.compile import compile_layout
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import dice_custody
from passline.game.table import events as ev
from passline.game.table.bets import take_down_dealer_bets
from passline.game.table.dice_custody import CLOSED_CITE
from passline.game.table.events import Answer
from passline.game.table.evolve import evolve
from passline.game.table.state import DEALERS, NOBODY, Table
from passline.game.table.table_ends import assign_places
from passline.version import VERSION


def opening_event(house: House, players: Sequence[str] = ()) -> ev.Opened:
    """Return the event that opens a table in a house with these players, before they buy in.

    Raise ValueError if two players have the same name, or one has the dealers'.
    """
    if len({*players, DEALERS}) != len(players) + 1:
        raise ValueError("two players have the same name, or the dealers'")
    rules = house.book.shootout
    running = rules is not None and house.offers("shootout")
    places = zip(players, assign_places(len(players)), strict=True)
    return ev.Opened(
        house=ev.HouseDescription(
            rulebook=house.book.id,
            game=house.game,
            name=house.name,
            elections=describe_elections(house),
            terms=describe_terms(house),
        ),
        digest=house.book.digest,
        version=VERSION,
        seats=tuple(ev.OpeningSeat(name, name, place) for name, place in places),
        shootout=rules.start.value * 100 if rules and running else None,
    )


def unopened_table(house: House) -> Table:
    """Return an empty table, to which an opening event can be applied."""
    return Table(layout=compile_layout(house))


def open_table(house: House, players: Sequence[str] = ()) -> Table:
    """Return an open table with these players, before they buy in.

    >>> from passline.game.house.load import house_for
    >>> [(seat.id, seat.place) for seat in open_table(house_for("iowa"), ("ann", "bob")).seats]
    [('ann', 1), ('bob', 9)]
    """
    return evolve(unopened_table(house), opening_event(house, players))


_ALIVE_CITE = "custom: a game in which there is money up, or dice are out, is alive"
#: The number of dice that a shooter throws.
_DICE_IN_PLAY = 2


def _check_nobody_plays(table: Table) -> Refusal | None:
    """Return a refusal if the dice are out or a player's wager is up, even of one who left."""
    for seat in table.playing:
        if seat.wagers:
            return refuse("wagers-up", _ALIVE_CITE, player=seat.name, wagers=tuple(seat.wagers))
    return refuse("dice-are-out", _ALIVE_CITE) if table.dice.out else None


def _clear_table(table: Table, why: ev.PassReason, cite: str) -> tuple[ev.AnyEvent, ...]:
    """Return the first events of closing: dealers' wagers come down, and the dice are given up."""
    passed = dice_custody.pass_dice_unclaimed(table, why, cite) if table.shooter != NOBODY else ()
    return (*take_down_dealer_bets(table), *passed)


def declare_dead_game(table: Table, command: cmd.DeadGame) -> Answer:
    """Return the events that declare the game dead, or a refusal if somebody still plays.

    The dice go into the bowl.
    """
    if table.status != "live":
        return refuse("not-live", _ALIVE_CITE, status=table.status)
    if refused := _check_nobody_plays(table):
        return refused
    rule = table.house.book.dead_game.bowl
    dice = dice_custody.dice_set_size(table) - table.dice.lost
    if rule.value == "unused":
        dice -= _DICE_IN_PLAY
    return (*_clear_table(table, "dead", rule.cite), ev.GameDied(dice, rule.cite))


def close_table(table: Table, command: cmd.CloseTable) -> Answer:
    """Return the events that close the table, or a refusal if it is closed or somebody still plays.

    Some books require a new set of dice when it reopens.
    """
    if table.status == "closed":
        return refuse("table-closed", CLOSED_CITE)
    if refused := _check_nobody_plays(table):
        return refused
    rule = table.house.book.inspection.reopen
    fresh = rule.value == "new-set"
    return (*_clear_table(table, "closed", CLOSED_CITE), ev.TableClosed(fresh, rule.cite))


def reopen_table(table: Table, command: cmd.OpenTable) -> Answer:
    """Return the event that reopens a closed table, or a refusal if it is not closed."""
    if table.status != "closed":
        return refuse("table-open", "custom: only a closed table is opened")
    return (ev.TableOpened(),)
