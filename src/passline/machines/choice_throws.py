"""What a throw does to wagers as they lie: asked of ``settle`` once, and kept."""

from __future__ import annotations

from passline.dice import OUTCOMES, Dice
from passline.layout import Layout, Throw, remaining, settle
from passline.machines.choice_moves import LyingWagers
from passline.machines.seat import PLAYER, State, shooter_bets, table_at, throw_dice


class ChoiceThrows:
    """The throws of some dice at a layout."""

    def __init__(self, layout: Layout, dice: Dice) -> None:
        self.layout = layout
        self._dice = dice
        self._pucks: dict[int, tuple[int, ...]] = {}
        self._groups: dict[object, tuple[tuple[int, int], ...]] = {}
        self._fates: dict[object, tuple[int, LyingWagers]] = {}

    def fate(self, puck: int, wagers: LyingWagers, index: int) -> tuple[int, LyingWagers]:
        """What a throw brings to the rail of these wagers, and what it leaves."""
        key = puck, wagers, index
        found = self._fates.get(key)
        if found is None:
            held = dict(wagers)
            throw = Throw(index, sum(OUTCOMES[index]), puck)
            settled = settle(self.layout, PLAYER, held, throw)
            left = tuple(sorted(remaining(held, settled).items()))
            found = self._fates[key] = sum(done.back for done in settled), left
        return found

    def pucks_after(self, puck: int) -> tuple[int, ...]:
        """The puck after each of the 36 outcomes."""
        if puck not in self._pucks:
            table = shooter_bets(table_at(self.layout, State(puck)))
            self._pucks[puck] = tuple([throw_dice(table, *faces)[0].puck for faces in OUTCOMES])
        return self._pucks[puck]

    def alike(self, puck: int, slugs: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
        """Throws that do something of their own (one of each), and what those weigh together."""
        if (puck, slugs) not in self._groups:
            tables = [self.layout.spots[slug].tables[puck] for slug in slugs]
            found: dict[object, tuple[int, int]] = {}
            pucks = self.pucks_after(puck)
            for index, weight in enumerate(self._dice.weights):
                key = pucks[index], tuple([rows[index] for rows in tables])
                first, before = found.get(key, (index, 0))
                found[key] = first, before + weight
            self._groups[puck, slugs] = tuple(found.values())
        return self._groups[puck, slugs]
