"""Opening a table: the first event, which tells the house in full and who stands where.

Tables at which nobody plays: the dead game, the closed table, and how they come to life.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from passline.version import VERSION

#: Places at a table: eight at each end. A record may seat more people than that.
PLACES = 16
_LARGE_TABLE_PLACES = 24


def count_places(table: Table) -> int:
    """How many places there are: sixteen, or as many as the table opened with more."""
    return PLACES if table.furthest <= PLACES else _LARGE_TABLE_PLACES


def count_left_places(places: int = PLACES) -> int:
    """Return how many places the left end has: places 1 to that number are the left end.

    `crew.ends` tells everybody else which end a place is at.
    """
    return places // 2


def assign_places(count: int) -> tuple[int, ...]:
    """The places of players who stand there when a table opens: the first half of them at the
    left end, the others at the right.

    >>> assign_places(3)
    (1, 2, 9)
    """
    places = PLACES if count <= PLACES else _LARGE_TABLE_PLACES
    left, first_right = (count + 1) // 2, count_left_places(places) + 1
    return (*range(1, left + 1), *range(first_right, first_right + count - left))


def opening_event(house: House, players: Sequence[str] = ()) -> ev.Opened:
    """The event that opens a table of a house with these players, nobody bought in yet."""
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
    """A table at which nothing has happened: what an opening is folded into."""
    return Table(layout=compile_layout(house))


def open_table(house: House, players: Sequence[str] = ()) -> Table:
    """A table with these players, nobody bought in yet.

    >>> from passline.game.house.load import house_for
    >>> [(seat.id, seat.place) for seat in open_table(house_for("iowa"), ("ann", "bob")).seats]
    [('ann', 1), ('bob', 9)]
    """
    return evolve(unopened_table(house), opening_event(house, players))


_ALIVE_CITE = "custom: a game in which there is money up, or dice are out, is alive"
#: What somebody does who comes up to play.
_JOINING_COMMANDS = (cmd.BuyIn, cmd.Bet, cmd.TokeBet, cmd.TakeDice, cmd.Join)
#: Dice that a shooter plays with.
_DICE_IN_PLAY = 2


def _check_nobody_plays(table: Table) -> Refusal | None:
    """What keeps a game from being dead: a player's wager, also of one who left, or dice out."""
    for seat in table.playing:
        if seat.wagers:
            return refuse("wagers-up", _ALIVE_CITE, player=seat.name, wagers=tuple(seat.wagers))
    return refuse("dice-are-out", _ALIVE_CITE) if table.dice.out else None


def _clear_table(table: Table, why: ev.PassReason, cite: str) -> tuple[ev.AnyEvent, ...]:
    """What happens first: the dealers' wagers come down, and the shooter gives the dice up."""
    passed = dice_custody.pass_dice_unclaimed(table, why, cite) if table.shooter != NOBODY else ()
    return (*take_down_dealer_bets(table), *passed)


def declare_dead_game(table: Table, ask: cmd.DeadGame) -> Answer:
    """Nobody plays: the dice go into the bowl, the house's money back to the bank."""
    if dice_custody.is_automated(table):
        return dice_custody.refuse_machine_throws(table)
    if table.status != "live":
        return refuse("not-live", _ALIVE_CITE, status=table.status)
    refused = _check_nobody_plays(table)
    if refused is not None:
        return refused
    rule, dice = (
        table.house.book.dead_game.bowl,
        dice_custody.dice_set_size(table) - table.dice.lost,
    )
    if rule.value == "unused":
        dice -= _DICE_IN_PLAY
    return (*_clear_table(table, "dead", rule.cite), ev.GameDied(dice, rule.cite))


def close_table(table: Table, ask: cmd.CloseTable) -> Answer:
    """The table is closed; where the book has it so, it opens again with a new set."""
    if table.status == "closed":
        return refuse("table-closed", CLOSED_CITE)
    refused = _check_nobody_plays(table)
    if refused is not None:
        return refused
    rule = table.house.book.inspection.reopen
    fresh = rule.value == "new-set"
    return (*_clear_table(table, "closed", CLOSED_CITE), ev.TableClosed(fresh, rule.cite))


def reopen_table(table: Table, ask: cmd.OpenTable) -> Answer:
    """A closed table opens again."""
    if table.status != "closed":
        return refuse("table-open", "custom: only a closed table is opened")
    return (ev.TableOpened(),)


def decide_when_idle(
    table: Table, command: cmd.AnyCommand, door: Callable[[Table, cmd.AnyCommand], Answer]
) -> Answer:
    """A command at a table that is dead or closed: whoever comes up to play has the bowl emptied,
    and at a closed table finds nobody to play with."""
    if not isinstance(command, _JOINING_COMMANDS):
        return door(table, command)
    if table.status == "closed":
        return refuse("table-closed", CLOSED_CITE)
    answer = door(table, command)
    rule = table.house.book.dead_game.dump
    if isinstance(answer, Refusal) or not rule.value:
        return answer
    return (ev.BowlDumped(command.player, rule.cite), *answer)
