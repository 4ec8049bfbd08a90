"""What the next throw would bring a player, outcome by outcome, asked of the engine's settle."""

from __future__ import annotations

from msgspec import Struct

from passline.dice import OUTCOMES
from passline.layout import Settlement
from passline.table.state import Table
from passline.table.throwing import foresee


class Prospect(Struct, frozen=True, kw_only=True):
    """Outcomes that do the same to a player's wagers, and what: cents paid and cents taken.

    ``way`` tells them from others of their total: ``hard`` and ``easy``, or a pair of faces where
    more than that tells them apart; empty: they are all of their total. ``ways`` of 36.
    """

    total: int
    way: str = ""
    ways: int
    paid: int
    taken: int


def prospects(table: Table, player: str) -> tuple[Prospect, ...]:
    """Every total from two to twelve, parted where its ways differ.

    >>> from passline.house.files import house_for
    >>> from passline.table import commands as cmd, decide, evolve_all, open_table
    >>> table = open_table(house_for("iowa"), ("ann",))
    >>> for said in (cmd.BuyIn("ann", 10_000), cmd.Bet("ann", "pass", 1000)):
    ...     table = evolve_all(table, decide(table, said))
    >>> [(p.total, p.ways, p.paid, p.taken) for p in prospects(table, "ann") if p.paid or p.taken]
    [(2, 1, 0, 1000), (3, 2, 0, 1000), (7, 6, 1000, 0), (11, 2, 1000, 0), (12, 1, 0, 1000)]
    """
    found = {pair: _sums(foresee(table, player, *pair)) for pair in OUTCOMES if pair[0] <= pair[1]}
    told: list[Prospect] = []
    for total in range(2, 13):
        told += _of_total(total, {pair: sums for pair, sums in found.items() if sum(pair) == total})
    return tuple(told)


Pair = tuple[int, int]
Sums = tuple[int, int]


def _sums(settlements: list[Settlement]) -> Sums:
    paid = sum(done.paid - done.vig for done in settlements if done.result == "win")
    return paid, sum(done.stake for done in settlements if done.result == "lose")


def _of_total(total: int, pairs: dict[Pair, Sums]) -> list[Prospect]:
    kinds: dict[str, dict[Pair, Sums]] = {"": pairs}
    if len(set(pairs.values())) > 1:
        kinds = {}
        for pair, sums in pairs.items():
            kinds.setdefault("hard" if pair[0] == pair[1] else "easy", {})[pair] = sums
    if any(len(set(kind.values())) > 1 for kind in kinds.values()):
        kinds = {
            f"{first}-{second}": {(first, second): of} for (first, second), of in pairs.items()
        }
    return [
        Prospect(
            total=total,
            way=way,
            ways=sum(1 if first == second else 2 for first, second in kind),
            paid=next(iter(kind.values()))[0],
            taken=next(iter(kind.values()))[1],
        )
        for way, kind in kinds.items()
    ]
