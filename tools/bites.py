"""Whether a test bites: whether it fails once what the clause gives is otherwise.

What can be otherwise: a value of the rulebook that cites the clause, or the list or the name that
stands for it (``mutants``); the code that carries it out where no value does (``breaks``); what the
crew and table talk have from it (``floor``). A value that no clause gives is claimed by its place,
as ``custom:KEY.PATH``.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from breaks import breaks
from floor import floor_mutants
from judging import answer_of, fails, fork
from mutants import Mutant, mutants

from passline.house import make_house
from passline.law import BOOKS
from passline.law.load import book_from, book_text, install
from passline.layout import lay_felt

AT_ONCE = 2
EVERY = 500

#: A claim ("book:clause" or "book:custom:PATH") and the node id of the test that makes it.
Pair = tuple[str, str]


class Change(NamedTuple):
    """Something that is otherwise: its name, the claims it concerns, and how to make it so."""

    name: str
    claims: tuple[str, ...]
    install: Callable[[], None]


def changes() -> Iterator[Change]:
    """Everything that can be otherwise, the rulebooks' values first."""
    for book_id in BOOKS:
        data = tomllib.loads(book_text(book_id))
        for mutant in mutants(book_id, data):
            yield Change(_name(mutant), _claims(mutant), _installer(mutant, data))
    for broken in breaks():
        yield Change(f"code: {broken.name}", broken.clauses, broken.install)
    for mutant in floor_mutants():
        yield Change(" ".join(mutant.name.split()), mutant.clauses, mutant.install)


def _name(mutant: Mutant) -> str:
    return f"{mutant.path}: {mutant.change}"


def _claims(mutant: Mutant) -> tuple[str, ...]:
    """The clauses it cites; for a custom value its place, and every part of the book around it."""
    if mutant.clauses:
        return tuple(f"{mutant.book}:{clause}" for clause in mutant.clauses)
    ends = [place for place, sign in enumerate(mutant.path) if sign in ".["]
    return tuple(f"{mutant.book}:custom:{mutant.path[:end]}" for end in [*ends, None])


def _installer(mutant: Mutant, data: dict[str, Any]) -> Callable[[], None]:
    def put() -> None:
        book = book_from(mutant.apply(data))
        # A book that can no longer be laid out stops every test alike.
        lay_felt(make_house(book))
        install(book)

    return put


class Judge:
    """Finds out, for each pair of a claim and a test, a change under which the test fails."""

    def __init__(self, items: Iterable[pytest.Item], talks: bool = False) -> None:
        self.items = {item.nodeid: item for item in items}
        self.talks = talks
        self.found: dict[Pair, str] = {}
        self._waiting: dict[int, tuple[Change, list[Pair], int]] = {}

    def judge(self, tried: Iterable[Change], pairs: Iterable[Pair]) -> dict[Pair, str]:
        """The name of a change for each pair that bites; a pair that does not is left out."""
        by_claim: dict[str, list[Pair]] = {}
        for pair in pairs:
            by_claim.setdefault(pair[0], []).append(pair)
        start = time.monotonic()
        for count, change in enumerate(tried, 1):
            open_pairs = [p for c in change.claims for p in by_claim.get(c, ())]
            self._try(change, [pair for pair in open_pairs if pair not in self.found])
            if self.talks and count % EVERY == 0:
                done = f"{count} changes, {len(self.found)} rows bite"
                print(f"{done}, {time.monotonic() - start:.0f} s", file=sys.stderr)
        while self._waiting:
            self._hear()
        return self.found

    def _try(self, change: Change, pairs: list[Pair]) -> None:
        if not pairs:
            return
        if len(self._waiting) >= AT_ONCE:
            self._hear()
        tests = list(dict.fromkeys(test for _, test in pairs))
        pid, reader = fork(lambda: self._child(change, tests))
        self._waiting[pid] = (change, pairs, reader)

    def _child(self, change: Change, tests: list[str]) -> list[str]:
        change.install()
        return [test for test in tests if fails(self.items[test])]

    def _hear(self) -> None:
        """What the next child to end has found; one that came to nothing has found nothing."""
        pid, _ = os.wait()
        change, pairs, reader = self._waiting.pop(pid)
        answer = answer_of(reader)
        failed = set(answer) if isinstance(answer, list) else set()
        for pair in pairs:
            if pair[1] in failed:
                self.found.setdefault(pair, change.name)
