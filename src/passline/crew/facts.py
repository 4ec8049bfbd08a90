"""What a roll means for the table, as data from which the stick's call is made.

This module knows no rule. The engine's settlements say what happened to wagers that were up, and
the layout's tables of results say what the roll means for wagers that nobody has up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from passline.game.dice.dice import SEVEN, outcome_index, outcome_total, parse_faces
from passline.game.law.wagers import CallPlace, Face
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement
from passline.game.table.events import Rolled
from passline.game.table.state import Table

#: What a roll did to the round: no point, a point set, no decision, point made, seven-out.
Occasion = Literal["come-out", "established", "intermediate", "made", "seven-out"]
#: An occasion, with both decisions as one.
Phase = Literal["come-out", "established", "intermediate", "decision"]
#: Facts about the roll itself.
Mark = Literal["craps", "winner", "out", "hard", "easy", "off-and-on"]

#: Areas of the layout with wagers that a come-out roll decides only if they are working.
_OFF_ON_COME_OUT: tuple[CallPlace, ...] = ("boxes", "numbers", "hardways")
_CALLED_RESULTS = frozenset(["win", "lose", "push", "travel"])


class Effect(msgspec.Struct, frozen=True):
    """What a roll does to the wagers in one area of the layout (`place`), such as the line.

    `wagers` and `players` are the wagers that were up and settled, and their owners. They are empty
    if no wager was up there. `odds` is what the field pays.
    """

    place: CallPlace
    result: str
    wagers: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    odds: str = ""

    @property
    def key(self) -> str:
        """Return the effect's name in the phrase files, such as `line.win` or `behind.lose`."""
        return f"{self.place}.{self.result}"

    @property
    def is_up(self) -> bool:
        """Return whether a wager was up in this area."""
        return bool(self.wagers)


class RollFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one roll of the faces `first` and `second`, for the stick's call.

    `point` is the point before the roll, `puck` the point after it; 0 means no point. `marks` are
    facts about the roll itself, such as "hard" or "winner", and `effects` what it does to each area
    of the layout. With `special`, no player had a line bet and the roll only decided come wagers.
    """

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
        """Return the total of the two dice."""
        return self.first + self.second

    @property
    def phase(self) -> Phase:
        """Return the kind of roll: `occasion`, or "decision" for a point made and a seven-out."""
        if self.occasion == "made" or self.occasion == "seven-out":
            return "decision"
        return self.occasion

    def find_effect(self, key: str) -> Effect | None:
        """Return the effect with a key such as `field.win` (area and result), or None."""
        return next((effect for effect in self.effects if effect.key == key), None)


def find_occasion(rolled: Rolled) -> Occasion:
    """Return which kind of roll this was, such as come-out or seven-out.

    >>> find_occasion(Rolled(3, 3, "ann", 0, 6, ())), find_occasion(Rolled(4, 3, "ann", 6, 0, ()))
    ('established', 'seven-out')
    """
    if not rolled.was:
        return "established" if rolled.puck else "come-out"
    if rolled.puck:
        return "intermediate"
    return "seven-out" if rolled.first + rolled.second == SEVEN else "made"


def find_place(layout: Layout, spot: Spot) -> CallPlace:
    """Return the area of the layout that the stick names for a wager, such as "line" or "boxes".

    Odds count as in the area of their flat wager.
    """
    return spot.rule.find_call_place(layout.house.book, spot.number)


def find_roll_facts(table: Table, rolled: Rolled) -> RollFacts:
    """Return the facts of a roll. `table` is the table before it.

    Raise ValueError if the roll belongs to another table: its point or its wagers differ.
    """
    if table.point != rolled.was:
        puck = table.point
        raise ValueError(f"the roll had the puck at {rolled.was}, the table has it at {puck}")
    index = outcome_index(rolled.first, rolled.second)
    effects = dict(_list_possible_effects(table.layout, rolled, index))
    effects.update(_list_settled_effects(table, rolled))
    if not rolled.was and "boxes.lose" in effects:
        effects["working.lose"] = _join_working_losses(effects)
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
    """Yield (key, effect) for what a roll does in each area that the stick may call without a bet.

    `index` is the throw's index in `OUTCOMES`. A key may come more than once.
    """
    for spot in layout.spots.values():
        verdict = spot.tables[rolled.was][index]
        if verdict is None:
            continue
        place = find_place(layout, spot)
        if not _is_called_without_bets(spot, place, rolled):
            continue
        effect = Effect(place, verdict.result, odds=verdict.odds or "" if place == "field" else "")
        if spot.flat and not rolled.was and not spot.works:
            effect = Effect("odds", "return")
        yield effect.key, effect


def _is_called_without_bets(spot: Spot, place: CallPlace, rolled: Rolled) -> bool:
    """Return whether the stick may call an area (`place`) even if no bet is up there.

    The center, the side wagers and the numbers are called only with a bet. The line is not called
    on a throw that only decides come bets, nor the come area on a come-out roll if a come bet needs
    a point.
    """
    if place in ("center", "side", "numbers"):
        return False
    if place in ("line", "donts"):
        return not rolled.special
    if place in ("come", "dont-come"):
        return bool(rolled.was) or spot.rule.made.value != "point"
    return True


def _list_settled_effects(table: Table, rolled: Rolled) -> dict[str, Effect]:
    """Return what a roll did to the wagers that were up, as effects by key (``Effect.key``).

    Raise ValueError if a settled wager was not up at this table.
    """
    found: dict[tuple[CallPlace, str], list[Settlement]] = {}
    for settlement in rolled.settlements:
        if settlement.wager not in table.wagers_of(settlement.player):
            if settlement.wager in table.layout.spots:
                raise ValueError(f"{settlement.player} has no {settlement.wager} at this table")
            continue  # The shootout's awards are not wagers.
        spot = table.layout.spots[settlement.wager]
        place = find_place(table.layout, spot)
        if settlement.result == "return" and spot.flat:
            place = "odds"
        elif settlement.result not in _CALLED_RESULTS:
            continue  # The excess over the maximum goes back. The rest is settled and called.
        found.setdefault((place, settlement.result), []).append(settlement)
    effects = (
        Effect(
            place=place,
            result=result,
            wagers=tuple(dict.fromkeys(settlement.wager for settlement in those)),
            players=tuple(dict.fromkeys(settlement.player for settlement in those)),
            odds=(those[0].odds or "") if place == "field" else "",
        )
        for (place, result), those in found.items()
    )
    return {effect.key: effect for effect in effects}


def _join_working_losses(effects: dict[str, Effect]) -> Effect:
    """Return one effect `working.lose` for all working wagers that lose on a come-out roll.

    The wagers are the bets in the boxes, on the numbers and on the hardways, which are usually off
    then.
    """
    taken = [effects[f"{p}.lose"] for p in _OFF_ON_COME_OUT if f"{p}.lose" in effects]
    wagers = tuple(wager for effect in taken for wager in effect.wagers)
    players = tuple(dict.fromkeys(name for effect in taken for name in effect.players))
    return Effect("working", "lose", wagers, players=players)


def _list_marks(
    layout: Layout, rolled: Rolled, index: int, effects: dict[str, Effect]
) -> Iterator[Mark]:
    if "line.win" in effects:
        yield "winner"
    if rolled.was and "line.lose" in effects:
        yield "out"
    for spot in layout.spots.values():
        rule, verdict = spot.rule, spot.tables[0][index]
        if rule.is_hardway and outcome_total(index) in _find_totals(rule.winning_faces):
            yield "hard" if rolled.first == rolled.second else "easy"
        right = rule.is_line and not rule.wins_on_seven
        if right and verdict is not None and verdict.result == "lose":
            yield "craps"
    # A player's new come wager goes to the number on which his old one just won.
    gone = {(s.player, s.to) for s in rolled.settlements if s.result == "travel"}
    won = {(s.player, s.wager) for s in rolled.settlements if s.result == "win"}
    if gone & won:
        yield "off-and-on"


@cache
def _find_totals(faces: tuple[Face, ...]) -> frozenset[int]:
    return frozenset(outcome_total(index) for face in faces for index in parse_faces(face))
