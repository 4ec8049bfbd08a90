"""The exact expected value of the bets on a layout, if they are played out.

To play them out is to bet nothing more, to take each bet down at its first decision, and to let
bets that are off wait.
"""

from __future__ import annotations

from fractions import Fraction

from passline.game.dice.dice import FAIR, Dice
from passline.game.law.shapes.collect import Collect
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Stake
from passline.game.table.state import Table
from passline.lab.exact.bet_decisions import find_expected_nets
from passline.lab.machines.bet_walks import find_canonical_state, walk_open_bet
from passline.lab.machines.next_states import State

_ZERO = Fraction(0)
#: The most bets whose solutions are stored.
_MAX_CACHED = 5_000


class OpenBetValuer:
    """Computes and caches the expected value of open bets, at tables with one layout and dice."""

    def __init__(self, dice: Dice = FAIR) -> None:
        self.dice = dice
        self._layout: Layout | None = None
        #: For each wager and stake: the expected value in each state that its walk reaches.
        self._known: dict[tuple[str, Stake], dict[State, Fraction]] = {}

    def edges(self, table: Table, player: str) -> dict[str, Fraction]:
        r"""Return a dict from each of the player's bets to its expected return less its cost.

        Amounts are in cents. The cost is the stake and prepaid vigorish. The value is negative if
        the house expects to win.

        >>> from passline.record.deal import deal_text
        >>> game = "rulebook: iowa\nplayer: ann 100\nann: pass for 10"
        >>> table = deal_text(game).table
        >>> OpenBetValuer().edges(table, "ann")
        {'pass': Fraction(-1400, 99)}
        """
        return {
            slug: self.edge(table, slug, stake) for slug, stake in table.wagers_of(player).items()
        }

    def edge(self, table: Table, slug: str, stake: Stake) -> Fraction:
        """Return the expected return of one bet less its stake and prepaid vigorish, in cents.

        The bet need not be up at the table: the puck and what has been collected come from there.
        """
        if table.layout is not self._layout or len(self._known) > _MAX_CACHED:
            self._layout, self._known = table.layout, {}
        state, puck_fixed = _wager_state(table, slug, stake)
        if self.dice.level:
            state = find_canonical_state(table.layout, state)
        known = self._known.setdefault((slug, stake), {})
        if state not in known:
            walk, numbers = walk_open_bet(table.layout, slug, state, puck_fixed, self.dice)
            nets = find_expected_nets(walk)
            known |= {met: nets.get(number, _ZERO) for met, number in numbers.items()}
        return known[state]


def _wager_state(table: Table, slug: str, stake: Stake) -> tuple[State, bool]:
    """Return (state, puck_stays): how to start playing out one bet of a table.

    ``slug`` and ``stake`` are the bet. The state is all that its future depends on. If
    ``puck_stays`` is true, no roll moves the puck, because the bet does not depend on it.
    """
    spot, puck = table.layout.spots[slug], table.point
    state = State(puck=puck, wagers=((slug, stake),))
    rule = spot.rule
    if not isinstance(rule, Collect):
        return state, False
    counts = rule.counts.value
    puck_fixed = spot.works and not rule.follows_puck  # The puck does not matter then.
    state = state._replace(
        puck=table.house.book.points.value[0] if puck_fixed else puck,
        made=table.made if counts == "points-made" else frozenset(),
        thrown=table.thrown if counts == "totals-thrown" else frozenset(),
        riding=table.riding & {rule.find_riding_key(slug)},
        tallies=tuple((key, tally) for key, tally in table.tallies if key == slug),
    )
    return state, puck_fixed
