"""Conduct: whose duty each clause of procedure is, post by post."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import resources

import msgspec

from passline.law.book import Duty
from passline.law.clauses import Clause, register
from passline.law.load import rulebook

#: The kinds of clause that say how people act and how things look.
CONDUCT = frozenset({"procedure", "physical"})
#: Whose duty a clause is that no pattern fits.
EVERYBODY = "everybody"


@cache
def _listed() -> dict[str, tuple[Duty, ...]]:
    text = resources.files("passline.law").joinpath("duties.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, tuple[Duty, ...]])


def _duties(book_id: str) -> tuple[Duty, ...]:
    """A book's own list, or the one that came with passline."""
    return rulebook(book_id).duties or _listed().get(book_id, ())


def post_of(book_id: str, clause: str) -> str:
    """The post that a clause of conduct speaks to.

    >>> post_of("iowa", "stick.7#1"), post_of("iowa", "relief.box.2")
    ('stickperson', 'boxperson')
    """
    for duty in _duties(book_id):
        if any(fnmatchcase(clause, pattern) for pattern in duty.clauses):
            return duty.post
    return EVERYBODY


def duties(book_id: str) -> dict[str, tuple[Clause, ...]]:
    """Every clause of conduct of a rulebook, by post, in the rulebook's order."""
    posts = (*(duty.post for duty in _duties(book_id)), EVERYBODY)
    found: dict[str, list[Clause]] = {post: [] for post in posts}
    for clause in register(book_id):
        if clause.kind in CONDUCT:
            found.setdefault(post_of(book_id, clause.id), []).append(clause)
    return {post: tuple(clauses) for post, clauses in found.items() if clauses}
