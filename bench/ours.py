"""Deal games with our engine, one command at a time."""

from __future__ import annotations

from collections.abc import Iterable

from bench.players import NAME, Player
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.layout.stakes import Refusal
from passline.game.table.commands import AnyCommand, Bet, BuyIn, Roll, TakeDown
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.open_close import open_table
from passline.game.table.state import Table
from passline.game.words.refusals import describe_refusal

BANKROLL = 10_000_000


def new_table(game: str) -> Table:
    """Return a New Jersey table with 3-4-5 odds and one player, who has BANKROLL dollars."""
    house = make_house(rulebook("new-jersey"), game, {"odds.multiple": "3-4-5"})
    return apply(open_table(house, (NAME,)), BuyIn(NAME, BANKROLL * 100))


def apply(table: Table, command: AnyCommand) -> Table:
    answer = decide(table, command)
    if isinstance(answer, Refusal):
        raise RuntimeError(f"{command} refused: {describe_refusal(answer)} ({answer.cite})")
    for event in answer:
        table = evolve(table, event)
    return table


def deal(table: Table, player: Player, dice: Iterable[tuple[int, int]]) -> Table:
    """Deal these throws, with the player's commands before each. Return the table after them."""
    for first, second in dice:
        for command in player(table):
            table = apply(table, command)
        table = apply(table, Roll(first, second))
    return table


def worth(table: Table) -> int:
    """Return the player's chips in cents, in the rail and on the layout."""
    seat = table.seats[0]
    return seat.rail + sum(stake.amount for stake in seat.wagers.values())


def as_record(player: Player, dice: Iterable[tuple[int, int]]) -> str:
    """Return the game that `deal` plays, as a ``.craps`` record."""
    lines = [
        "rulebook: new-jersey",
        "house.odds.multiple: 3-4-5",
        f"player: {NAME} {BANKROLL}",
        "",
    ]
    table = new_table("craps")
    for first, second in dice:
        says = player(table)
        if says:
            lines.append(f"{NAME}: {'; '.join(map(_say, says))}")
        lines.append(f"roll {first} {second}")
        table = deal(table, player, [(first, second)])
    return "\n".join(lines) + "\n"


def _say(command: AnyCommand) -> str:
    if isinstance(command, Bet):
        return f"{command.wager} for {command.amount // 100}"
    assert isinstance(command, TakeDown)
    return f"{command.wager} down"
