"""What the next roll would do to a player's wagers, in one line: ``6 pays you $10, 7 takes it``."""

from __future__ import annotations

from passline.game.money.amounts import show_dollars
from passline.game.table.state import Table
from passline.game.table.throws import OutcomeGroup, group_next_outcomes
from passline.text import join_words


def describe_next_roll(table: Table, player: str) -> str:
    """Return the outcomes that pay or take a player's wagers; empty if none does.

    >>> from passline.record.deal import deal_text
    >>> game = "rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 2\\nann: hard-8 for 5"
    >>> table = deal_text(game).table
    >>> describe_next_roll(table, "ann")
    '6 pays you $10, hard 8 pays you $45; easy 8 takes $5, 7 takes it all'
    """
    found = group_next_outcomes(table, player)
    up = [stake.amount for stake in table.wagers_of(player).values()]
    won, lost = [], []
    for some in _group_alike([p for p in found if p.paid and not p.taken]):
        won.append(f"{_join_names(some, 'pay')} you {show_dollars(some[0].paid)}")
    for one in (p for p in found if p.paid and p.taken):
        amounts = f"{show_dollars(one.paid)} and takes {show_dollars(one.taken)}"
        won.append(f"{_join_names([one], 'pay')} you {amounts}")
    for some in _group_alike([p for p in found if p.taken and not p.paid]):
        lost.append(f"{_join_names(some, 'take')} {_describe_loss(some[0].taken, up)}")
    parts = [", ".join(part) for part in (won, lost) if part]
    return (", " if len(won) == len(lost) == 1 else "; ").join(parts)


def _group_alike(found: list[OutcomeGroup]) -> list[list[OutcomeGroup]]:
    """Return groups that pay or take the same, in the order of their totals."""
    sums: dict[tuple[int, int], list[OutcomeGroup]] = {}
    for prospect in found:
        sums.setdefault((prospect.paid, prospect.taken), []).append(prospect)
    return sorted(sums.values(), key=lambda some: (some[0].total == 7, some[0].total))


def _join_names(some: list[OutcomeGroup], verb: str) -> str:
    names = [_name_group(prospect) for prospect in some]
    return f"{join_words(names)} {verb}{'s' if len(some) == 1 else ''}"


def _name_group(prospect: OutcomeGroup) -> str:
    if "-" in prospect.way:
        return f"{prospect.total} as {prospect.way}"
    return f"{prospect.way} {prospect.total}".strip()


def _describe_loss(taken: int, up: list[int]) -> str:
    if taken < sum(up):
        return show_dollars(taken)
    return "it" if len(up) == 1 else "it all"
