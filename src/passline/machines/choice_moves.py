"""Changes of a player's wagers between throws, as the engine carries them out."""

from __future__ import annotations

from typing import NamedTuple

from passline.layout import Refusal, Stake, Wagers
from passline.table import Table, decide, evolve
from passline.table import commands as cmd

#: Wagers as a state holds them, by slug.
LyingWagers = tuple[tuple[str, Stake], ...]


class TooManyChoices(Exception):  # noqa: N818 - a menu that is too large is no error of ours
    """There are more stands than were allowed."""


class ChoiceMove(NamedTuple):
    """A change of one wager: what lies there then of those concerned (None: nothing), its cost."""

    after: tuple[tuple[str, Stake | None], ...]
    cost: int


def done(table: Table, ask: cmd.AnyCommand) -> Table | None:
    """The table after something was done; None: it may not be."""
    answer = decide(table, ask)
    if isinstance(answer, Refusal):
        return None
    for event in answer:
        table = evolve(table, event)
    return table


def lying_at(table: Table) -> LyingWagers:
    """What the player has up at a table."""
    return tuple(sorted(table.playing[0].wagers.items()))


def move_between(table: Table, after: Table) -> ChoiceMove:
    """What was changed from one table to the other."""
    before, then = table.playing[0], after.playing[0]
    slugs = sorted({*before.wagers, *then.wagers})
    changed = [s for s in slugs if before.wagers.get(s) != then.wagers.get(s)]
    return ChoiceMove(tuple([(s, then.wagers.get(s)) for s in changed]), before.rail - then.rail)


def put_wagers(wagers: Wagers, after: tuple[tuple[str, Stake | None], ...]) -> Wagers:
    """Wagers with a change carried out."""
    then = dict(wagers)
    for slug, stake in after:
        if stake is None:
            then.pop(slug, None)
        else:
            then[slug] = stake
    return then
