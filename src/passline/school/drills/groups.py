"""The drill ``groups``: what goes on each number for "across" and the like, or the group's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from passline.crew.cut_payoff import find_spot
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.state import Table
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name
from passline.school.answer_fields import (
    AMOUNT_TEXT,
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    format_amounts,
    normalize_dollars,
    quote_value,
    read_cents,
    read_words,
)
from passline.school.drill import Drill
from passline.school.practice_tables import make_table
from passline.school.question_types import (
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    find_wager_clauses,
)
from passline.school.seeded_random import SeededRandom
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.groups import find_group_units, find_smallest_sum, name_group
from passline.talk.understand import understand

_PLAYER = "ann"
_UNIT_COUNTS_BY_LEVEL = {1: (1, 2), 2: (1, 2, 3, 4), 3: (1, 2, 3, 4, 5, 6)}
_MAX_UNITS = 12
_HIGH_LEVEL_UNIT_COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20)
#: The iron cross (the field and the numbers that it leaves out) is too hard for the first levels.
_FIRST_LEVEL_BY_GROUP = {"iron-cross": 4}
_POINT_LEVEL, _NAMED_LEVEL = 2, 3


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    groups = [n for n in list_groups(setup) if setup.level >= _FIRST_LEVEL_BY_GROUP.get(n, 1)]
    if not groups:
        raise NoQuestionError("groups.none", book=setup.house.book.title)
    points = tuple(setup.house.book.points.value)
    puck = random.pick(points) if setup.level >= _POINT_LEVEL else None
    table, name = make_table(setup, puck), random.pick(groups)
    with_point = setup.house.book.groups[name].leaves_out_point.value is False
    if setup.level >= _NAMED_LEVEL and puck:
        with_point = random.one_in(2)
    reading = name if not puck else f"{name}-{'with' if with_point else 'no'}-point"
    units, cite = find_group_units(table, reading)
    if any(slug not in setup.layout.spots for slug in units):
        raise NoQuestionError("groups.no-number", group=name)
    count = random.pick(_list_unit_counts(setup, table, units, find_smallest_sum(table, reading)))
    many = count * sum(units.values())
    wagers = {slug: unit * count for slug, unit in units.items()}
    rule = setup.house.book.groups[name].leaves_out_point
    # The book leaves the point out, so a player who wants it says so.
    named = bool(puck) and with_point and bool(rule.value) and _has_point(table, name)
    say = _phrase_bets(table, name, many, wagers, named)
    back = setup.level >= _NAMED_LEVEL and random.one_in(3)
    given: dict[str, Any] = {"wagers": format_amounts(wagers)} if back else {"say": say}
    return Question(
        drill="groups",
        ask=say_school("groups.ask-words" if back else "groups.ask-amounts"),
        given={**given, "puck": puck},
        answer={"say": say} if back else {"wagers": format_amounts(wagers)},
        explain=(
            *_explain_units(table, name, units, count),
            *([say_school("groups.with-point", point=puck)] if named else []),
        ),
        cite=setup.cites(*_find_clauses(setup, name, cite, wagers)),
    )


def list_groups(setup: DrillSetup) -> list[str]:
    """Return the groups of the rulebook: those that it has a clause on, or all if it has none.

    A rulebook that fixes across and inside leaves an iron cross to custom, so it is not asked.
    """
    groups = setup.house.book.groups
    return [name for name, rule in groups.items() if rule.unit.clauses] or list(groups)


def _list_unit_counts(
    setup: DrillSetup, table: Table, units: dict[str, int], least: int
) -> list[int]:
    """Return how many units of a group a question may use: those that suit the level and the house.

    ``units`` is the smallest bet by wager, ``least`` the group's smallest total, both in cents.
    Raise NoQuestionError if there are none.
    """
    each = least // sum(units.values())
    usual = [
        each * many for many in _UNIT_COUNTS_BY_LEVEL.get(setup.level, _HIGH_LEVEL_UNIT_COUNTS)
    ]
    for some in (usual, [each * many for many in range(1, _MAX_UNITS)]):
        taken = [
            n for n in some if all(_is_accepted(table, slug, u * n) for slug, u in units.items())
        ]
        if taken:
            return taken
    raise NoQuestionError("groups.limits")


def _is_accepted(table: Table, slug: str, cents: int) -> bool:
    return not isinstance(decide(table, cmd.Bet(_PLAYER, slug, cents)), Refusal)


def _has_point(table: Table, name: str) -> bool:
    """Return whether the point is one of a group's numbers."""
    units, _ = find_group_units(table, f"{name}-with-point")
    return any(table.layout.spots[slug].number == table.point for slug in units)


def _phrase_bets(
    table: Table, name: str, total: int, wagers: dict[str, int], with_point: bool
) -> str:
    """Return a short phrase that means exactly these bets, such as `$32 across`.

    ``name`` is the group's, ``total`` and ``wagers`` are in cents. If ``with_point``, the phrase
    says that the point is included. Raise NoQuestionError if there is no such phrase.
    """
    made = [cmd.Bet(_PLAYER, slug, cents) for slug, cents in wagers.items()]
    plain = f"{show_dollars(total)} {name.replace('-', ' ')}"
    for words in (f"{plain} with the point",) if with_point else (plain, name_group(table, made)):
        if words and parse_bets(table, words) == wagers:
            return words
    raise NoQuestionError("groups.no-name", group=name)


def parse_bets(table: Table, words: str, player: str = _PLAYER) -> dict[str, int] | None:
    """Return the bets that a player's words mean: cents by wager.

    Return None if the words are not understood, or mean anything else than bets.
    """
    try:
        found = understand(table, player, words)
    except (RecordError, UnplayableError):
        return None
    bets = {bet.wager: bet.amount for bet in found if isinstance(bet, cmd.Bet)}
    return bets if len(bets) == len(found) else None


def _explain_units(table: Table, name: str, units: dict[str, int], count: int) -> list[str]:
    unit = sum(units.values()) * 100
    total = unit // 100 * count
    bets = [say_school("groups.bet", amount=u * 100, wager=s) for s, u in units.items()]
    whole, _ = find_group_units(table, f"{name}-with-point" if table.point else name)
    left_out = table.point if len(units) < len(whole) else 0  # It may not belong to the group.
    group, code = name.replace("-", " "), "groups.in-all" if total % unit else "groups.units"
    return [
        say_school("groups.unit", group=group, left_out=left_out, unit=unit, bets=bets),
        say_school(code, total=total, count=total // unit),
    ]


def _find_clauses(setup: DrillSetup, name: str, first: str, wagers: dict[str, int]) -> list[str]:
    """Return the ids of the clauses about a group. A clause on exactly this sum comes first.

    ``first`` is the clause about the group's unit. A group without clauses is a custom; then return
    the clauses of its wagers.
    """
    known = clauses_by_id(setup.house.book.id)
    rule = setup.house.book.groups[name]
    figures = {"amount": str(sum(wagers.values()) // 100)}
    for slug, cents in wagers.items():
        figures[str(setup.layout.spots[slug].number or slug)] = str(cents // 100)
    exact = [
        clause
        for clause in rule.unit.clauses
        if clause in known and parse_figures(known[clause].figures) == figures
    ]
    if not rule.unit.clauses:  # The group is a custom; cite the wagers instead.
        spots = [setup.layout.spots[slug] for slug in wagers]
        return [clause for spot in spots for clause in find_wager_clauses(spot)]
    return [*exact, first, rule.leaves_out_point.cite, *rule.unit.clauses[:1]]


@cache
def parse_figures(text: str) -> Mapping[str, str]:
    """Return a clause's figures by name, from text such as ``amount=22; 5=5``."""
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}


_WAGER_AMOUNT_PATTERN = re.compile(
    r"(?:place\s*)?(?:the\s+)?(?P<wager>[a-z][a-z0-9-]*|\d{1,2})"
    rf"\s*(?:for|:|=|\s)\s*(?P<amount>{AMOUNT_TEXT})"
)


def _asks_for_words(question: Question) -> bool:
    return "say" in question.answer


def _list_fields(setup: DrillSetup, question: Question) -> tuple[AnswerField, ...]:
    if _asks_for_words(question):
        return (AnswerField(name="say", kind="words"),)
    slugs = [slug for slug in setup.layout.spots if slug.startswith("place-win-")]
    choices = tuple((slug, layout_name(slug)) for slug in slugs)
    return (AnswerField(name="wagers", kind="wagers", choices=choices),)


def _choose_hint(_: DrillSetup, question: Question) -> str:
    return "groups.hint-words" if _asks_for_words(question) else "groups.hint-amounts"


def _parse_answer(setup: DrillSetup, question: Question, text: str) -> Any:
    """Return {"say": words} or {"wagers": amounts by wager}, as the question asks.

    Amounts are read from text such as ``4 10, 5 10, 6 12`` or ``place-win-6 = 12``. Raise
    UnreadableAnswerError for any other text.
    """
    if _asks_for_words(question):
        return {"say": text}
    wagers: dict[str, str] = {}
    for part in re.split(r"[,;]|\band\b", text.lower()):
        pair = _WAGER_AMOUNT_PATTERN.fullmatch(part.strip())
        name = pair["wager"] if pair else ""
        if pair is None or not (name.isdecimal() or find_spot(setup.layout, name)):
            raise UnreadableAnswerError("groups.unreadable", value=quote_value(part.strip()))
        wagers[name] = normalize_dollars(pair["amount"])
    return {"wagers": wagers}


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    if not _asks_for_words(question):
        return grade_wagers(setup, question, fields.get("wagers", fields))
    table = make_table(setup, question.given["puck"])
    words = read_words(fields.get("say"), "words")
    want = {slug: read_cents(a, slug) for slug, a in question.given["wagers"].items()}
    found, value, right = parse_bets(table, words), quote_value(words), question.answer["say"]
    if found == want:
        return Grade(True, say_school("groups.words-right", value=value))
    if found is None:
        return Grade(False, say_school("groups.not-bets", value=value, say=right))
    figures = {"bets": format_wagers(found), "say": right, "why": question.explain[0]}
    return Grade(False, say_school("groups.other-bets", value=value, **figures))


def grade_wagers(setup: DrillSetup, question: Question, value: object) -> Grade:
    """Grade dollar amounts by wager (a dict) against the question's answer.

    ``place-6`` and ``6`` also mean the place bet on 6. Raise UnreadableAnswerError for a wager that
    the house does not deal, an amount that can't be read, or no dict of wagers.
    """
    if not isinstance(value, dict) or not value:
        raise UnreadableAnswerError("groups.expected")
    found: dict[str, int] = {}
    for key, amount in value.items():
        name = f"place-win-{key}" if key.isdecimal() else key
        spot = find_spot(setup.layout, name)
        if spot is None:
            raise UnreadableAnswerError("groups.no-wager", value=quote_value(key))
        found[spot.slug] = read_cents(amount, layout_name(spot.slug))
    want = {slug: read_cents(a, slug) for slug, a in question.answer["wagers"].items()}
    if found == want:
        return Grade(True, format_wagers(want))
    wrong = next(slug for slug in {**want, **found} if want.get(slug, 0) != found.get(slug, 0))
    amounts = {"due": want.get(wrong, 0), "given": found.get(wrong, 0)}
    figures = {"bets": format_wagers(want), "why": question.explain[0]}
    return Grade(False, say_school("groups.wrong", wager=wrong, **amounts, **figures))


def format_wagers(wagers: dict[str, int]) -> str:
    """Return cents by wager as text: ``place 6 $12, place 8 $12``."""
    return ", ".join(f"{layout_name(slug)} {show_dollars(a)}" for slug, a in wagers.items())


DRILL = Drill(
    name="groups",
    teaching_order=90,
    seconds=25,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint=_choose_hint,
    fields=_list_fields,
)
