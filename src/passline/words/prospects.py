"""What the next throw would bring, in a line: ``6 pays you $10, 7 takes it``."""

from __future__ import annotations

from passline.money import show_dollars
from passline.table import Table
from passline.table.prospects import Prospect, prospects


def prospect_words(table: Table, player: str) -> str:
    """The outcomes that do something to a player's wagers; empty where none does.

    >>> from passline.house.files import house_for
    >>> from passline.table import commands as cmd, decide, evolve_all, open_table
    >>> table = open_table(house_for("iowa"), ("ann",))
    >>> bet = cmd.Bet("ann", "pass", 1000)
    >>> for said in (cmd.BuyIn("ann", 10_000), bet, cmd.Roll(4, 2), cmd.Bet("ann", "hard-8", 500)):
    ...     table = evolve_all(table, decide(table, said))
    >>> prospect_words(table, "ann")
    '6 pays you $10, hard 8 pays you $45; easy 8 takes $5, 7 takes it all'
    """
    found = prospects(table, player)
    up = [stake.amount for stake in table.wagers_of(player).values()]
    pays = _alike([p for p in found if p.paid and not p.taken])
    both = [p for p in found if p.paid and p.taken]
    takes = _alike([p for p in found if p.taken and not p.paid])
    told = [f"{_names(some)} pay{_s(some)} you {show_dollars(some[0].paid)}" for some in pays]
    told += [
        f"{_names([p])} pays you {show_dollars(p.paid)} and takes {show_dollars(p.taken)}"
        for p in both
    ]
    lost = [f"{_names(some)} take{_s(some)} {_taken(some[0].taken, up)}" for some in takes]
    parts = [", ".join(part) for part in (told, lost) if part]
    return (", " if len(told) == len(lost) == 1 else "; ").join(parts)


def _alike(found: list[Prospect]) -> list[list[Prospect]]:
    """Those that pay or take the same together, in the order of their totals."""
    sums: dict[tuple[int, int], list[Prospect]] = {}
    for prospect in found:
        sums.setdefault((prospect.paid, prospect.taken), []).append(prospect)
    return sorted(sums.values(), key=lambda some: (some[0].total == 7, some[0].total))


def _names(some: list[Prospect]) -> str:
    names = [_name(prospect) for prospect in some]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _name(prospect: Prospect) -> str:
    if "-" in prospect.way:
        return f"{prospect.total} as {prospect.way}"
    return f"{prospect.way} {prospect.total}".strip()


def _s(some: list[Prospect]) -> str:
    return "s" if len(some) == 1 else ""


def _taken(taken: int, up: list[int]) -> str:
    if taken < sum(up):
        return show_dollars(taken)
    return "it" if len(up) == 1 else "it all"
