"""Auditions, the school's tests: make them from a seed, grade and score the answers, report.

The engine plays a busy game at one end of a table. The seed decides the bets and the dice; the
drills make the questions about them. The score has three weighted parts (``docs/deal/school.md``
has the rubric): accuracy, procedure and speed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from passline.crew.learner_steps import list_crew_work
from passline.game.dice.dice import OUTCOMES
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.spots import Layout
from passline.game.table.table_ends import list_places_at
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name
from passline.school.drill import AuditionPart
from passline.school.drills import list_drill_names, load_drill
from passline.school.practice_players import bet_propositions, bet_round, make_players
from passline.school.practice_tables import (
    PLAYER_NAMES,
    PracticeTable,
    TableThrow,
)
from passline.school.question_types import DrillSetup, Grade, NoQuestionError, Question
from passline.school.questions_and_grades import grade_answer
from passline.school.seeded_random import SeededRandom
from passline.text import escape_unprintable
from passline.version import VERSION

#: Auditions ask at level 4: chips must be as the manual pays them, and some amounts do not pay
#: evenly.
AUDITION_LEVEL = 4
_PLAYER_COUNT, _SEVEN = 5, 7
_QUESTIONS_PER_THROW, _MAX_THROWS = 3, 200


class Audition(msgspec.Struct, frozen=True, kw_only=True):
    """A test: the questions made from a seed for one house, numbered from 1."""

    seed: str
    rulebook: str
    house: str
    questions: tuple[Question, ...]

    @property
    def digest(self) -> str:
        """Return a hash of all questions and answers, which identifies the audition."""
        text = json.dumps(msgspec.to_builtins(self), sort_keys=True)
        return sha256(text.encode()).hexdigest()


@cache
def list_audition_parts() -> dict[str, AuditionPart]:
    """Return {drill's name: AuditionPart} of the drills that auditions use, sorted by ``place``."""
    drills = [load_drill(name) for name in list_drill_names()]
    parts = {drill.name: drill.audition for drill in drills if drill.audition is not None}
    return dict(sorted(parts.items(), key=lambda item: item[1].place))


def make_audition(layout: Layout, seed: str) -> Audition:
    """Return the audition for a seed. Raise NoQuestionError if the house gives no question."""
    setup, random = DrillSetup(layout, AUDITION_LEVEL), SeededRandom(seed, "audition")
    practice = PracticeTable(setup)
    places = sorted(random.sample(list_places_at("left"), _PLAYER_COUNT))
    names = PLAYER_NAMES[: len(places)]
    for name, place in zip(names, places, strict=True):
        practice.seat(name, place)
    players, parts = make_players(practice, names, random), list_audition_parts()
    wanted, found = Counter({name: part.count for name, part in parts.items()}), list[Question]()
    for _ in range(_MAX_THROWS):
        if not wanted.total():
            break
        bet_round(practice, players, random)
        bet_propositions(practice, players, random)
        throw = _make_throw(practice, random)
        if throw is None:
            break
        found += _pick_questions(throw, wanted)
        practice.throw(*throw.faces)
        if throw.puck and sum(throw.faces) == _SEVEN:  # A new hand: the players change their game.
            players = make_players(practice, names, random)
    if not found:
        raise NoQuestionError("none.audition", book=layout.house.book.title)
    numbered = tuple(replace(question, n=n) for n, question in enumerate(found, 1))
    house = layout.house
    return Audition(seed=seed, rulebook=house.book.id, house=house.name, questions=numbered)


def _make_throw(practice: PracticeTable, random: SeededRandom) -> TableThrow | None:
    """Return a random next throw, not yet played, or None if the house accepts no throw."""
    faces = random.pick(OUTCOMES)
    try:
        table, rolled = practice.preview_throw(*faces)
    except NoQuestionError:
        return None
    work = list_crew_work(table, rolled)
    return TableThrow(practice=practice, faces=faces, rolled=rolled, work=work, random=random)


def _pick_questions(throw: TableThrow, wanted: Counter[str]) -> Iterator[Question]:
    """Yield up to three questions about a throw, each from a different drill.

    ``wanted`` counts the questions still to be asked of each drill; this function subtracts those
    that it yields. At most one of the questions may show or ask the crew's work: it would give away
    the answer to another.
    """
    left, work_shown, parts = _QUESTIONS_PER_THROW, False, list_audition_parts()
    for name in throw.random.shuffled(list(parts)):
        part = parts[name]
        if not left or not wanted[name] or (work_shown and part.shows_work):
            continue
        try:
            question = next(part.make_questions(throw), None)
        except NoQuestionError:
            continue
        if question is not None:
            wanted[name] -= 1
            left -= 1
            work_shown = work_shown or part.shows_work
            yield question


PartName = Literal["accuracy", "procedure", "speed", "shift"]
#: The weights of the parts; a part that an audition lacks does not count.
PART_WEIGHTS: dict[PartName, int] = {"accuracy": 50, "procedure": 30, "speed": 20, "shift": 25}
#: The points of 100 to pass, and the shares of some parts that must be right as well, so that
#: fast but wrong payoffs do not pass, nor a shift that was not dealt.
PASS_MARK = 80
MIN_SHARES: dict[PartName, float] = {"accuracy": 0.75, "shift": 0.5}
#: The minutes for the questions, and those for the shift of a proctored audition.
AUDITION_MINUTES, SHIFT_MINUTES = 15, 5
#: The most seconds that count for one answer.
_MAX_SECONDS = 86_400.0


class TimedAnswer(msgspec.Struct, frozen=True):
    """An answer, and the seconds that it took (None if not timed).

    ``answer`` is any JSON value; None means that the question was left out.
    """

    answer: Any = None
    seconds: float | None = None


class ScoredQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question with the learner's answer and its grade.

    ``part`` is the part of the score that it counts for. ``given`` is what the question shows,
    without the record of the table; ``correct`` is the right answer. ``because`` says why the
    answer is right or wrong, and ``missed`` has the clauses that a wrong answer got wrong. A late
    answer came after the time limit and is not right.
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
    """One part of the score: ``points`` out of ``weight``.

    ``right`` of the part's ``of`` questions were answered right and in time. For the part "shift"
    they are the points earned and the points possible.
    """

    part: PartName
    weight: int
    points: float
    right: int
    of: int


class Speed(msgspec.Struct, frozen=True, kw_only=True):
    """The times, in seconds, from which an audition's score for speed is computed.

    A working dealer takes ``pace`` for all questions, and ``earned`` for those answered right (and
    timed). The learner took ``used`` from the start to the last answer.
    """

    earned: float
    pace: float
    used: float

    @property
    def share(self) -> float:
        """Return the share of the points for speed that the learner gets.

        It is ``earned`` divided by ``used``, or by ``pace`` if that is longer.
        """
        most = max(self.pace, self.used)
        return self.earned / most if most else 0.0


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The total out of 100, the scores of the parts, and whether they pass.

    ``speed`` has the times behind the score for speed; None without a clock.
    """

    total: float
    parts: tuple[PartScore, ...]
    passed: bool
    speed: Speed | None = None


def read_seconds(value: object) -> float | None:
    """Return a number of seconds, at most a day, or None if the value is no number or negative."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        return None
    return min(float(value), _MAX_SECONDS)


def grade_audition(
    layout: Layout, audition: Audition, given: Sequence[TimedAnswer], minutes: float
) -> tuple[ScoredQuestion, ...]:
    """Grade every question. Questions after the last answer are "not reached" and miss no clause.

    ``given`` are the answers in order. Answers sent after ``minutes`` in all are late, so not
    right; 0 means no time limit.
    """
    setup, elapsed = DrillSetup(layout, AUDITION_LEVEL), 0.0
    answers = [*given, *[TimedAnswer()] * (len(audition.questions) - len(given))]
    found = []
    for question, each in zip(audition.questions, answers, strict=False):
        elapsed += each.seconds or 0.0
        late = bool(minutes) and elapsed > minutes * 60 and each.answer is not None
        grade = grade_answer(load_drill(question.drill), setup, question, each.answer)
        if question.n > len(given):
            grade = Grade(False, say_school("grade.not-reached"))
        found.append(
            ScoredQuestion(
                n=question.n,
                drill=question.drill,
                part=load_drill(question.drill).score_part,
                ask=question.ask,
                given={name: v for name, v in question.given.items() if name != "record"},
                answer=each.answer,
                correct=question.answer,
                right=grade.right and not late,
                late=late,
                seconds=None if each.seconds is None else round(each.seconds, 1),
                because=say_school("audition.late", because=grade.because)
                if late
                else grade.because,
                cite=question.cite,
                missed=question.cite if late and grade.right else grade.missed,
            )
        )
    return tuple(found)


def score_audition(
    scored: Sequence[ScoredQuestion], *, timed: bool, shift: tuple[int, int] = (0, 0)
) -> Score:
    """Return the score of graded questions.

    Parts without questions do not count, and speed counts only if ``timed``.
    ``shift`` is (points earned, points possible) in the audition's shift; (0, 0) without a shift.
    """
    parts, speed = [], None
    for name in ("accuracy", "procedure"):
        mine = [each for each in scored if each.part == name]
        parts.append(_score_part(name, mine, sum(each.right for each in mine)))
    if timed:
        speed = measure_speed(scored)
        parts.append(_score_part("speed", scored, len(scored) * speed.share))
    if shift[1]:
        weight, (right, of) = PART_WEIGHTS["shift"], shift
        points = round(weight * right / of, 2)
        parts.append(PartScore(part="shift", weight=weight, points=points, right=right, of=of))
    parts = [part for part in parts if part.of]
    whole = sum(part.weight for part in parts)
    total = round(100 * sum(part.points for part in parts) / whole, 1) if whole else 0.0
    enough = all(part.right >= MIN_SHARES.get(part.part, 0) * part.of for part in parts)
    passed = total >= PASS_MARK and enough
    return Score(total=total, parts=tuple(parts), passed=passed, speed=speed)


def measure_speed(scored: Sequence[ScoredQuestion]) -> Speed:
    """Return the speed of an audition, from all answers together.

    How the time is spread over the questions makes no difference, since all are known from the
    start. A question that is left out, or answered wrongly, earns nothing.
    """
    paces = [float(load_drill(each.drill).seconds) for each in scored]
    pairs = [*zip(scored, paces, strict=True)]
    return Speed(
        earned=sum(pace for each, pace in pairs if each.right and each.seconds is not None),
        pace=sum(paces),
        used=round(sum(each.seconds or 0.0 for each in scored), 1),
    )


def _score_part(name: PartName, mine: Sequence[ScoredQuestion], done: float) -> PartScore:
    weight, right = PART_WEIGHTS[name], sum(each.right for each in mine)
    points = round(weight * done / len(mine), 2) if mine else 0.0
    return PartScore(part=name, weight=weight, points=points, right=right, of=len(mine))


AuditionEnd = Literal["finished", "time", "broken off"]
_MAX_LINE_LENGTH = 300


class MissedClause(msgspec.Struct, frozen=True):
    """A clause that was missed, its rule in our words, and the questions that missed it."""

    clause: str
    rule: str
    questions: tuple[int, ...]


class AuditionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report of an audition, for a casino's files.

    ``audition`` is the id of a proctored attempt; in practice, it is the digest of the questions.
    ``digest`` is a hash of the rest of the report. ``attempt`` counts the learner's proctored
    attempts; 0 means practice. ``shift`` is the report of a proctored audition's shift.
    """

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
    attempt: int = 0
    shift: dict[str, Any] | None = None
    digest: str = ""

    @property
    def practice(self) -> bool:
        """Return whether nobody proctored the audition."""
        return not self.attempt

    @property
    def passed(self) -> bool:
        """Return whether the score passes and the audition was not broken off."""
        return self.score.passed and self.ended != "broken off"

    def to_json(self) -> dict[str, Any]:
        """Return the report as a JSON object, with ``passed`` and ``practice`` added."""
        return {**msgspec.to_builtins(self), "passed": self.passed, "practice": self.practice}


def make_report(
    audition: Audition,
    scored: tuple[ScoredQuestion, ...],
    *,
    name: str,
    at: datetime,
    minutes: float,
    ended: AuditionEnd,
    attempt: tuple[str, int] = ("", 0),
    shift: dict[str, Any] | None = None,
) -> AuditionReport:
    """Return the report of a graded audition.

    Speed counts if there was a time limit, unless answers were given but none of them timed.

    ``name`` is the learner's, ``at`` the time of the audition, ``minutes`` the time limit (0 means
    none), ``attempt`` the id and number of the proctored attempt, ``shift`` the report of its
    shift.
    """
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
        score=score_audition(
            scored, timed=timed, shift=(shift["right"], shift["of"]) if shift else (0, 0)
        ),
        pass_mark=PASS_MARK,
        missed=_list_missed_clauses(scored),
        results=scored,
        audition=attempt[0] or audition.digest,
        attempt=attempt[1],
        shift=shift,
    )
    return msgspec.structs.replace(report, digest=hash_report(report.to_json()))


def hash_report(report: dict[str, Any]) -> str:
    """Return the digest of a report's JSON object, without the keys "digest" and "certificate"."""
    rest = {key: value for key, value in report.items() if key not in ("digest", "certificate")}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _list_missed_clauses(scored: tuple[ScoredQuestion, ...]) -> tuple[MissedClause, ...]:
    """Return the clauses that wrong answers missed, those missed most often first."""
    numbers: dict[str, list[int]] = {}
    for each in scored:
        for clause in each.missed:
            numbers.setdefault(clause, []).append(each.n)
    ordered = sorted(numbers.items(), key=lambda item: (-len(item[1]), item[1]))
    return tuple(
        MissedClause(clause, find_clause_text(clause), tuple(ns)) for clause, ns in ordered
    )


def find_clause_text(clause: str) -> str:
    """Return the rule of a clause (``book:id``) in our words, or "" if there is no such clause."""
    book, _, name = clause.partition(":")
    found = clauses_by_id(book).get(name) if book else None
    return found.rule if found is not None else ""


def format_answer(value: object) -> str:
    """Return an answer's fields on one line for a report, cut to 300 characters.

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
            "puck off"
            if (name, each) == ("puck", None)
            else f"{name} {_format_value(layout_name(str(each)) if name == 'wager' else each)}"
            for name, each in value.items()
            if name != "facts"  # The call states them in words.
        )
    return _format_value(value)


def _format_value(value: object) -> str:
    if isinstance(value, dict):
        counts = [
            f"{each} {name}"
            if isinstance(each, int)
            else f"{layout_name(name)} {_format_value(each)}"
            for name, each in list(value.items())[:20]
        ]
        return ", ".join(counts) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(_format_fields(each) for each in value[:20]) or "none"
    return str(value)[:_MAX_LINE_LENGTH]


def _format_step(step: dict[str, Any]) -> str:
    wager = layout_name(str(step.get("wager") or ""))
    parts = (step.get("act"), step.get("player"), wager, step.get("amount"))
    return " ".join(str(part) for part in parts if part)


def describe_speed(score: Score) -> str:
    """Return a sentence with an audition's times for speed, or one that says it had no clock."""
    if score.speed is None:
        return say_school("audition.no-speed")
    return say_school("audition.speed", **msgspec.structs.asdict(score.speed))


def format_report(report: AuditionReport) -> Iterator[str]:
    """Yield the lines of a report."""
    score, of = report.score, len(report.results)
    right = sum(each.right for each in report.results)
    clean = {"name": escape_unprintable(report.name), "seed": escape_unprintable(report.seed)}
    more = {"passed": report.passed, "by_clock": report.ended == "time"}
    figures = msgspec.structs.asdict(report) | clean | more | {"practice": report.practice}
    yield say_school("audition.title", **figures)
    if report.practice:
        yield say_school("audition.practice")
    yield say_school("audition.setting", **figures)
    yield say_school("audition.version", **figures)
    yield say_school("audition.result", total=score.total, right=right, of=of, **figures)
    for part in score.parts:
        yield say_school("audition.part", **msgspec.structs.asdict(part))
    yield describe_speed(score)
    if report.missed:
        yield say_school("audition.missed")
    for missed in report.missed:
        yield say_school("audition.clause", clause=missed.clause, questions=missed.questions)
        yield f"    {escape_unprintable(missed.rule)}"
    wrong = [each for each in report.results if not each.right and each.answer is not None]
    if wrong:
        yield say_school("audition.wrong")
    for each in wrong:
        yield f"  {each.n}. {each.drill}: {escape_unprintable(each.because)}"
