"""A bet that is called: understood, said back, and set: ``booking``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from passline.crew.errands import errand_tasks
from passline.law.wagers import OddsRule
from passline.layout import Refusal, Spot
from passline.layout.amounts import bounds
from passline.money import show_dollars
from passline.school.answers import fields_of, money_of, quoted, read_words
from passline.school.busy import lying_spots, pick_spot
from passline.school.drawing import Draws
from passline.school.drills.groups import heard_bets, mark_wagers
from passline.school.placing import set_cites, set_words
from passline.school.questions import (
    Desk,
    Drill,
    Mark,
    NotAskedError,
    Question,
    UnreadableAnswerError,
    own_clauses,
)
from passline.school.scenes import NAMES, table_with
from passline.table import Table, decide, evolve
from passline.table import commands as cmd
from passline.table.opening import PLACES
from passline.talk import echo
from passline.talk.groups import least_sum
from passline.words.wagers import layout_name, wager_words

_GROUPS_LEVEL, _SEVERAL_LEVEL = 2, 3
_UNITS = (1, 2, 3, 5, 10)
#: How a bet on the numbers is called, and how any other; by the wager's own name.
_FORMS = ("{name} for {amount}", "{amount} on the {name}", "{name}, {amount}")


def _pose(desk: Desk, draws: Draws) -> Question:
    player, place = draws.pick(NAMES), draws.between(1, PLACES)
    points = tuple(desk.house.book.points.value)
    puck = draws.pick(points)
    table = table_with(desk, puck, player, place)
    say = _called(desk, table, player, draws)
    wagers = heard_bets(table, say, player)
    if not wagers or wagers.keys() & table.seat(player).wagers.keys():
        raise NotAskedError("not a bet that is called in one breath")
    bets = [cmd.Bet(player, slug, cents) for slug, cents in wagers.items()]
    repeat = echo(bets, table)
    spots = [desk.layout.spots[slug] for slug in wagers]
    places = {spot.slug: set_words(table, spot, player) for spot in spots}
    return Question(
        drill="booking",
        ask=f"{player}, at place {place}, calls a bet. What do you say back, what is it, and "
        "where is it set?",
        given={"say": say, "player": player, "place": place, "puck": puck},
        answer={"repeat": repeat, "wagers": money_of(wagers), "set": places},
        explain=(
            f"said back: {repeat}",
            *(
                f"{layout_name(slug)}, {show_dollars(wagers[slug])}: {places[slug]}"
                for slug in wagers
            ),
        ),
        cite=desk.cites(
            *_said_back(table, bets),
            *(cite for spot in spots for cite in set_cites(table, spot, player)),
        )
        or desk.cites(*own_clauses(spots[0])[:2]),
    )


def _said_back(table: Table, bets: Sequence[cmd.Bet]) -> tuple[str, ...]:
    """The clauses by which the crew says these bets back and sets them up."""
    found: list[str] = []
    for bet in bets:
        answer = decide(table, bet)
        if isinstance(answer, Refusal):
            raise NotAskedError(f"{bet.wager} is not taken")
        for event in answer:
            found += [task.cite for task in errand_tasks(table, event)]
            table = evolve(table, event)
    return tuple(found)


def _called(desk: Desk, table: Table, player: str, draws: Draws) -> str:
    """What a player might call: one bet, a group, or several in a breath."""
    groups = tuple(desk.house.book.groups)
    if desk.level >= _GROUPS_LEVEL and groups and draws.one_in(4):
        name = draws.pick(groups)
        total = least_sum(table, f"{name}-no-point") * draws.pick(_UNITS)
        return f"{show_dollars(total)} {name.replace('-', ' ')}"
    many = draws.between(2, 3) if desk.level >= _SEVERAL_LEVEL and draws.one_in(2) else 1
    spots = [
        spot
        for spot in lying_spots(desk.layout)
        if not isinstance(spot.rule, OddsRule) and not spot.only_travels
    ]
    if desk.level == 1:
        spots = [spot for spot in spots if spot.rule.area == "table"]
    if not spots:
        raise NotAskedError("nothing is called here")
    called = [pick_spot(spots, draws) for _ in range(many)]
    return ", ".join(_one(desk, spot, draws) for spot in called)


def _one(desk: Desk, spot: Spot, draws: Draws) -> str:
    span = bounds(desk.layout, spot, 0, {})
    times = draws.pick(_UNITS)
    cents = min(span.least * times, span.most)
    name, amount = wager_words(spot.slug), show_dollars(cents)
    return draws.pick(_FORMS).format(name=name, amount=amount)


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    fields = fields_of(answer, "repeat")
    repeat, wagers, where = (fields.get(name) for name in ("repeat", "wagers", "set"))
    if repeat is None and wagers is None:
        raise UnreadableAnswerError("expected repeat, wagers, and where they are set")
    wrong = ""
    if wagers is not None:
        mark = mark_wagers(desk, question, wagers)
        wrong = "" if mark.right else mark.because
    if not wrong and repeat is not None:
        wrong = _wrong_repeat(desk, question, repeat)
    if not wrong and where is not None:
        wrong = _wrong_set(question, where)
    if wrong:
        return Mark(False, f"{wrong}; {question.explain[0]}", question.cite)
    return Mark(True, "; ".join(question.explain))


#: What a dealer may say besides the bet: whose it is, and that it is up.
_BESIDES = re.compile(
    r"\b(?:for|to) (?:you|the gentleman|the lady|sir)\b|\bsir\b|\bmadam\b|\byou'?re (?:up|on|in)\b"
    r"|\bis a bet\b|\bbet\b|\bbooked\b|\bgoing\b|\byou (?:have|got)\b|\bat place \d+\b"
)


def _wrong_repeat(desk: Desk, question: Question, value: object) -> str:
    """The dealer's words, by their facts: said again to the dealer they would be the same bets."""
    given = question.given
    said = read_words(value, "repeat")
    table = table_with(desk, given["puck"], given["player"], given["place"])
    want = heard_bets(table, given["say"], given["player"])
    name = re.escape(given["player"])
    plain = re.sub(rf"\bfor {name}\b|\b{name}(?:'s)?\b[,:]?", " ", said, flags=re.IGNORECASE)
    tries = (said, plain, _BESIDES.sub(" ", plain.lower()))
    heard = [
        heard_bets(table, " ".join(words.split()).strip(" ,.;:"), given["player"])
        for words in tries
    ]
    if want in heard:
        return ""
    found = next((bets for bets in heard if bets), None)
    if found is None:
        return f"{quoted(said)} does not say the bet back: {question.answer['repeat']}"
    other = ", ".join(f"{layout_name(s)} {show_dollars(a)}" for s, a in found.items())
    return f"{quoted(said)} is {other}: say back {question.answer['repeat']}"


def _wrong_set(question: Question, value: object) -> str:
    """Where the bets go: in words, for each wager or for all together, by what tells them apart."""
    right: dict[str, str] = question.answer["set"]
    if isinstance(value, dict):
        missing = [slug for slug in right if slug not in value]
        if missing:
            return f"where is {layout_name(missing[0])} set? {right[missing[0]]}"
        told_of = {slug: read_words(value[slug], "set") for slug in right}
    else:
        said = read_words(", ".join(map(str, value)) if isinstance(value, list) else value, "set")
        told_of = dict.fromkeys(right, said)
    for slug, words in told_of.items():
        if lacking := _facts(right[slug]) - _facts(words):
            missing_words = ", ".join(sorted(lacking))
            return f"{layout_name(slug)} is set {right[slug]}: missing was {missing_words}"
    return ""


_SMALL = frozenset(
    word
    for line in ("a an and at before from in is its it of off on", "player's s the to toward with")
    for word in line.split()
)


def _facts(words: str) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9']+", words.lower()) if word not in _SMALL}


DRILL = Drill(
    name="booking",
    trains="a called bet: said back, booked and set",
    pose=_pose,
    mark=_mark,
    anew=True,
)
