"""The clauses of each rulebook in our own words, and the decisions about how a rulebook is read.

A register (``clauses.tsv``) lists every clause by the id that citations use. A decision settles a
question where a rulebook contradicts itself or says nothing. Reads the rulebooks' files only.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

import msgspec

from passline.game.law.base_books import find_hidden_clauses, list_chain, qualify_clause
from passline.game.law.book_files import (
    BookError,
    BookFiles,
    cached_by_book,
    find_book_files,
    read_book_file,
)
from passline.game.law.book_parts import (
    convert_part,
    read_customs,
    read_own_part,
)

ClauseKind = Literal["definition", "enforced", "payout", "option", "procedure", "physical"]
CLAUSE_KINDS: tuple[ClauseKind, ...] = get_args(ClauseKind)

#: The kinds of clauses that affect the game. A book must cite each such clause, and a test must
#: check it.
DECIDING_KINDS: frozenset[ClauseKind] = frozenset({"enforced", "payout", "option"})

_COLUMNS = ("id", "kind", "rule", "figures", "note")


class RegisterError(BookError):
    """A clause register is missing or damaged. The message says where."""


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One clause of a rulebook: the rule in our words, its figures as text, and our note on it."""

    id: str
    kind: ClauseKind
    rule: str
    figures: str
    note: str
    #: The rulebook that has the clause, for a clause inherited from a base; else empty.
    book: str = ""


def parse_register(name: str, text: str) -> tuple[Clause, ...]:
    """Return the clauses in a register's text: one clause a line, tab-separated, without quotes.

    Raise RegisterError with ``name`` and the line of what is wrong.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines or tuple(lines[0].split("\t")) != _COLUMNS:
        raise RegisterError(f"{name}, line 1: expected the columns {', '.join(_COLUMNS)}")
    seen: set[str] = set()
    found = []
    for number, line in enumerate(lines[1:], start=2):
        clause = _parse_clause(f"{name}, line {number}", line)
        if clause.id in seen:
            raise RegisterError(f"{name}, line {number}: {clause.id} is listed twice")
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
    kinds = ", ".join(CLAUSE_KINDS)
    raise RegisterError(f"{place}: {kind!r} is not a kind of clause: expected one of {kinds}")


@cache
def read_clauses(files: BookFiles) -> tuple[Clause, ...]:
    """Return every clause in the register of these files, in the rulebook's order.

    A book that builds on another needs no register of its own. Raise RegisterError if any other
    book has none.
    """
    if not files.register.is_file():
        if len(list_chain(files.id)) > 1:
            return ()
        expected = f"expected {files.register}"
        raise RegisterError(f"rulebook {files.id} has no clause register: {expected}")
    return parse_register(files.register_name, read_book_file(files.register))


@cached_by_book
def list_clauses(book_id: str) -> tuple[Clause, ...]:
    """Return every clause of a rulebook, in the rulebook's order, then those that it inherits.

    >>> list_clauses("new-jersey")[0].id
    '19:47-1.1/come-out-point'
    """
    own, *bases = chain = list_chain(book_id) or (find_book_files(book_id),)
    found = list(read_clauses(own))
    for base in bases:
        hidden = find_hidden_clauses(tuple(chain), base)
        for clause in read_clauses(base):
            name = qualify_clause(base.id, hidden, clause.id)
            found.append(msgspec.structs.replace(clause, id=name, book=base.id))
    return tuple(found)


@cached_by_book
def clauses_by_id(book_id: str) -> dict[str, Clause]:
    """Return the clauses of a rulebook by id."""
    return {clause.id: clause for clause in list_clauses(book_id)}


def find_clause_book(book_id: str, cite: str) -> str:
    """Return the rulebook that has the clause which a book cites: the book or one of its bases.

    Return the book itself for a custom.
    """
    clause = clauses_by_id(book_id).get(cite)
    return clause.book if clause is not None and clause.book else book_id


#: When a decision matters at a table: a wager's result, a come-out roll, a roll of the point's own
#: number, a rounded pay, a coupon, or a refusal.
DecisionOccasion = Literal[
    "win", "lose", "push", "travel", "come-out", "on-point", "rounded", "coupon", "refused"
]


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question about a rulebook's text, and what was decided.

    The decision is shown beside the clauses in ``beside``. ``at`` lists the occasions on which it
    is part of the answer to a player who asks why. If ``at`` is empty, the decision only concerns
    how the text is read.
    """

    question: str
    decision: str
    beside: tuple[str, ...]
    at: tuple[DecisionOccasion, ...] = ()


@cached_by_book
def list_decisions(book_id: str) -> tuple[Decision, ...]:
    """Return the decisions about a rulebook in the order of its ``decisions.toml``.

    A decision that several books share is in ``customs/decisions.toml``; a book names it by
    ``shared``. Raise BookError if there is no shared decision of that name.
    """
    shared = read_customs("decisions")
    found = []
    for entry in read_own_part(book_id, "decisions").get("decision", ()):
        name = entry.pop("shared", None)
        if name is not None and name not in shared:
            raise BookError(f"rulebook {book_id}: decisions.toml: no decision is called {name!r}")
        data = {**shared.get(name, {}), **entry}
        found.append(convert_part(book_id, "decisions", data, Decision))
    return tuple(found)


@cached_by_book
def _decisions_by_clause(book_id: str) -> dict[str, tuple[Decision, ...]]:
    found: dict[str, list[Decision]] = {}
    for decision in list_decisions(book_id):
        for clause in decision.beside:
            found.setdefault(clause, []).append(decision)
    return {clause: tuple(those) for clause, those in found.items()}


def find_decisions(book_id: str, clause_id: str) -> tuple[Decision, ...]:
    """Return the decisions to show beside a clause, in the order of ``decisions.toml``.

    >>> [d.question for d in find_decisions("new-jersey", "19:47-1.3(b)#2")]
    ['Match play', "A match play coupon's face", 'What promotions cost (match play, Shootout)']
    """
    return _decisions_by_clause(book_id).get(clause_id, ())
