"""Layouts and throws for tests: a house's felt, and one throw over one player's wagers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from passline.game.dice.dice import outcome_index
from passline.game.house.house import make_house
from passline.game.law.load import rulebook
from passline.game.layout.compile import compile_layout
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Stake
from tests.table.games import money, varied


@cache
def shipped(book: str) -> Layout:
    """The layout of a book as shipped, nothing elected."""
    return compile_layout(make_house(rulebook(book)))


def felt(
    book: str = "new-jersey",
    game: str | None = None,
    *,
    but: Mapping[str, Any] | None = None,
    elect: Mapping[str, Any] | None = None,
) -> Layout:
    """A house's layout; ``but`` varies the book itself, ``elect`` is what the house elects."""
    if not elect and not but and game is None:
        return shipped(book)
    return compile_layout(make_house(varied(book, but) if but else rulebook(book), game, elect))


def throw(
    layout: Layout,
    wagers: Mapping[str, int | Stake],
    first: int,
    second: int,
    puck: int = 0,
    made: frozenset[int] = frozenset(),
    thrown: frozenset[int] = frozenset(),
) -> list[str]:
    """What a throw settles, in dollars: wager, result, the win or (else) the stake, what came
    back and what is left."""
    stakes = {
        slug: stake if isinstance(stake, Stake) else Stake(stake * 100, stake * 100)
        for slug, stake in wagers.items()
    }
    cast = Throw(
        index=outcome_index(first, second),
        total=first + second,
        puck=puck,
        made=made,
        thrown=thrown,
    )
    return [
        f"{s.wager} {s.result} {money(s.paid if s.result == 'win' else s.stake)} "
        f"back {money(s.back)} left {money(s.left)}"
        for s in settle(layout, "ann", stakes, cast)
    ]


def totals(layout: Layout, slug: str, result: str, puck: int = 0) -> set[int]:
    """The totals on which a wager meets a result, on some face at least."""
    table = layout.spots[slug].tables[puck]
    return {
        first + second
        for first in range(1, 7)
        for second in range(1, 7)
        if (verdict := table[outcome_index(first, second)]) is not None and verdict.result == result
    }
