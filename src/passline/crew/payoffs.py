"""What a wager wins, throw by throw, in chips as they lie: any wager of a house.

Nothing is worked out here: the layout's verdicts say on which throws a wager wins at which odds,
the engine settles it, and ``cutting`` sets the chips out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from passline.crew.cutting import Payoff, payoff, totalled
from passline.dice import OUTCOMES, index_of, total_of
from passline.law.families import is_laid
from passline.law.wagers import Line, OddsRule, Race
from passline.layout import Layout, Settlement, Spot, Stake, Throw, settle
from passline.money.chips import Chips


class Win(msgspec.Struct, frozen=True):
    """A price at which a wager wins, and on what: ``throws`` in words (``4, 10``, ``3-3``)."""

    odds: str
    ratio: tuple[int, int]
    throws: tuple[str, ...]
    puck: int
    index: int


class Paid(msgspec.Struct, frozen=True):
    """A wager's payoff at one of its prices, and how laid odds lie by their flat."""

    win: Win
    done: Settlement
    payoff: Payoff
    lies: str = ""


def spot_named(layout: Layout, name: str) -> Spot | None:
    """A wager by its slug, ``place-6`` for the one to win; None where it has no fixed price."""
    spot = layout.spot(name) or layout.spot(name.replace("place-", "place-win-", 1))
    return spot if spot is not None and not spot.tiers else None


def pucks_of(layout: Layout, spot: Spot) -> tuple[int, ...]:
    """Where the puck is when a wager is decided: at its number, at any point, or off."""
    points = tuple(layout.house.book.points.value)
    rule = spot.rule
    if isinstance(rule, OddsRule) and not spot.number:
        return points
    if isinstance(rule, Line):
        return (0, *points)
    return points[:1] if spot.number or isinstance(rule, Race) else (0,)


def wins(
    layout: Layout, spot: Spot, point: int = 0, dice: tuple[int, int] | None = None
) -> tuple[Win, ...]:
    """Every price of a wager with the throws that it is for; with a point or dice, those then.

    >>> from passline.house import make_house
    >>> from passline.law import rulebook
    >>> from passline.layout import lay_felt
    >>> felt = lay_felt(make_house(rulebook("iowa")))
    >>> [(win.odds, win.throws) for win in wins(felt, felt.spots["field"])]
    [('2 to 1', ('2', '12')), ('1 to 1', ('3', '4', '9', '10', '11'))]
    """
    only = None if dice is None else index_of(*dice)
    found: dict[str, list[tuple[int, int, tuple[int, int]]]] = {}
    for puck in (point,) if point else pucks_of(layout, spot):
        for index, verdict in enumerate(spot.tables[puck]):
            if only is not None and index != only:
                continue
            if verdict is not None and verdict.result == "win" and verdict.odds:
                price = (verdict.win, verdict.per)
                found.setdefault(verdict.odds, []).append((puck, index, price))
    return tuple(
        Win(
            odds=odds,
            ratio=those[0][2],
            throws=tuple(_throws({i for _, i, _ in those})),
            puck=those[0][0],
            index=those[0][1],
        )
        for odds, those in found.items()
    )


def _throws(indices: Iterable[int]) -> Iterator[str]:
    """Totals in order; where not every way of a total is among them, the faces."""
    own = set(indices)
    for total in sorted({total_of(index) for index in own}):
        ways = {n for n, faces in enumerate(OUTCOMES) if sum(faces) == total}
        if ways <= own:
            yield str(total)
        else:
            faces = {tuple(sorted(OUTCOMES[index])) for index in ways & own}
            yield from (f"{low}-{high}" for low, high in sorted(faces))


def paid(
    layout: Layout, spot: Spot, win: Win, stake: Chips | int, flat: Chips | None = None
) -> Paid:
    """What the engine pays a stake at one of its prices, and in which chips."""
    amount = stake if isinstance(stake, int) else stake.amount
    up = {spot.slug: Stake(amount, amount, call=True)}
    throw = Throw(win.index, total_of(win.index), win.puck)
    (done,) = settle(layout, "", up, throw)
    chips = None if isinstance(stake, int) else stake
    lies = ""
    if flat is not None and chips is not None and _is_laid(layout, spot):
        lies = laid_beside(flat, chips, done.paid)
    return Paid(win=win, done=done, payoff=payoff(layout, done, chips, flat), lies=lies)


def _is_laid(layout: Layout, spot: Spot) -> bool:
    return isinstance(spot.rule, OddsRule) and is_laid(layout.house.book, spot.rule)


def behind_line(layout: Layout, spot: Spot) -> bool:
    """Whether a wager is odds taken behind a line bet, which may be paid with it in one."""
    return (
        bool(spot.flat)
        and not _is_laid(layout, spot)
        and isinstance(spot.rule, OddsRule)
        and (isinstance(layout.spots[spot.flat].rule, Line))
    )


def paid_together(layout: Layout, spot: Spot, win: Win, stake: Chips, flat: Chips) -> Paid:
    """Odds and the line bet that they stand behind, totalled into one payoff."""
    up = {
        spot.flat: Stake(flat.amount, flat.amount),
        spot.slug: Stake(stake.amount, stake.amount, call=True),
    }
    done = settle(layout, "", up, Throw(win.index, total_of(win.index), win.puck))
    lying = {spot.flat: flat, spot.slug: stake}
    parts = [payoff(layout, each, lying[each.wager], flat) for each in done]
    odds = next(each for each in done if each.wager == spot.slug)
    both = replace(
        odds, stake=sum(each.stake for each in done), paid=sum(each.paid for each in done)
    )
    return Paid(win=win, done=both, payoff=totalled(layout, parts))


def laid_beside(flat: Chips, laid: Chips, win: int) -> Literal["bridged", "heeled"]:
    """How laid odds lie by their flat (Iowa's wagers.5.d.A#2, wagers.5.d.B#2 and lay/bridge).

    Bridged only where they win what the flat is and both are of one and the same colour.
    """
    same = flat.one_colour and laid.one_colour and flat.piles[0][0] == laid.piles[0][0]
    return "bridged" if same and win == flat.amount else "heeled"
