"""Whether nothing on a menu favours the player: what bounds every play's chance of a goal."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from passline.dice import Dice
from passline.law.wagers import OddsRule
from passline.layout import Stake, Wagers
from passline.machines.choices import Choices
from passline.machines.seat import State

#: Rounds of rolls that wagers are followed for, and the cents of an edge that count as none.
_ROUNDS, _NONE = 5_000, 1e-6


class _Lies(NamedTuple):
    """A wager as it lies, with the puck."""

    puck: int
    slug: str
    stake: Stake


class _Onward(NamedTuple):
    """What may become of it: by the throws (chance, cents back, what is left), or by taking some
    or all of it down (cents back, what is left)."""

    throws: tuple[tuple[float, int, _Lies | None], ...]
    downs: tuple[tuple[int, _Lies | None], ...]


def favours_nobody(choices: Choices, dice: Dice) -> bool:
    """Whether no wager of a menu, however it is made, changed and taken down, is worth more to the
    player than it takes.

    Let M be the most that can be expected back of a wager as it lies, by leaving it, reducing it
    or taking it down at the best times. Where making or raising one never adds more to M than it
    takes from the rail, F = rail + the sum of M over what is up does not grow on average whatever
    is done: M is at least its mean after a throw, and at least what a change brings. F is the
    bankroll B at first, never below nought, and the goal G or more where that is reached; so the
    chance of G from B is at most B / G (optional stopping).
    """
    walk = _Edges(choices, dice)
    worth: dict[_Lies | None, float] = {None: 0.0, **dict.fromkeys(walk.onward, 0.0)}
    for _ in range(_ROUNDS):
        change = 0.0
        for lies, onward in walk.onward.items():
            most = sum(p * (back + worth[then]) for p, back, then in onward.throws)
            for back, then in onward.downs:
                most = max(most, back + worth[then])
            if most > worth[lies]:
                change = max(change, most - worth[lies])
                worth[lies] = most
        if change < _NONE / 100:
            break
    return all(worth[after] - worth[before] <= cost + _NONE for before, after, cost in walk.asked)


class _Edges:
    """Every wager of a menu by itself, from its making on."""

    def __init__(self, choices: Choices, dice: Dice) -> None:
        self._choices, self._dice = choices, dice
        self.onward: dict[_Lies, _Onward] = {}
        #: What is made or raised: from what (None: nothing), to what, for how much.
        self.asked: list[tuple[_Lies | None, _Lies, int]] = []
        self._waiting: list[_Lies] = []
        self._known: set[_Lies] = set()
        layout = choices.layout
        for puck in (0, *layout.house.book.points.value):
            for slug in sorted(choices.menu):
                for move in choices.moves(State(puck), self._around(slug), slug):
                    for made, stake in move.after:
                        if stake is not None:
                            self.asked.append((None, self._seen(puck, made, stake), move.cost))
        while self._waiting:
            lies = self._waiting.pop()
            self.onward[lies] = self._spread(lies)

    def _around(self, slug: str) -> Wagers:
        """A flat wager that odds may stand behind, as large as any: odds are the same behind it."""
        spot = self._choices.layout.spots[slug]
        most = self._choices.most + 1
        return {spot.flat: Stake(most, most)} if isinstance(spot.rule, OddsRule) else {}

    def _seen(self, puck: int, slug: str, stake: Stake) -> _Lies:
        # What odds are measured by is worth nothing by itself.
        lies = _Lies(puck, slug, replace(stake, flat=stake.amount))
        if lies not in self._known:
            self._known.add(lies)
            self._waiting.append(lies)
        return lies

    def _spread(self, lies: _Lies) -> _Onward:
        choices, (puck, slug, stake) = self._choices, lies
        found: dict[tuple[int, _Lies | None], float] = {}
        pucks = choices.pucks_after(puck)
        for index, weight in enumerate(self._dice.weights):
            back, left = choices.fate(puck, ((slug, stake),), index)
            then = self._seen(pucks[index], *left[0]) if left else None
            found[back, then] = found.get((back, then), 0.0) + weight / self._dice.whole
        throws = tuple((p, back, then) for (back, then), p in found.items())
        return _Onward(throws, tuple(self._downs(lies)))

    def _downs(self, lies: _Lies) -> list[tuple[int, _Lies | None]]:
        choices, (puck, slug, stake) = self._choices, lies
        around = self._around(slug)
        wagers = tuple(sorted({**around, slug: stake}.items()))
        place, gain = choices.free(State(puck, wagers))
        if slug not in dict(place.wagers):  # made and taken down at will: as good as chips
            if around and around.keys() - dict(place.wagers).keys():
                gain -= sum(flat.amount for flat in around.values())
            return [(gain, None)]
        downs: list[tuple[int, _Lies | None]] = []
        for after, cost in choices.moves(State(puck), dict(wagers), slug):
            then = dict(after).get(slug)
            lies_then = None if then is None else self._seen(puck, slug, then)
            if cost > 0 and lies_then is not None:
                self.asked.append((lies, lies_then, cost))
            else:
                downs.append((-cost, lies_then))
        return downs
