"""What the next throw would bring is what it brings."""

from __future__ import annotations

import random

import pytest

from passline.game.dice.dice import OUTCOMES
from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.game.layout.stakes import Refusal
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve_all
from passline.game.table.open_close import open_table
from passline.game.table.options import list_options
from passline.game.table.state import Table
from passline.game.table.throws import group_next_outcomes


def _busy(book: str, seed: int) -> Table:
    """A table in the middle of a game, one player with whatever was taken."""
    rng = random.Random(seed)
    table = open_table(house_for(book), ("ann",))
    says: list[cmd.AnyCommand] = [cmd.BuyIn("ann", 1_000_000), cmd.Bet("ann", "pass", 1000)]
    for said in says:
        answer = decide(table, said)
        assert not isinstance(answer, Refusal)
        table = evolve_all(table, answer)
    for _ in range(4):
        for option in rng.sample(list_options(table, "ann"), 12):
            if option.verb == "bet" and option.bar is None:
                answer = decide(table, cmd.Bet("ann", option.wager, option.least))
                assert not isinstance(answer, Refusal)
                table = evolve_all(table, answer)
        rolled = decide(table, cmd.Roll(rng.randint(1, 6), rng.randint(1, 6)))
        if not isinstance(rolled, Refusal):
            table = evolve_all(table, rolled)
    return table


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("seed", range(6))
def test_every_outcome_does_what_was_foreseen(book: str, seed: int) -> None:
    table = _busy(book, seed)
    told = group_next_outcomes(table, "ann")
    assert sum(prospect.ways for prospect in told) == 36
    by_pair = {(p.total, p.way): (p.paid, p.taken) for p in told}
    for first, second in OUTCOMES:
        rolled = decide(table, cmd.Roll(first, second))
        if isinstance(rolled, Refusal):
            continue
        total, low, high = first + second, min(first, second), max(first, second)
        ways = ("", "hard" if first == second else "easy", f"{low}-{high}")
        (sums,) = {by_pair[total, way] for way in ways if (total, way) in by_pair}
        after = evolve_all(table, rolled)
        seats = (table.seats[0], after.seats[0])
        worth = [s.rail + sum(stake.amount for stake in s.wagers.values()) for s in seats]
        assert worth[1] - worth[0] == sums[0] - sums[1], (first, second)
