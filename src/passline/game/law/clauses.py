"""The registers: every clause of every rulebook, in our words, by the id that citations use.

Decisions: how a rulebook's slips, contradictions and silences are read, beside the clauses.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal, get_args

import msgspec

from passline.game.law.book_files import BookError, BookFiles, find_book_files, read_book_file

ClauseKind = Literal["definition", "enforced", "payout", "option", "procedure", "physical"]
CLAUSE_KINDS: tuple[ClauseKind, ...] = get_args(ClauseKind)

#: The kinds whose clauses decide something: each must be cited by its book and held by a test.
DECIDING_KINDS: frozenset[ClauseKind] = frozenset({"enforced", "payout", "option"})

_COLUMNS = ("id", "kind", "rule", "figures", "note")


class RegisterError(BookError):
    """A register that is not there, or is damaged; the message says where."""


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause: what it rules in our words, its figures, and what we remarked on it."""

    id: str
    kind: ClauseKind
    rule: str
    figures: str
    note: str


def parse_register(book_id: str, text: str) -> tuple[Clause, ...]:
    """The clauses of a register's text: tab-separated, no quoting, one clause a line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines or tuple(lines[0].split("\t")) != _COLUMNS:
        raise RegisterError(f"{book_id}.tsv, line 1: expected the columns {', '.join(_COLUMNS)}")
    seen: set[str] = set()
    found = []
    for number, line in enumerate(lines[1:], start=2):
        clause = _parse_clause(f"{book_id}.tsv, line {number}", line)
        if clause.id in seen:
            raise RegisterError(f"{book_id}.tsv, line {number}: {clause.id} stands there twice")
        seen.add(clause.id)
        found.append(clause)
    return tuple(found)


def _parse_clause(place: str, line: str) -> Clause:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != len(_COLUMNS):
        raise RegisterError(f"{place}: expected {len(_COLUMNS)} fields, found {len(fields)}")
    clause_id, kind, rule, figures, note = fields
    if not clause_id or not rule:
        raise RegisterError(f"{place}: a clause needs an id and a rule")
    for known in CLAUSE_KINDS:
        if known == kind:
            return Clause(id=clause_id, kind=known, rule=rule, figures=figures, note=note)
    raise RegisterError(f"{place}: {kind!r} is no kind: expected one of {', '.join(CLAUSE_KINDS)}")


@cache
def read_clauses(on_shelf: BookFiles) -> tuple[Clause, ...]:
    """Every clause of a rulebook on the shelf, in the rulebook's order."""
    if not on_shelf.register.is_file():
        raise RegisterError(f"no register of {on_shelf.id!r}: expected {on_shelf.register}")
    return parse_register(on_shelf.id, read_book_file(on_shelf.register))


def list_clauses(book_id: str) -> tuple[Clause, ...]:
    """Every clause of a rulebook, in the rulebook's order.

    >>> list_clauses("new-jersey")[0].id
    '19:47-1.1/come-out-point'
    """
    return read_clauses(find_book_files(book_id))


@cache
def _cached_clauses_by_id(on_shelf: BookFiles) -> dict[str, Clause]:
    return {clause.id: clause for clause in read_clauses(on_shelf)}


def clauses_by_id(book_id: str) -> dict[str, Clause]:
    """A rulebook's clauses, to be looked up by id."""
    return _cached_clauses_by_id(find_book_files(book_id))


#: On which occasions at a table a decision matters: what became of a wager, on a come-out roll, on
#: the point's own number, in a pay that was rounded, with a coupon; or something was refused.
DecisionOccasion = Literal[
    "win", "lose", "push", "travel", "come-out", "on-point", "rounded", "coupon", "refused"
]


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question, what was decided, and the clauses (by rulebook) beside which it is shown.

    ``at``: the occasions on which a player who asks why is told of it. One that has none is about
    how the text is read, and is told to whoever asks for the clause.
    """

    question: str
    decision: str
    beside: dict[str, tuple[str, ...]]
    at: tuple[DecisionOccasion, ...] = ()


class _DecisionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decision: tuple[Decision, ...]


@cache
def list_decisions() -> tuple[Decision, ...]:
    """Every decision: the principles first, then the questions."""
    text = resources.files("passline.game.law").joinpath("decisions.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_DecisionFile).decision


@cache
def _decisions_by_clause(book_id: str) -> dict[str, tuple[Decision, ...]]:
    found: dict[str, list[Decision]] = {}
    for decision in list_decisions():
        for clause in decision.beside.get(book_id, ()):
            found.setdefault(clause, []).append(decision)
    return {clause: tuple(those) for clause, those in found.items()}


def find_decisions(book_id: str, clause_id: str) -> tuple[Decision, ...]:
    """The decisions to be shown beside a clause; the most particular ones come last.

    >>> [d.question for d in find_decisions("new-jersey", "19:47-1.3(b)#2")]
    ['Match play', "A match play coupon's face", 'What promotions cost (match play, Shootout)']
    """
    return _decisions_by_clause(book_id).get(clause_id, ())
