"""Layouts and throws for tests: a house's felt, and one throw over one player's wagers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from passline.dice import index_of
from passline.house import make_house
from passline.law import rulebook
from passline.layout import Layout, Stake, Throw, lay_felt, settle
from tests.table.games import money, varied


@cache
def shipped(book: str) -> Layout:
    """The layout of a book as shipped, nothing elected."""
    return lay_felt(make_house(rulebook(book)))


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
    return lay_felt(make_house(varied(book, but) if but else rulebook(book), game, elect))


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
        index=index_of(first, second), total=first + second, puck=puck, made=made, thrown=thrown
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
        if (verdict := table[index_of(first, second)]) is not None and verdict.result == result
    }
