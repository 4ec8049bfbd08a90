"""Describe what a wager pays, and list the clauses that set its pay."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from passline.game.dice.dice import OUTCOMES, TOTALS, parse_faces
from passline.game.house.house import House
from passline.game.house.payouts import find_pay_lines, find_stage_lines
from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.point_seven import PointSeven
from passline.game.law.shapes.staged import StagedWager
from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.spots import Spot
from passline.game.money.amounts import Odds
from passline.game.words.wagers import describe_roll, describe_stages
from passline.text import join_words


class PayLine(msgspec.Struct, frozen=True):
    """A line of a payout card, such as ``2 to 1 on 2 and 12``, with its clauses.

    ``on`` names the throws that pay these odds; it is empty if any win does.
    """

    odds: str
    on: str
    cites: tuple[str, ...]

    def __str__(self) -> str:
        """Return the line as a payout card has it, such as ``2 to 1 on 2 and 12``."""
        return f"{self.odds} on {self.on}" if self.on else self.odds


def list_pay_lines(house: House, spot: Spot) -> tuple[PayLine, ...]:
    """Return what the wager ``spot`` pays, as lines such as ``2 to 1 on 2 and 12``.

    For a wager on faces of the dice, the line that is paid most often comes first.
    """
    if isinstance(spot.rule, Collect):
        return _tier_lines(spot, spot.rule)
    if spot.is_odds and not spot.number:
        return _lines_by_point(house, spot)
    if isinstance(spot.rule, PointSeven):
        return _lines_by_roll(house, spot, spot.rule)
    if isinstance(spot.rule, StagedWager):
        return _lines_by_stage(house, spot, spot.rule)
    return _lines_by_faces(spot)


def describe_pays(lines: Iterable[PayLine]) -> str:
    """Return all pay lines in one text, separated by semicolons."""
    return "; ".join(map(str, lines))


def _tier_lines(spot: Spot, rule: Collect) -> tuple[PayLine, ...]:
    top = max(spot.tiers)
    found = []
    for count, (odds, cite) in sorted(spot.tiers.items()):
        more = " or more" if count == top and rule.goes_beyond(top) else ""
        on = rule.describe_count(count, more) if count else ""
        found.append(PayLine(str(odds), on, (cite,)))
    return tuple(found)


def _lines_by_roll(house: House, spot: Spot, rule: PointSeven) -> tuple[PayLine, ...]:
    """Return the pay lines of Muggsy's Corner (a bet on seven): on the come-out, and later."""
    lines = find_pay_lines(house, spot.slug, rule, 0)
    return tuple(PayLine(str(odds), describe_roll(rule, pay), (pay.cite,)) for pay, odds in lines)


def _lines_by_stage(house: House, spot: Spot, rule: StagedWager) -> tuple[PayLine, ...]:
    """Return the pay lines of a side bet that pays by how far it has come (its stage).

    A stage may be the number of pass wins so far. Stages that pay the same share a line.
    """
    groups: dict[Odds, list[tuple[int, str]]] = {}
    for stage, pay, odds in find_stage_lines(house, spot.family, rule):
        if spot.number in (0, stage):
            groups.setdefault(odds, []).append((stage, pay.cite))
    return tuple(
        PayLine(
            str(odds) if odds.win else "push",
            describe_stages(rule, [stage for stage, _ in at]),
            _distinct(cite for _, cite in at),
        )
        for odds, at in groups.items()
    )


def pay_line_on_point(house: House, spot: Spot, point: int) -> PayLine:
    """Return what the odds wager ``spot`` behind a line bet pays on one point, as a ``PayLine``."""
    cite = find_pay_lines(house, spot.slug, spot.rule, point)[0][0].cite
    return PayLine(str(find_odds_price(spot, point)), str(point), (cite,))


def _lines_by_point(house: House, spot: Spot) -> tuple[PayLine, ...]:
    groups: dict[str, list[PayLine]] = {}
    for point in sorted(spot.by_puck):
        line = pay_line_on_point(house, spot, point)
        groups.setdefault(line.odds, []).append(line)
    return tuple(
        PayLine(
            odds,
            join_words(line.on for line in lines),
            _distinct(c for line in lines for c in line.cites),
        )
        for odds, lines in groups.items()
    )


def _lines_by_faces(spot: Spot) -> tuple[PayLine, ...]:
    faces: dict[str, set[int]] = {}
    cites: dict[str, list[str]] = {}
    for table in dict.fromkeys(spot.tables):
        for index, verdict in enumerate(table):
            if verdict is not None and verdict.result == "win" and verdict.odds:
                faces.setdefault(verdict.odds, set()).add(index)
                cites.setdefault(verdict.odds, []).append(verdict.cite)
    if len(faces) == 1:
        return tuple(PayLine(odds, "", _distinct(cites[odds])) for odds in faces)
    order = sorted(faces, key=lambda odds: -len(faces[odds]))
    return tuple(
        PayLine(odds, join_words(name_faces(faces[odds])), _distinct(cites[odds])) for odds in order
    )


def _distinct(cites: Iterable[str]) -> tuple[str, ...]:
    """Return the clauses without duplicates, in their order."""
    return tuple(dict.fromkeys(cites))


def name_faces(indices: set[int]) -> list[str]:
    """Return names of dice outcomes: a total if all its outcomes are included, otherwise the faces.

    ``indices`` are outcome numbers, 0 to 35.

    >>> name_faces(set(parse_faces(7)) | set(parse_faces("1-5")))
    ['7', '1-5']
    """
    whole = [total for total in TOTALS if parse_faces(total) <= indices]
    rest = indices - frozenset().union(*map(parse_faces, whole))
    dice = sorted({tuple(sorted(OUTCOMES[index])) for index in rest})
    return [*map(str, whole), *(f"{low}-{high}" for low, high in dice)]


def find_option(house: House, spot: Spot) -> str | None:
    """Return the house option that a wager or its pay depends on, such as ``offers.fire=A``.

    Return None if it depends on none.
    """
    lines = find_pay_lines(house, spot.slug, spot.rule, spot.number)
    elected = next((pay.elect for pay, _ in lines if pay.elect), "")
    if elected:
        return f"offers.{elected}"
    key = f"offers.{spot.rule.offer}"
    elective = house.book.elect.get(key) if spot.rule.offer else None
    return f"{key}=true" if elective is not None and elective.default.value is False else None


def describe_multiple(house: House, laid: bool) -> str:
    """Return the odds multiple in words: ``10``, ``3-4-5``, or one for each number.

    It is how many times the flat bet the odds may be at most. ``laid`` selects the multiple for
    odds laid (behind don't bets), not taken.
    """
    from passline.game.house.elections import show_value
    from passline.game.house.house import three_four_five_multiples

    multiples = house.laid_multiples if laid else house.taken_multiples
    if len(set(multiples.values())) == 1:
        return show_value(next(iter(multiples.values())))
    if multiples == three_four_five_multiples(house.book):
        return "3-4-5"
    groups: dict[str, list[int]] = {}
    for number, times in multiples.items():
        groups.setdefault(show_value(times), []).append(number)
    return ", ".join(f"{times} on {join_words(numbers)}" for times, numbers in groups.items())
