"""What lies on the layout, valued: the exact expectation of a wager played out.

Played out: nothing more is said, a wager comes down at its first decision, what is off waits.
"""

from __future__ import annotations

from fractions import Fraction

from passline.dice import FAIR, Dice
from passline.exact.decision import expected_nets
from passline.law.wagers import Collect
from passline.layout import Layout, Stake
from passline.machines.decision import plain_state, walk_lying
from passline.machines.seat import State
from passline.table import Table

_NONE = Fraction(0)
#: Wagers that are kept walked.
_MOST = 5_000


class Lying:
    """Wagers as they lie at tables of one layout, for dice; each is walked once."""

    def __init__(self, dice: Dice = FAIR) -> None:
        self.dice = dice
        self._layout: Layout | None = None
        #: By wager and stake: what is to be expected in each state that was met.
        self._known: dict[tuple[str, Stake], dict[State, Fraction]] = {}

    def edges(self, table: Table, player: str) -> dict[str, Fraction]:
        """By wager: what a player may expect of it, in cents, over what lies there and the
        vigorish that was paid for it. Below zero: what the house may expect.

        >>> from passline.house.files import house_for
        >>> from passline.table import commands as cmd, decide, evolve_all, open_table
        >>> table = open_table(house_for("iowa"), ("ann",))
        >>> for said in (cmd.BuyIn("ann", 10_000), cmd.Bet("ann", "pass", 1000)):
        ...     table = evolve_all(table, decide(table, said))
        >>> Lying().edges(table, "ann")
        {'pass': Fraction(-1400, 99)}
        """
        return {
            slug: self.edge(table, slug, stake) for slug, stake in table.wagers_of(player).items()
        }

    def edge(self, table: Table, slug: str, stake: Stake) -> Fraction:
        """What is to be expected of one wager as it lies."""
        if table.layout is not self._layout or len(self._known) > _MOST:
            self._layout, self._known = table.layout, {}
        state, held = _state_of(table, slug, stake)
        if self.dice.level:
            state = plain_state(table.layout, state)
        known = self._known.setdefault((slug, stake), {})
        if state not in known:
            walk, numbers = walk_lying(table.layout, slug, state, held, self.dice)
            nets = expected_nets(walk)
            known |= {met: nets.get(number, _NONE) for met, number in numbers.items()}
        return known[state]


def _state_of(table: Table, slug: str, stake: Stake) -> tuple[State, bool]:
    """All that a wager's future depends on, and whether the puck is nothing to it."""
    spot, puck = table.layout.spots[slug], table.puck
    state = State(puck=puck, wagers=((slug, stake),))
    rule = spot.rule
    if not isinstance(rule, Collect):
        return state, False
    counts, totals = rule.counts.value, rule.counts.value == "totals-thrown"
    # It gathers totals, works on every throw, and any seven takes it: one puck is as good as any.
    held = totals and spot.works and rule.lost_by.value != "loser-seven"
    state = state._replace(
        puck=table.house.book.points.value[0] if held else puck,
        made=frozenset() if totals else table.made,
        thrown=table.thrown if totals else frozenset(),
        riding=table.riding & {counts},
    )
    return state, held
