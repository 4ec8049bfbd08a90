"""The table of an environment: one player with a real rail, and somebody else who shoots."""

from __future__ import annotations

from passline.house import House
from passline.layout import Refusal, Stake
from passline.layout.amounts import odds_cap
from passline.layout.spots import Layout, Spot
from passline.machines.seat import PLAYER, SHOOTER, shooter_bets, throw_dice
from passline.money import show_dollars
from passline.table import Table, decide, evolve_all, open_table
from passline.table import commands as cmd
from passline.table.custody import automated
from passline.table.events import AnyEvent
from passline.table.state import NOBODY
from passline.words.refusals import refusal_words

#: So many chips that the shooter never runs short of line wagers.
_CHIPS = 10**12
#: Cents beyond any bank, where a book sets no maximum.
_BEYOND = 10**13


def sit_down(house: House, bankroll: int) -> Table:
    """A table where the player bought in for ``bankroll`` cents and the other holds the dice."""
    table = open_table(house, (PLAYER, SHOOTER))
    bought = decide(table, cmd.BuyIn(PLAYER, bankroll))
    if isinstance(bought, Refusal):
        raise ValueError(
            f"a bankroll of {show_dollars(bankroll)}: {refusal_words(bought)} [{bought.cite}]"
        )
    table = evolve_all(table, bought)
    return _done(table, cmd.BuyIn(SHOOTER, _CHIPS * house.chip))


def next_throw(table: Table, first: int, second: int) -> tuple[Table, tuple[AnyEvent, ...]]:
    """The other player takes the dice if they were passed, keeps a line wager up, and throws."""
    if table.shooter == NOBODY and not automated(table):
        table = _done(table, cmd.TakeDice(SHOOTER))
    return throw_dice(shooter_bets(table), first, second)


def _done(table: Table, command: cmd.AnyCommand) -> Table:
    answer = decide(table, command)
    assert not isinstance(answer, Refusal), answer
    return evolve_all(table, answer)


def most_up(layout: Layout, spot: Spot) -> int:
    """The most (cents) that may ever lie on a spot."""
    if layout.house.book.stakes.over_max.value != "refuse":
        return _BEYOND
    if not spot.flat:
        return spot.maximum
    most = layout.spots[spot.flat].maximum
    flat = {spot.flat: Stake(most, most)}
    pucks = (0,) if spot.number else tuple(spot.by_puck)
    return max(odds_cap(layout, spot, puck, flat) for puck in pucks)


def most_won(layout: Layout) -> int:
    """More (cents) than one throw can ever win: every spot full, every spot at its best."""
    won = sum(most_up(layout, spot) * _best(spot) for spot in layout.spots.values())
    shootout = layout.house.book.shootout
    shares = [share.value * 100 for share in shootout.share.values()] if shootout else []
    return won + max(shares, default=0)


def _best(spot: Spot) -> int:
    """The best a stake is paid, times the stake, rounded up."""
    tables = [-(-v.win // v.per) for rows in spot.tables for v in rows if v and v.result == "win"]
    tiers = [-(-odds.win // odds.stake) for odds, _ in spot.tiers.values()]
    return max([*tables, *tiers], default=0) + 1  # a chip's breakage may be paid up
