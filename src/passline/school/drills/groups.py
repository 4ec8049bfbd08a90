"""Place numbers under one name, across, inside, outside: ``groups``."""

from __future__ import annotations

from typing import Any

from passline.crew.payoffs import spot_named
from passline.law.clauses import clauses_by_id
from passline.layout import Refusal
from passline.money import dollars, show_dollars
from passline.school.answers import fields_of, money_of, quoted, read_cents, read_words
from passline.school.drawing import Draws
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
    own_clauses,
)
from passline.school.scenes import table_with
from passline.table import Table, decide
from passline.table import commands as cmd
from passline.talk import RecordError, UnplayableError, understand
from passline.talk.groups import least_sum, name_group, units_of
from passline.words.wagers import layout_name

_PLAYER = "ann"
_UNITS = {1: (1, 2), 2: (1, 2, 3, 4), 3: (1, 2, 3, 4, 5, 6)}
_MOST_UNITS = 12
_MORE_UNITS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
#: The field with the numbers that it leaves out is no dealer's beginning.
_LATE = {"iron-cross": 4}
_POINT_LEVEL, _NAMED_LEVEL = 2, 3


def _pose(desk: Desk, draws: Draws) -> Question:
    groups = [n for n in desk.house.book.groups if desk.level >= _LATE.get(n, 1)]
    if not groups:
        raise NotAskedError(f"{desk.house.book.id} names no groups of place numbers")
    points = tuple(desk.house.book.points.value)
    puck = draws.pick(points) if desk.level >= _POINT_LEVEL else None
    table, name = table_with(desk, puck), draws.pick(groups)
    with_point = desk.house.book.groups[name].leaves_out_point.value is False
    if desk.level >= _NAMED_LEVEL and puck:
        with_point = draws.one_in(2)
    reading = name if not puck else f"{name}-{'with' if with_point else 'no'}-point"
    units, cite = units_of(table, reading)
    if any(slug not in desk.layout.spots for slug in units):
        raise NotAskedError(f"{name} is not all placed here")
    count = draws.pick(_counts(desk, table, units, least_sum(table, reading)))
    many = count * sum(units.values())
    wagers = {slug: unit * count for slug, unit in units.items()}
    say = _said(table, name, many, wagers)
    back = desk.level >= _NAMED_LEVEL and draws.one_in(3)
    given: dict[str, Any] = {"wagers": money_of(wagers)} if back else {"say": say}
    return Question(
        drill="groups",
        ask="What is said for these bets?" if back else "What goes on each number?",
        given={**given, "puck": puck},
        answer={"say": say} if back else {"wagers": money_of(wagers)},
        explain=tuple(_words(table, name, units, count)),
        cite=desk.cites(*_cites(desk, name, cite, wagers)),
    )


def _counts(desk: Desk, table: Table, units: dict[str, int], least: int) -> list[int]:
    """How often a unit may go on every number, as the level has it; else as often as it must."""
    each = least // sum(units.values())
    usual = [each * many for many in _UNITS.get(desk.level, _MORE_UNITS)]
    for some in (usual, [each * many for many in range(1, _MOST_UNITS)]):
        taken = [n for n in some if all(_taken(table, slug, u * n) for slug, u in units.items())]
        if taken:
            return taken
    raise NotAskedError("no group of place numbers is taken within the limits of this house")


def _taken(table: Table, slug: str, cents: int) -> bool:
    return not isinstance(decide(table, cmd.Bet(_PLAYER, slug, cents)), Refusal)


def _said(table: Table, name: str, total: int, wagers: dict[str, int]) -> str:
    """The shortest way to say it that leaves no doubt."""
    made = [cmd.Bet(_PLAYER, slug, cents) for slug, cents in wagers.items()]
    for words in (f"{show_dollars(total)} {name.replace('-', ' ')}", name_group(table, made)):
        if words and heard_bets(table, words) == wagers:
            return words
    raise NotAskedError(f"{name} is not said in one word here")


def heard_bets(table: Table, words: str, player: str = _PLAYER) -> dict[str, int] | None:
    """The bets that words are understood as, by wager; None where they are none."""
    try:
        found = understand(table, player, words)
    except (RecordError, UnplayableError):
        return None
    bets = {bet.wager: bet.amount for bet in found if isinstance(bet, cmd.Bet)}
    return bets if len(bets) == len(found) else None


def _words(table: Table, name: str, units: dict[str, int], count: int) -> list[str]:
    unit = sum(units.values())
    many = units_total = unit * count
    numbers = ", ".join(f"{show_dollars(u * 100)} on {layout_name(s)}" for s, u in units.items())
    whole, _ = units_of(table, f"{name}-with-point" if table.puck else name)
    left = len(units) < len(whole)  # a point that is none of the group's is not left out of it
    point = f", the point {table.puck} left out" if left else ""
    return [
        f"a unit {name.replace('-', ' ')}{point} is {show_dollars(unit * 100)}: {numbers}",
        f"{show_dollars(units_total)} is {many // (unit * 100)} of them"
        if many % (unit * 100) == 0
        else f"{show_dollars(units_total)} in all",
    ]


def _cites(desk: Desk, name: str, first: str, wagers: dict[str, int]) -> list[str]:
    """The clause of this very sum, where the book has one; and that of the group."""
    known = clauses_by_id(desk.house.book.id)
    rule = desk.house.book.groups[name]
    figures = {"amount": str(sum(wagers.values()) // 100)}
    for slug, cents in wagers.items():
        figures[str(desk.layout.spots[slug].number or slug)] = str(cents // 100)
    exact = [
        clause
        for clause in rule.unit.clauses
        if clause in known and figures_of(known[clause].figures) == figures
    ]
    if not rule.unit.clauses:  # a custom: what the book has is the wagers themselves
        spots = [desk.layout.spots[slug] for slug in wagers]
        return [clause for spot in spots for clause in own_clauses(spot)]
    return [*exact, first, rule.leaves_out_point.cite, *rule.unit.clauses[:1]]


def figures_of(text: str) -> dict[str, str]:
    """The figures of a clause, by name: ``amount=22; 5=5``."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    table = table_with(desk, question.given["puck"])
    if "say" in question.answer:
        return _mark_said(table, question, answer)
    return mark_wagers(desk, question, fields_of(answer, "wagers").get("wagers", answer))


def _mark_said(table: Table, question: Question, answer: Any) -> Mark:
    words = read_words(fields_of(answer, "say").get("say"), "say")
    want = {slug: read_cents(a, slug) for slug, a in question.given["wagers"].items()}
    found, right = heard_bets(table, words), question.answer["say"]
    if found == want:
        return Mark(True, f"{quoted(words)} is these very bets")
    if found is None:
        return Mark(False, f"{quoted(words)} is not understood as bets: say '{right}'")
    return Mark(False, f"{quoted(words)} is {_listed(found)}; say '{right}'; {question.explain[0]}")


def mark_wagers(desk: Desk, question: Question, value: object) -> Mark:
    """Amounts by wager, against those of the answer; ``place-6`` and ``6`` are place 6 too."""
    if not isinstance(value, dict) or not value:
        raise UnreadableAnswerError("expected wagers: an amount for each, by wager")
    found: dict[str, int] = {}
    for key, amount in value.items():
        name = f"place-win-{key}" if key.isdecimal() else key
        spot = spot_named(desk.layout, name)
        if spot is None:
            raise UnreadableAnswerError(f"{quoted(key)} is no wager here")
        found[spot.slug] = read_cents(amount, spot.slug)
    want = {slug: read_cents(a, slug) for slug, a in question.answer["wagers"].items()}
    if found == want:
        return Mark(True, _listed(want))
    wrong = [slug for slug in {**want, **found} if want.get(slug, 0) != found.get(slug, 0)]
    first = wrong[0]
    due = f"{layout_name(first)} gets {dollars(want.get(first, 0))}, not "
    due += dollars(found.get(first, 0))
    return Mark(False, f"{due}; {_listed(want)}; {question.explain[0]}")


def _listed(wagers: dict[str, int]) -> str:
    return ", ".join(f"{layout_name(slug)} {show_dollars(a)}" for slug, a in wagers.items())


DRILL = Drill(
    name="groups",
    trains="across, inside and outside: what goes on each number",
    pose=_pose,
    mark=_mark,
)
