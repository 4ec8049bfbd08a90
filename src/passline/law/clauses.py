"""The registers: every clause of every rulebook, in our words, by the id that citations use."""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

import msgspec

from passline.law.shelf import BookError, Volume, text_of, volume

ClauseKind = Literal["definition", "enforced", "payout", "option", "procedure", "physical"]
KINDS: tuple[ClauseKind, ...] = get_args(ClauseKind)

#: The kinds whose clauses decide something: each must be cited by its book and held by a test.
DECIDED: frozenset[ClauseKind] = frozenset({"enforced", "payout", "option"})

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


def read_register(book_id: str, text: str) -> tuple[Clause, ...]:
    """The clauses of a register's text: tab-separated, no quoting, one clause a line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines or tuple(lines[0].split("\t")) != _COLUMNS:
        raise RegisterError(f"{book_id}.tsv, line 1: expected the columns {', '.join(_COLUMNS)}")
    seen: set[str] = set()
    found = []
    for number, line in enumerate(lines[1:], start=2):
        clause = _read_line(f"{book_id}.tsv, line {number}", line)
        if clause.id in seen:
            raise RegisterError(f"{book_id}.tsv, line {number}: {clause.id} stands there twice")
        seen.add(clause.id)
        found.append(clause)
    return tuple(found)


def _read_line(place: str, line: str) -> Clause:
    fields = line.rstrip("\r").split("\t")
    if len(fields) != len(_COLUMNS):
        raise RegisterError(f"{place}: expected {len(_COLUMNS)} fields, found {len(fields)}")
    clause_id, kind, rule, figures, note = fields
    if not clause_id or not rule:
        raise RegisterError(f"{place}: a clause needs an id and a rule")
    for known in KINDS:
        if known == kind:
            return Clause(id=clause_id, kind=known, rule=rule, figures=figures, note=note)
    raise RegisterError(f"{place}: {kind!r} is no kind: expected one of {', '.join(KINDS)}")


@cache
def register_of(on_shelf: Volume) -> tuple[Clause, ...]:
    """Every clause of a rulebook on the shelf, in the rulebook's order."""
    if not on_shelf.register.is_file():
        raise RegisterError(f"no register of {on_shelf.id!r}: expected {on_shelf.register}")
    return read_register(on_shelf.id, text_of(on_shelf.register))


def register(book_id: str) -> tuple[Clause, ...]:
    """Every clause of a rulebook, in the rulebook's order.

    >>> register("new-jersey")[0].id
    '19:47-1.1/come-out-point'
    """
    return register_of(volume(book_id))


@cache
def _by_id(on_shelf: Volume) -> dict[str, Clause]:
    return {clause.id: clause for clause in register_of(on_shelf)}


def clauses_by_id(book_id: str) -> dict[str, Clause]:
    """A rulebook's clauses, to be looked up by id."""
    return _by_id(volume(book_id))
