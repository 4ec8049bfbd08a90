"""The report of an audition: what a casino files. Who, when, which, each answer, each clause."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Literal

import msgspec

from passline.law.clauses import clauses_by_id
from passline.plain import plain
from passline.school.audition import LEVEL, Audition
from passline.school.rubric import PASS_MARK, Score, Scored, score_audition
from passline.version import VERSION

Ended = Literal["finished", "time", "broken off"]
_WORDS: dict[Ended, str] = {
    "finished": "finished",
    "time": "ended by the clock",
    "broken off": "broken off",
}
_LONGEST = 300


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
    ended: Ended
    answered: int
    score: Score
    pass_mark: int
    missed: tuple[MissedClause, ...]
    results: tuple[Scored, ...]
    audition: str
    digest: str = ""

    @property
    def passed(self) -> bool:
        """Whether it is passed: one that was broken off is not."""
        return self.score.passed and self.ended != "broken off"

    def to_json(self) -> dict[str, Any]:
        """The report as JSON has it."""
        return {**msgspec.to_builtins(self), "passed": self.passed}


def file_report(
    audition: Audition,
    scored: tuple[Scored, ...],
    *,
    name: str,
    at: datetime,
    minutes: float,
    ended: Ended,
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
        level=LEVEL,
        version=VERSION,
        minutes=minutes,
        ended=ended,
        answered=sum(each.answer is not None for each in scored),
        score=score_audition(scored, timed=timed),
        pass_mark=PASS_MARK,
        missed=_missed(scored),
        results=scored,
        audition=audition.digest,
    )
    return msgspec.structs.replace(report, digest=report_digest(report.to_json()))


def report_digest(report: dict[str, Any]) -> str:
    """The digest of a report as JSON has it, whatever digest stands in it."""
    rest = {key: value for key, value in report.items() if key != "digest"}
    return sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _missed(scored: tuple[Scored, ...]) -> tuple[MissedClause, ...]:
    """Every clause that a wrong answer missed, those first that were missed most."""
    numbers: dict[str, list[int]] = {}
    for each in scored:
        for clause in each.missed:
            numbers.setdefault(clause, []).append(each.n)
    ordered = sorted(numbers.items(), key=lambda item: (-len(item[1]), item[1]))
    return tuple(MissedClause(clause, rule_of(clause), tuple(ns)) for clause, ns in ordered)


def rule_of(clause: str) -> str:
    """A clause, as ``book:id``, in our words; empty where there is none."""
    book, _, name = clause.partition(":")
    found = clauses_by_id(book).get(name) if book else None
    return found.rule if found is not None else ""


def answer_words(value: object) -> str:
    """An answer on a line, as a report shows it: fields with their values, steps in a few words.

    >>> answer_words({"paid": "14.00", "chips": {"red": 2, "white": 4}})
    'paid 14.00; chips 2 red, 4 white'
    """
    text = plain(_words(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _words(value: object) -> str:
    if value is None:
        return "no answer"
    if isinstance(value, dict):
        if "act" in value:
            return _step_words(value)
        return "; ".join(
            "puck off" if (name, each) == ("puck", None) else f"{name} {_value(each)}"
            for name, each in value.items()
        )
    return _value(value)


def _value(value: object) -> str:
    if isinstance(value, dict):
        counts = [
            f"{each} {name}" if isinstance(each, int) else f"{name} {_value(each)}"
            for name, each in list(value.items())[:20]
        ]
        return ", ".join(counts) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(_words(each) for each in value[:20]) or "none"
    return str(value)[:_LONGEST]


def _step_words(step: dict[str, Any]) -> str:
    parts = [step.get("act"), step.get("player"), step.get("wager"), step.get("amount")]
    return " ".join(str(part) for part in parts if part)


def report_lines(report: AuditionReport) -> Iterator[str]:
    """The report in lines of text."""
    score, of = report.score, len(report.results)
    right = sum(each.right for each in report.results)
    clock = f"{report.minutes:g} minutes" if report.minutes else "no clock"
    yield f"Audition of {plain(report.name)}, {report.date}"
    yield f"Rulebook {report.rulebook}, seed {plain(report.seed)}, {clock}; {_WORDS[report.ended]}"
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
        yield f"    {plain(missed.rule)}"
    wrong = [each for each in report.results if not each.right and each.answer is not None]
    if wrong:
        yield "Wrong answers:"
    for each in wrong:
        yield f"  {each.n}. {each.drill}: {plain(each.because)}"
