"""Conduct: whose duty each clause of procedure is, post by post."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

import msgspec

from passline.law.clauses import Clause, register

#: The kinds of clause that say how people act and how things look.
CONDUCT = frozenset({"procedure", "physical"})
#: Whose duty it is where nobody has told posts apart for a book.
EVERYBODY = "the whole crew"


class _Duty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    post: str
    clauses: tuple[str, ...]


@cache
def _duties() -> dict[str, tuple[_Duty, ...]]:
    text = resources.files("passline.law").joinpath("duties.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, tuple[_Duty, ...]])


def post_of(book_id: str, clause: str) -> str:
    """The post that a clause of conduct speaks to.

    >>> post_of("iowa", "stick.7#1"), post_of("iowa", "relief.box.2")
    ('stickperson', 'boxperson')
    """
    if book_id not in _duties():
        return EVERYBODY
    for duty in _duties()[book_id]:
        if any(fnmatchcase(clause, pattern) for pattern in duty.clauses):
            return duty.post
    raise LookupError(f"{book_id} {clause} is nobody's duty")


def duties(book_id: str) -> dict[str, tuple[Clause, ...]]:
    """Every clause of conduct of a rulebook, by post, in the rulebook's order."""
    found: dict[str, list[Clause]] = {duty.post: [] for duty in _duties().get(book_id, ())}
    for clause in register(book_id):
        if clause.kind in CONDUCT:
            found.setdefault(post_of(book_id, clause.id), []).append(clause)
    return {post: tuple(clauses) for post, clauses in found.items() if clauses}
