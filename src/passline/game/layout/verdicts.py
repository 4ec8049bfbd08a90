"""The odds and the clause for each face, from the payout lines that a house has in force.

From a rule to its verdict tables: the only place where shapes are given their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from passline.game.dice.dice import OUTCOMES, SEVEN, outcome_total, parse_faces
from passline.game.house.payouts import find_pay_lines
from passline.game.law.wagers import (
    Come,
    Composite,
    Decider,
    Face,
    Hardway,
    Line,
    OddsRule,
    OneRoll,
    PayLine,
    Race,
)
from passline.game.layout.spots import Verdict, VerdictTable
from passline.game.money.amounts import Odds

__all__ = [
    "find_pay_lines",
    "odds_by_face",
]


def odds_by_face(lines: list[tuple[PayLine, Odds]]) -> dict[int, tuple[Odds, str]]:
    """The odds and the clause for each dice index, where lines name faces (or none: all)."""
    table: dict[int, tuple[Odds, str]] = {}
    for pay, odds in lines:
        faces = frozenset(range(36)) if not pay.on else frozenset().union(*map(parse_faces, pay.on))
        for index in faces:
            table.setdefault(index, (odds, pay.cite))
    return table


PUCKS = range(13)  # 0: off; else the point
NO_VERDICTS: VerdictTable = (None,) * 36

PricedFaces = dict[int, tuple[Odds, str]]


def find_outcomes(tokens: Iterable[Face]) -> frozenset[int]:
    """The dice indices that totals and combinations stand for."""
    return frozenset().union(*map(parse_faces, tokens))


def _win_verdict(priced: PricedFaces, index: int) -> Verdict:
    odds, cite = priced[index]
    return Verdict(result="win", win=odds.win, per=odds.stake, odds=str(odds), cite=cite)


def _lose_verdict(cite: str) -> Verdict:
    return Verdict(result="lose", win=0, per=1, odds=None, cite=cite)


def repeat_for_pucks(table: VerdictTable) -> tuple[VerdictTable, ...]:
    """One table for every puck."""
    return (table,) * len(PUCKS)


def make_race_table(
    number: int, wins: Decider, loses: Decider, priced: PricedFaces, lost_by: str
) -> VerdictTable:
    """The number against the seven: whichever ``wins`` names wins, the other loses."""
    deciding = {"number": number, "seven": SEVEN}
    cells: list[Verdict | None] = []
    for index in range(36):
        total = outcome_total(index)
        if total == deciding[wins]:
            cells.append(_win_verdict(priced, index))
        elif total == deciding[loses]:
            cells.append(_lose_verdict(lost_by))
        else:
            cells.append(None)
    return tuple(cells)


def make_first_roll_table(rule: Line | Come, priced: PricedFaces, slug: str) -> VerdictTable:
    """The come-out of a line wager, or the first roll of a come wager (which may travel)."""
    win = rule.first_win.value
    lose = rule.first_lose
    push = rule.first_push
    cells: list[Verdict | None] = []
    for index in range(36):
        total = outcome_total(index)
        if total in win:
            cells.append(_win_verdict(priced, index))
        elif lose is not None and total in lose.value:
            cells.append(_lose_verdict(lose.cite))
        elif push is not None and total in push.value:
            cells.append(Verdict(result="push", win=0, per=1, odds=None, cite=push.cite))
        elif isinstance(rule, Come) and total in rule.travels.value:
            cells.append(
                Verdict(
                    result="travel",
                    win=0,
                    per=1,
                    odds=None,
                    cite=rule.travels.cite,
                    to=f"{slug}-{total}",
                )
            )
        else:
            cells.append(None)
    return tuple(cells)


def make_line_tables(
    rule: Line, points: tuple[int, ...], priced: PricedFaces
) -> tuple[VerdictTable, ...]:
    """Pass and don't pass: the come-out with the puck off, then the point against the seven."""
    come_out = make_first_roll_table(rule, priced, "")
    tables = [come_out]
    for puck in PUCKS[1:]:
        tables.append(
            make_race_table(puck, rule.wins.value, rule.loses.value, priced, rule.loses.cite)
            if puck in points
            else NO_VERDICTS
        )
    return tuple(tables)


def make_odds_table(
    rule: OddsRule, number: int, flat: Line | Come, priced: PricedFaces
) -> VerdictTable:
    """Odds go as their flat goes."""
    return make_race_table(number, flat.wins.value, flat.loses.value, priced, rule.lost_by)


def make_number_table(rule: Come | Race, number: int, priced: PricedFaces) -> VerdictTable:
    """A wager on a number of its own, whatever the puck says."""
    return make_race_table(number, rule.wins.value, rule.loses.value, priced, rule.loses.cite)


def make_face_table(rule: Hardway | OneRoll, priced: PricedFaces) -> VerdictTable:
    """Winning faces and losing faces; a one-roll wager may lose on every other face."""
    win = find_outcomes(rule.win.value)
    lost = rule.lose.value
    lose = frozenset(range(36)) - win if isinstance(lost, str) else find_outcomes(lost)
    also = rule.lose_also if isinstance(rule, Hardway) else None
    cells: list[Verdict | None] = []
    for index in range(len(OUTCOMES)):
        if index in win:
            cells.append(_win_verdict(priced, index))
        elif index in lose:
            cells.append(_lose_verdict(rule.lose.cite))
        elif also is not None and index in find_outcomes(also.value):
            cells.append(_lose_verdict(also.cite))
        else:
            cells.append(None)
    return tuple(cells)


def make_composite_table(
    rule: Composite, number: int, legs: dict[str, int], leg_tables: dict[str, VerdictTable]
) -> VerdictTable:
    """The net of the legs, each settled at its own posted odds."""
    units = sum(legs.values())
    cells: list[Verdict | None] = []
    for index in range(36):
        net = Fraction(0)
        hit = False
        for slug, count in legs.items():
            verdict = leg_tables[slug][index]
            if verdict is not None and verdict.result == "win":
                net += count * Fraction(verdict.win, verdict.per)
                hit = True
            else:
                net -= count
        cells.append(_net_verdict(rule, net / units, hit, _find_win_clause(rule, index, number)))
    return tuple(cells)


def _find_win_clause(rule: Composite, index: int, number: int) -> str:
    """The clause a winning composite names: one for all, or one for the total thrown."""
    if not isinstance(rule.won_by, dict):
        return rule.won_by[0]
    total = outcome_total(index)
    side = "high" if total == number else "low"
    first = next(iter(rule.won_by.values()))
    return rule.won_by.get(f"{total} {side}") or rule.won_by.get(str(total), first)


def _net_verdict(rule: Composite, net: Fraction, hit: bool, won_by: str) -> Verdict:
    """A composite's verdict from its net result, per unit staked."""
    if net > 0:
        posted = str(Odds(net.numerator, net.denominator))
        return Verdict(
            result="win", win=net.numerator, per=net.denominator, odds=posted, cite=won_by
        )
    if net == 0 and hit:
        return Verdict(
            result=rule.level, win=0, per=1, odds=None, cite=(rule.level_by or (won_by,))[0]
        )
    kept = 1 + net
    return Verdict(
        result="lose", win=kept.numerator, per=kept.denominator, odds=None, cite=rule.lost_by[0]
    )
