"""The drill ``groups``: across, inside, outside: what goes on each number, or the group's name."""

from __future__ import annotations

import re
from typing import Any

from passline.crew.payoffs import find_spot
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.state import Table
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
from passline.school.questions import (
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
    groups = [n for n in setup.house.book.groups if setup.level >= _FIRST_LEVEL_BY_GROUP.get(n, 1)]
    if not groups:
        raise NoQuestionError(f"{setup.house.book.title} has no groups of place numbers")
    points = tuple(setup.house.book.points.value)
    puck = random.pick(points) if setup.level >= _POINT_LEVEL else None
    table, name = make_table(setup, puck), random.pick(groups)
    with_point = setup.house.book.groups[name].leaves_out_point.value is False
    if setup.level >= _NAMED_LEVEL and puck:
        with_point = random.one_in(2)
    reading = name if not puck else f"{name}-{'with' if with_point else 'no'}-point"
    units, cite = find_group_units(table, reading)
    if any(slug not in setup.layout.spots for slug in units):
        raise NoQuestionError(f"this house can't place every number of {name}")
    count = random.pick(_list_unit_counts(setup, table, units, find_smallest_sum(table, reading)))
    many = count * sum(units.values())
    wagers = {slug: unit * count for slug, unit in units.items()}
    say = _phrase_bets(table, name, many, wagers)
    back = setup.level >= _NAMED_LEVEL and random.one_in(3)
    given: dict[str, Any] = {"wagers": format_amounts(wagers)} if back else {"say": say}
    return Question(
        drill="groups",
        ask="What does a player say for these bets?" if back else "What goes on each number?",
        given={**given, "puck": puck},
        answer={"say": say} if back else {"wagers": format_amounts(wagers)},
        explain=tuple(_explain_units(table, name, units, count)),
        cite=setup.cites(*_find_clauses(setup, name, cite, wagers)),
    )


def _list_unit_counts(
    setup: DrillSetup, table: Table, units: dict[str, int], least: int
) -> list[int]:
    """Return how many units may go on each number at this level and within the house's limits."""
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
    raise NoQuestionError("no group of place bets fits the limits of this house")


def _is_accepted(table: Table, slug: str, cents: int) -> bool:
    return not isinstance(decide(table, cmd.Bet(_PLAYER, slug, cents)), Refusal)


def _phrase_bets(table: Table, name: str, total: int, wagers: dict[str, int]) -> str:
    """Return a short phrase that means exactly these bets, such as `$32 across`.

    Raise NoQuestionError if there is none.
    """
    made = [cmd.Bet(_PLAYER, slug, cents) for slug, cents in wagers.items()]
    for words in (f"{show_dollars(total)} {name.replace('-', ' ')}", name_group(table, made)):
        if words and parse_bets(table, words) == wagers:
            return words
    raise NoQuestionError(f"there is no short name for these bets ({name})")


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
    numbers = ", ".join(f"{show_dollars(u * 100)} on {layout_name(s)}" for s, u in units.items())
    whole, _ = find_group_units(table, f"{name}-with-point" if table.point else name)
    left = len(units) < len(whole)  # The point may not belong to the group.
    point = f", the point {table.point} left out" if left else ""
    return [
        f"a unit {name.replace('-', ' ')}{point} is {show_dollars(unit)}: {numbers}",
        f"{show_dollars(total)} " + ("in all" if total % unit else f"is {total // unit} of them"),
    ]


def _find_clauses(setup: DrillSetup, name: str, first: str, wagers: dict[str, int]) -> list[str]:
    """Return the clause of exactly this sum, if there is one, and the clauses of the group."""
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


def parse_figures(text: str) -> dict[str, str]:
    """Return the figures of a clause by name, from text such as ``amount=22; 5=5``."""
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
        return (AnswerField(name="say", kind="words", label="The player says", noun="say"),)
    slugs = [slug for slug in setup.layout.spots if slug.startswith("place-win-")]
    choices = tuple((slug, layout_name(slug)) for slug in slugs)
    return (AnswerField(name="wagers", kind="wagers", label="On each number", choices=choices),)


def _describe_format(_: DrillSetup, question: Question) -> str:
    if _asks_for_words(question):
        return "what a player would say: $32 across"
    return "each number with its amount: 4 10, 5 10, 6 12"


def _parse_answer(setup: DrillSetup, question: Question, text: str) -> Any:
    """Return the words, or amounts by wager: ``4 10, 5 10, 6 12``, ``place-win-6 = 12``."""
    if _asks_for_words(question):
        return {"say": text}
    wagers: dict[str, str] = {}
    for part in re.split(r"[,;]|\band\b", text.lower()):
        pair = _WAGER_AMOUNT_PATTERN.fullmatch(part.strip())
        name = pair["wager"] if pair else ""
        if pair is None or not (name.isdecimal() or find_spot(setup.layout, name)):
            raise UnreadableAnswerError(
                f"{quote_value(part.strip())} can't be read; write each number and its amount, "
                "like 6 12, 8 12"
            )
        wagers[name] = normalize_dollars(pair["amount"])
    return {"wagers": wagers}


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade:
    if not _asks_for_words(question):
        return grade_wagers(setup, question, fields.get("wagers", fields))
    table = make_table(setup, question.given["puck"])
    words = read_words(fields.get("say"), "the words")
    want = {slug: read_cents(a, slug) for slug, a in question.given["wagers"].items()}
    found, right = parse_bets(table, words), question.answer["say"]
    if found == want:
        return Grade(True, f"{quote_value(words)} means these bets")
    if found is None:
        return Grade(False, f"{quote_value(words)} can't be read as bets; say '{right}'")
    return Grade(
        False,
        f"{quote_value(words)} means {_format_wagers(found)}; say '{right}'; {question.explain[0]}",
    )


def grade_wagers(setup: DrillSetup, question: Question, value: object) -> Grade:
    """Grade amounts by wager. ``place-6`` and ``6`` also mean the place bet on 6."""
    if not isinstance(value, dict) or not value:
        raise UnreadableAnswerError("expected an amount for each number")
    found: dict[str, int] = {}
    for key, amount in value.items():
        name = f"place-win-{key}" if key.isdecimal() else key
        spot = find_spot(setup.layout, name)
        if spot is None:
            raise UnreadableAnswerError(f"this house has no wager {quote_value(key)}")
        found[spot.slug] = read_cents(amount, layout_name(spot.slug))
    want = {slug: read_cents(a, slug) for slug, a in question.answer["wagers"].items()}
    if found == want:
        return Grade(True, _format_wagers(want))
    wrong = [slug for slug in {**want, **found} if want.get(slug, 0) != found.get(slug, 0)]
    first = wrong[0]
    due = f"{layout_name(first)} gets {show_dollars(want.get(first, 0))}, not "
    due += show_dollars(found.get(first, 0))
    return Grade(False, f"{due}; {_format_wagers(want)}; {question.explain[0]}")


def _format_wagers(wagers: dict[str, int]) -> str:
    return ", ".join(f"{layout_name(slug)} {show_dollars(a)}" for slug, a in wagers.items())


DRILL = Drill(
    name="groups",
    teaching_order=90,
    skill="across, inside and outside: what goes on each number",
    seconds=25,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint=_describe_format,
    fields=_list_fields,
)
