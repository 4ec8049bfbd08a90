"""The audition: a mixed game on one end of a busy table, and what is asked of its throws.

The engine plays the table; the seed decides who bets what and how the dice fall, and so every
question, whoever answers and however long it takes. Questions are the drills' own, posed on what
lies on that table.

How an audition is scored: accuracy, procedure and speed, each with its weight.

``docs/deal/school.md`` says why the weights are what they are.

The report of an audition: what a casino files. Who, when, which, each answer, each clause.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from passline.crew.ends import list_places_at
from passline.crew.work_steps import CrewWork, list_crew_work
from passline.game.dice.dice import OUTCOMES
from passline.game.law.clauses import clauses_by_id
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import to_dollars
from passline.game.money.chips import Chips
from passline.game.table.events import Rolled
from passline.school.drills.calls import make_call_question
from passline.school.drills.errors import make_error_question
from passline.school.drills.lines import make_line_question
from passline.school.drills.order import make_order_question
from passline.school.drills.payoffs import make_payoff_question
from passline.school.drills.press import make_press_question
from passline.school.grading import grade_answer
from passline.school.practice_tables import (
    PLAYER_NAMES,
    PracticeTable,
    make_odds_bets,
    make_random_bet,
    make_stack,
)
from passline.school.questions import (
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    load_drill,
    score_speed,
)
from passline.school.seeded_random import SeededRandom
from passline.text import escape_unprintable
from passline.version import VERSION

#: Everything at once: chips as the manual pays them, and bets that do not come out even.
AUDITION_LEVEL = 4
#: What is asked, and how often: at the pace of a working dealer a quarter of an hour.
QUESTIONS_BY_DRILL = {"payoffs": 10, "lines": 4, "press": 4, "calls": 5, "order": 4, "errors": 3}
_PLAYER_COUNT, _BETS_PER_PLAYER = 5, 4
_QUESTIONS_PER_THROW, _MAX_THROWS = 3, 60
_MIN_STEPS = 3


class Audition(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of a seed at a house, numbered from one."""

    seed: str
    rulebook: str
    house: str
    questions: tuple[Question, ...]

    @property
    def digest(self) -> str:
        """What tells this audition from any other: of all its questions with their answers."""
        text = json.dumps(msgspec.to_builtins(self), sort_keys=True)
        return sha256(text.encode()).hexdigest()


class _AuditionThrow(msgspec.Struct, frozen=True, kw_only=True):
    """A throw at the table: what lay there, the dice, what happened and what the crew does."""

    setup: DrillSetup
    practice: PracticeTable
    record: str
    faces: tuple[int, int]
    rolled: Rolled
    work: CrewWork
    random: SeededRandom

    @property
    def puck(self) -> int:
        """The point that was on before the throw; 0 on a come-out."""
        return self.work.table.puck

    def wins(self) -> list[Settlement]:
        """What won at a price, in the engine's order."""
        spots = self.setup.layout.spots
        return [
            done
            for done in self.rolled.settlements
            if done.result == "win" and done.paid and done.wager in spots
        ]

    def stack(self, cents: int) -> Chips:
        """An amount as its player stacked it."""
        return make_stack(self.setup, cents, self.random)

    def of(self, question: Question, player: str) -> Question:
        """A question about one player's bet, who is named in it."""
        place = self.work.table.seat(player).place
        return replace(question, given={"player": player, "place": place, **question.given})


def make_audition(felt: Layout, seed: str) -> Audition:
    """The audition of a seed at a house's table. NoQuestionError where nothing can be asked there."""  # noqa: E501
    setup, random = DrillSetup(felt, AUDITION_LEVEL), SeededRandom(seed, "audition")
    practice = PracticeTable(setup)
    places = sorted(random.sample(list_places_at("left"), _PLAYER_COUNT))
    names = PLAYER_NAMES[: len(places)]
    for name, place in zip(names, places, strict=True):
        practice.seat(name, place)
    wanted, found = Counter(QUESTIONS_BY_DRILL), list[Question]()
    for _ in range(_MAX_THROWS):
        if not wanted.total():
            break
        _make_bets(practice, random)
        moment = _make_throw(practice, random)
        if moment is None:
            break
        found += _pick_questions(moment, wanted)
        practice.throw(*moment.faces)
    if not found:
        raise NoQuestionError(f"{felt.house.book.id} has nothing to ask at an audition")
    numbered = tuple(replace(question, n=n) for n, question in enumerate(found, 1))
    house = felt.house
    return Audition(seed=seed, rulebook=house.book.id, house=house.name, questions=numbered)


def _make_bets(practice: PracticeTable, random: SeededRandom) -> None:
    """Everybody has something up: on a come-out a line bet, always a few others, with odds."""
    spots = practice.setup.layout.spots
    lines = {slug: spot for slug, spot in spots.items() if isinstance(spot.rule, Line)}
    for seat in practice.table.seats:
        if not practice.table.puck and not lines.keys() & seat.wagers.keys():
            first = seat.id == practice.table.shooter or not random.one_in(4)
            make_random_bet(practice, seat.id, lines, random, line=first)
        for _ in range(max(0, _BETS_PER_PLAYER - len(practice.table.seat(seat.id).wagers))):
            make_random_bet(practice, seat.id, spots, random)
        make_odds_bets(practice, seat.id, random)


def _make_throw(practice: PracticeTable, random: SeededRandom) -> _AuditionThrow | None:
    """The next throw; None where the house lets nobody throw."""
    faces = random.pick(OUTCOMES)
    try:
        table, rolled = practice.preview_throw(*faces)
    except NoQuestionError:
        return None
    return _AuditionThrow(
        setup=practice.setup,
        practice=practice,
        record=practice.record_text,
        faces=faces,
        rolled=rolled,
        work=list_crew_work(table, rolled),
        random=random,
    )


def _pick_questions(moment: _AuditionThrow, wanted: Counter[str]) -> Iterator[Question]:
    """What is asked of a throw: a few of the kinds that are still wanted, each once. A list of
    what somebody did would tell the order of work: of those two one is asked."""
    left, told = _QUESTIONS_PER_THROW, False
    for kind in moment.random.shuffled(list(_QUESTION_MAKERS)):
        if not left or not wanted[kind] or (told and kind in _REVEALING_DRILLS):
            continue
        try:
            question = next(_QUESTION_MAKERS[kind](moment), None)
        except NoQuestionError:
            continue
        if question is not None:
            wanted[kind] -= 1
            left -= 1
            told = told or kind in _REVEALING_DRILLS
            yield question


def _make_payoff_questions(moment: _AuditionThrow) -> Iterator[Question]:
    layout, index = moment.setup.layout, OUTCOMES.index(moment.faces)
    for done in moment.random.shuffled(moment.wins()):
        spot = layout.spots[done.wager]
        if not spot.tiers and not isinstance(spot.rule, Line):
            stack = moment.stack(done.stake)
            pose = partial(make_payoff_question, moment.setup, spot, stack, moment.puck, index)
            yield from _make_if_paid_so(moment, done.player, done.paid, pose)


def _make_line_questions(moment: _AuditionThrow) -> Iterator[Question]:
    layout, index = moment.setup.layout, OUTCOMES.index(moment.faces)
    won = {(done.player, done.wager): done for done in moment.wins()}
    for (player, slug), odds in won.items():
        spot = layout.spots[slug]
        flat = won.get((player, spot.flat)) if isinstance(spot.rule, OddsRule) else None
        if flat is None or not isinstance(layout.spots[flat.wager].rule, Line):
            continue
        stacks = (moment.stack(flat.stake), moment.stack(odds.stake))
        pose = partial(make_line_question, moment.setup, spot, stacks, moment.puck, index)
        yield from _make_if_paid_so(moment, player, flat.paid + odds.paid, pose)


def _make_if_paid_so(
    moment: _AuditionThrow, player: str, paid: int, pose: Callable[[], Question]
) -> Iterator[Question]:
    """A question of a payoff, where it is asked at all: it must be what this table pays."""
    try:
        question = pose()
    except NoQuestionError:
        return
    if question.answer["paid"] == to_dollars(paid):
        yield moment.of(question, player)


def _make_press_questions(moment: _AuditionThrow) -> Iterator[Question]:
    """A place bet that won: pressed a unit, two, or doubled."""
    for done in moment.wins():
        spot = moment.setup.layout.spots[done.wager]
        if spot.slug != f"place-win-{spot.number}":
            continue
        unit = spot.odds.stake * max(100, moment.setup.house.chip)
        to = done.stake + moment.random.pick((unit, 2 * unit, done.stake))
        try:
            question = make_press_question(moment.setup, (spot.number,), done.stake, to)
        except NoQuestionError:
            continue
        yield moment.of(question, done.player)


def _make_call_questions(moment: _AuditionThrow) -> Iterator[Question]:
    if moment.work.steps:
        yield make_call_question(moment.setup, moment.practice, moment.faces, moment.work)


def _make_order_questions(moment: _AuditionThrow) -> Iterator[Question]:
    if len(moment.work.money) >= _MIN_STEPS:
        yield make_order_question(moment.setup, moment.record, moment.faces, moment.work)


def _make_error_questions(moment: _AuditionThrow) -> Iterator[Question]:
    if len(moment.work.money) >= _MIN_STEPS:
        yield make_error_question(
            moment.setup, moment.record, moment.faces, moment.work, moment.random
        )


_QUESTION_MAKERS: dict[str, Callable[[_AuditionThrow], Iterator[Question]]] = {
    "payoffs": _make_payoff_questions,
    "lines": _make_line_questions,
    "press": _make_press_questions,
    "calls": _make_call_questions,
    "order": _make_order_questions,
    "errors": _make_error_questions,
}
_REVEALING_DRILLS = ("order", "errors")


PartName = Literal["accuracy", "procedure", "speed"]
PART_WEIGHTS: dict[PartName, int] = {"accuracy": 50, "procedure": 30, "speed": 20}
#: Of a hundred; and of the accuracy alone, since nobody may deal who pays wrongly fast.
PASS_MARK, MIN_ACCURACY = 80, 0.75
AUDITION_MINUTES = 15
#: What a drill's answers show; any other shows accuracy.
_PROCEDURE_DRILLS = ("order", "calls", "errors")
#: Nobody took longer over one answer, in seconds.
_MAX_SECONDS = 86_400.0


class TimedAnswer(msgspec.Struct, frozen=True):
    """An answer that was given, any JSON value, and in how many seconds; None: not timed."""

    answer: Any = None
    seconds: float | None = None


class ScoredQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One question of an audition with what was answered: an answer after time is not counted.

    ``given`` is without the table's record, which the audition's digest holds.
    """

    n: int
    drill: str
    part: PartName
    ask: str
    given: dict[str, Any]
    answer: Any
    correct: dict[str, Any]
    right: bool
    late: bool
    seconds: float | None
    because: str
    cite: tuple[str, ...]
    missed: tuple[str, ...]


class PartScore(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the rubric: its weight, the points that were made, and right answers of all."""

    part: PartName
    weight: int
    points: float
    right: int
    of: int


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The parts, and out of a hundred what they come to."""

    total: float
    parts: tuple[PartScore, ...]
    passed: bool


def find_score_part(drill: str) -> PartName:
    """What the answers of a drill show: whether money is paid right, or work done right."""
    return "procedure" if drill in _PROCEDURE_DRILLS else "accuracy"


def read_seconds(value: object) -> float | None:
    """Seconds as they are told; None for whatever is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return None
    return min(float(value), _MAX_SECONDS)


def grade_audition(
    felt: Layout, audition: Audition, given: Sequence[TimedAnswer], minutes: float
) -> tuple[ScoredQuestion, ...]:
    """Every question marked; those beyond what was given were not reached, and miss no clause.

    ``minutes``: after so many, answers are late and count as none; 0: there is no clock.
    """
    setup, elapsed = DrillSetup(felt, AUDITION_LEVEL), 0.0
    answers = [*given, *[TimedAnswer()] * (len(audition.questions) - len(given))]
    found = []
    for question, each in zip(audition.questions, answers, strict=False):
        elapsed += each.seconds or 0.0
        late = bool(minutes) and elapsed > minutes * 60 and each.answer is not None
        mark = grade_answer(load_drill(question.drill), setup, question, each.answer)
        if question.n > len(given):
            mark = Grade(False, "not reached")
        found.append(
            ScoredQuestion(
                n=question.n,
                drill=question.drill,
                part=find_score_part(question.drill),
                ask=question.ask,
                given={name: v for name, v in question.given.items() if name != "record"},
                answer=each.answer,
                correct=question.answer,
                right=mark.right and not late,
                late=late,
                seconds=None if each.seconds is None else round(each.seconds, 1),
                because=f"after time; {mark.because}" if late else mark.because,
                cite=question.cite,
                missed=question.cite if late and mark.right else mark.missed,
            )
        )
    return tuple(found)


def score_audition(scored: Sequence[ScoredQuestion], *, timed: bool) -> Score:
    """The rubric over an audition. A part that nothing was asked of counts for nothing, and so
    does speed without a clock: the others are worth the more."""
    parts = []
    for name in ("accuracy", "procedure"):
        mine = [each for each in scored if each.part == name]
        parts.append(_score_part(name, mine, sum(each.right for each in mine)))
    if timed:
        fast = sum(
            score_speed(each.drill, each.seconds)
            for each in scored
            if each.right and each.seconds is not None
        )
        parts.append(_score_part("speed", scored, fast))
    parts = [part for part in parts if part.of]
    whole = sum(part.weight for part in parts)
    total = round(100 * sum(part.points for part in parts) / whole, 1) if whole else 0.0
    exact = [part for part in parts if part.part == "accuracy"]
    accurate = all(part.right >= MIN_ACCURACY * part.of for part in exact)
    return Score(total=total, parts=tuple(parts), passed=total >= PASS_MARK and accurate)


def _score_part(name: PartName, mine: Sequence[ScoredQuestion], done: float) -> PartScore:
    weight, right = PART_WEIGHTS[name], sum(each.right for each in mine)
    points = round(weight * done / len(mine), 2) if mine else 0.0
    return PartScore(part=name, weight=weight, points=points, right=right, of=len(mine))


AuditionEnd = Literal["finished", "time", "broken off"]
_END_WORDS: dict[AuditionEnd, str] = {
    "finished": "finished",
    "time": "ended by the clock",
    "broken off": "broken off",
}
_MAX_LINE_LENGTH = 300


class MissedClause(msgspec.Struct, frozen=True):
    """A clause that was missed, in our words, and by which questions."""

    clause: str
    rule: str
    questions: tuple[int, ...]


class AuditionReport(msgspec.Struct, frozen=True, kw_only=True):
    """An audition as it is filed. ``audition`` is the digest of its questions; ``digest`` that of
    the whole report but itself, so that no report is taken for another or changed unnoticed."""

    name: str
    date: str
    seed: str
    rulebook: str
    house: str
    level: int
    version: str
    minutes: float
    ended: AuditionEnd
    answered: int
    score: Score
    pass_mark: int
    missed: tuple[MissedClause, ...]
    results: tuple[ScoredQuestion, ...]
    audition: str
    digest: str = ""

    @property
    def passed(self) -> bool:
        """Whether it is passed: one that was broken off is not."""
        return self.score.passed and self.ended != "broken off"

    def to_json(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {**msgspec.to_builtins(self), "passed": self.passed}


def make_report(
    audition: Audition,
    scored: tuple[ScoredQuestion, ...],
    *,
    name: str,
    at: datetime,
    minutes: float,
    ended: AuditionEnd,
) -> AuditionReport:
    """The report of an audition that was marked. Speed counts where there was a clock and answers
    were timed."""
    timed = bool(minutes) and (
        any(each.seconds is not None for each in scored)
        or all(each.answer is None for each in scored)
    )
    report = AuditionReport(
        name=name,
        date=f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        seed=audition.seed,
        rulebook=audition.rulebook,
        house=audition.house,
        level=AUDITION_LEVEL,
        version=VERSION,
        minutes=minutes,
        ended=ended,
        answered=sum(each.answer is not None for each in scored),
        score=score_audition(scored, timed=timed),
        pass_mark=PASS_MARK,
        missed=_list_missed_clauses(scored),
        results=scored,
        audition=audition.digest,
    )
    return msgspec.structs.replace(report, digest=hash_report(report.to_json()))


def hash_report(report: dict[str, Any]) -> str:
    """The digest of a report as JSON has it, whatever digest stands in it."""
    rest = {key: value for key, value in report.items() if key != "digest"}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _list_missed_clauses(scored: tuple[ScoredQuestion, ...]) -> tuple[MissedClause, ...]:
    """Every clause that a wrong answer missed, those first that were missed most."""
    numbers: dict[str, list[int]] = {}
    for each in scored:
        for clause in each.missed:
            numbers.setdefault(clause, []).append(each.n)
    ordered = sorted(numbers.items(), key=lambda item: (-len(item[1]), item[1]))
    return tuple(
        MissedClause(clause, find_clause_text(clause), tuple(ns)) for clause, ns in ordered
    )


def find_clause_text(clause: str) -> str:
    """A clause, as ``book:id``, in our words; empty where there is none."""
    book, _, name = clause.partition(":")
    found = clauses_by_id(book).get(name) if book else None
    return found.rule if found is not None else ""


def format_answer(value: object) -> str:
    """An answer on a line, as a report shows it: fields with their values, steps in a few words.

    >>> format_answer({"paid": "14.00", "chips": {"red": 2, "white": 4}})
    'paid 14.00; chips 2 red, 4 white'
    """
    text = escape_unprintable(_format_fields(value))
    return text if len(text) <= _MAX_LINE_LENGTH else f"{text[: _MAX_LINE_LENGTH - 3]}..."


def _format_fields(value: object) -> str:
    if value is None:
        return "no answer"
    if isinstance(value, dict):
        if "act" in value:
            return _format_step(value)
        return "; ".join(
            "puck off" if (name, each) == ("puck", None) else f"{name} {_format_value(each)}"
            for name, each in value.items()
        )
    return _format_value(value)


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        counts = [
            f"{each} {name}" if isinstance(each, int) else f"{name} {_format_value(each)}"
            for name, each in list(value.items())[:20]
        ]
        return ", ".join(counts) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(_format_fields(each) for each in value[:20]) or "none"
    return str(value)[:_MAX_LINE_LENGTH]


def _format_step(step: dict[str, Any]) -> str:
    parts = [step.get("act"), step.get("player"), step.get("wager"), step.get("amount")]
    return " ".join(str(part) for part in parts if part)


def format_report(report: AuditionReport) -> Iterator[str]:
    """The report in lines of text."""
    score, of = report.score, len(report.results)
    right = sum(each.right for each in report.results)
    clock = f"{report.minutes:g} minutes" if report.minutes else "no clock"
    yield f"Audition of {escape_unprintable(report.name)}, {report.date}"
    yield f"Rulebook {report.rulebook}, seed {escape_unprintable(report.seed)}, {clock}; {_END_WORDS[report.ended]}"  # noqa: E501
    yield f"Passline {report.version}; audition {report.audition[:16]}; report {report.digest[:16]}"
    yield f"{'PASSED' if report.passed else 'NOT PASSED'}: {score.total:g} of 100; " + (
        f"{report.pass_mark} pass; {right} of {of} right, {report.answered} answered"
    )
    for part in score.parts:
        yield f"  {part.part:<10} {part.points:>5g} of {part.weight} ({part.right} of {part.of})"
    if not any(part.part == "speed" for part in score.parts):
        yield "  speed      not scored: there was no clock"
    if report.missed:
        yield "Clauses missed:"
    for missed in report.missed:
        yield f"  {missed.clause} (questions {', '.join(map(str, missed.questions))})"
        yield f"    {escape_unprintable(missed.rule)}"
    wrong = [each for each in report.results if not each.right and each.answer is not None]
    if wrong:
        yield "Wrong answers:"
    for each in wrong:
        yield f"  {each.n}. {each.drill}: {escape_unprintable(each.because)}"
