"""What a throw means for the table, as data: what the stick has to say, before any words.

Nothing here knows a rule. What happened to wagers that were up comes from the engine's settlements;
what the throw would mean for the others from the layout's verdicts. Which total is craps, which is
barred and what the field pays are the house's, never this module's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from passline.game.dice.dice import SEVEN, outcome_index, outcome_total, parse_faces
from passline.game.law.shapes.hardway import Hardway
from passline.game.law.shapes.line import Line
from passline.game.law.wagers import CallPlace
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement
from passline.game.table.events import Rolled
from passline.game.table.state import Table

#: A roll's place in the round: nothing set, the point set, a point up and not decided, made, out.
Occasion = Literal["come-out", "established", "intermediate", "made", "seven-out"]
#: The same, both decisions as one.
Phase = Literal["come-out", "established", "intermediate", "decision"]
#: What is so of the throw itself.
Mark = Literal["craps", "winner", "out", "hard", "easy", "off-and-on"]

#: Wagers that a come-out roll decides only if they work then.
_OFF_ON_COME_OUT: tuple[CallPlace, ...] = ("boxes", "numbers", "hardways")
_CALLED_RESULTS = frozenset(["win", "lose", "push", "travel"])


class Effect(msgspec.Struct, frozen=True):
    """What the throw does at one place.

    ``wagers`` and ``players`` are those that were up and settled so; none: it is what the layout
    has for a wager there, were one up. ``odds`` is what the field pays.
    """

    place: CallPlace
    result: str
    wagers: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    odds: str = ""

    @property
    def key(self) -> str:
        """``line.win``, ``behind.lose``: the name that phrases go by."""
        return f"{self.place}.{self.result}"

    @property
    def up(self) -> bool:
        """Whether a wager was up there."""
        return bool(self.wagers)


class RollFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A throw for those who call it. ``point`` is the point before it, ``puck`` the one after."""

    first: int
    second: int
    occasion: Occasion
    point: int
    puck: int
    marks: frozenset[Mark]
    effects: tuple[Effect, ...]
    special: bool = False

    @property
    def total(self) -> int:
        """The two upper faces."""
        return self.first + self.second

    @property
    def phase(self) -> Phase:
        """The occasion, whether the point was made or the seven came."""
        if self.occasion == "made" or self.occasion == "seven-out":
            return "decision"
        return self.occasion

    def effect(self, key: str) -> Effect | None:
        """The effect of that name (``field.win``), if the throw has it."""
        return next((effect for effect in self.effects if effect.key == key), None)

    def up(self, key: str) -> bool:
        """Whether a wager that was up met that."""
        found = self.effect(key)
        return found is not None and found.up


def find_occasion(rolled: Rolled) -> Occasion:
    """Where the game stood, and what the throw did to it.

    >>> find_occasion(Rolled(3, 3, "ann", 0, 6, ())), find_occasion(Rolled(4, 3, "ann", 6, 0, ()))
    ('established', 'seven-out')
    """
    if not rolled.was:
        return "established" if rolled.puck else "come-out"
    if rolled.puck:
        return "intermediate"
    return "seven-out" if rolled.first + rolled.second == SEVEN else "made"


def find_place(layout: Layout, spot: Spot) -> CallPlace:
    """Where a wager lies; odds lie with their flat."""
    return spot.rule.find_call_place(layout.house.book, spot.number)


def find_roll_facts(table: Table, rolled: Rolled) -> RollFacts:
    """What a throw meant, given the table as it stood before it.

    A throw from another table is a programmer's mistake: the pucks disagree, or a wager was settled
    that nobody had.
    """
    if table.puck != rolled.was:
        raise ValueError(f"thrown with the puck at {rolled.was}, not at {table.puck}")
    index = outcome_index(rolled.first, rolled.second)
    effects = dict(_list_possible_effects(table.layout, rolled, index))
    effects.update(_list_settled_effects(table, rolled))
    effects.update(_list_working_losses(rolled, effects))
    return RollFacts(
        first=rolled.first,
        second=rolled.second,
        occasion=find_occasion(rolled),
        point=rolled.was,
        puck=rolled.puck,
        marks=frozenset(_list_marks(table.layout, rolled, index, effects)),
        effects=tuple(effects.values()),
        special=rolled.special,
    )


def _list_possible_effects(
    layout: Layout, rolled: Rolled, index: int
) -> Iterator[tuple[str, Effect]]:
    """What the layout has for a wager at each place, whether or not one is up."""
    for spot in layout.spots.values():
        verdict = spot.tables[rolled.was][index]
        if verdict is None:
            continue
        place = find_place(layout, spot)
        if not _can_be_up(spot, place, rolled):
            continue
        if spot.flat and not rolled.was and not spot.works:
            yield "odds.return", Effect("odds", "return")
            continue
        odds = verdict.odds or "" if place == "field" else ""
        effect = Effect(place, verdict.result, odds=odds)
        yield effect.key, effect


def _can_be_up(spot: Spot, place: CallPlace, rolled: Rolled) -> bool:
    """Whether the phase leaves room for it: no new come on a come-out, no line on a special roll.

    What is in the center or beside the table is called only where it is up.
    """
    if place in ("center", "side", "numbers"):
        return False
    if place in ("line", "donts"):
        return not rolled.special
    if place in ("come", "dont-come"):
        return bool(rolled.was) or spot.rule.made.value != "point"
    return True


def _list_settled_effects(table: Table, rolled: Rolled) -> dict[str, Effect]:
    """What happened to the wagers that were up."""
    found: dict[str, list[Settlement]] = {}
    places: dict[str, CallPlace] = {}
    for done in rolled.settlements:
        if done.wager not in table.wagers_of(done.player):
            if done.wager in table.layout.spots:
                raise ValueError(f"{done.player} has no {done.wager} at this table")
            continue  # the shootout's awards are no wagers
        spot = table.layout.spots[done.wager]
        place = find_place(table.layout, spot)
        if done.result == "return" and spot.flat:
            place = "odds"
        elif done.result not in _CALLED_RESULTS:
            continue  # what was over the maximum goes back: the rest is settled, and told
        found.setdefault(f"{place}.{done.result}", []).append(done)
        places[f"{place}.{done.result}"] = place
    return {
        key: Effect(
            place=places[key],
            result=those[0].result,
            wagers=tuple(dict.fromkeys(done.wager for done in those)),
            players=tuple(dict.fromkeys(done.player for done in those)),
            odds=(those[0].odds or "") if places[key] == "field" else "",
        )
        for key, those in found.items()
    }


def _list_working_losses(
    rolled: Rolled, effects: dict[str, Effect]
) -> Iterator[tuple[str, Effect]]:
    """A come-out roll that takes wagers on the numbers: those that work have action."""
    if rolled.was or "boxes.lose" not in effects:
        return
    taken = [effects[f"{p}.lose"] for p in _OFF_ON_COME_OUT if f"{p}.lose" in effects]
    yield (
        "working.lose",
        Effect(
            place="working",
            result="lose",
            wagers=tuple(wager for effect in taken for wager in effect.wagers),
            players=tuple(dict.fromkeys(name for effect in taken for name in effect.players)),
        ),
    )


def _list_marks(
    layout: Layout, rolled: Rolled, index: int, effects: dict[str, Effect]
) -> Iterator[Mark]:
    if "line.win" in effects:
        yield "winner"
    if rolled.was and "line.lose" in effects:
        yield "out"
    for spot in layout.spots.values():
        rule, verdict = spot.rule, spot.tables[0][index]
        if isinstance(rule, Hardway) and outcome_total(index) in _find_totals(rule.win.value):
            yield "hard" if rolled.first == rolled.second else "easy"
        right = isinstance(rule, Line) and rule.wins.value == "number"
        if right and verdict is not None and verdict.result == "lose":
            yield "craps"
    if _is_off_and_on(rolled):
        yield "off-and-on"


@cache
def _find_totals(faces: tuple[str, ...]) -> frozenset[int]:
    return frozenset(outcome_total(index) for face in faces for index in parse_faces(face))


def _is_off_and_on(rolled: Rolled) -> bool:
    """Whether a player's come goes to the number on which the same player's come just won."""
    gone = {(s.player, s.to) for s in rolled.settlements if s.result == "travel"}
    won = {(s.player, s.wager) for s in rolled.settlements if s.result == "win"}
    return bool(gone & won)
