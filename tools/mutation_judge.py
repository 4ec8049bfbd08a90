"""Find out whether a test that claims a clause fails when what implements the clause is changed.

A change is of one of four kinds: a value in a rulebook that cites the clause (``value_mutants``), a
list or a citation (``citation_mutants``), the code that implements a clause without a value
(``code_mutants``), or the data on the crew's work and on talk (``part_mutants``). A test claims a
value that cites no clause by its key path, as ``custom:KEY.PATH``.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from code_mutants import list_code_mutants
from forked_tests import LIMIT_S, fails, fork, read_answer
from mutant import Mutant
from part_mutants import list_part_mutants
from value_mutants import CUSTOMS, list_value_mutants

from passline.game.house.house import make_house
from passline.game.law.book_files import BOOKS
from passline.game.law.load import (
    convert_book,
    forget_books,
    read_book_text,
    read_customs_text,
    replace_book,
    replace_customs,
    rulebook,
)
from passline.game.layout.compile import compile_layout

MAX_CHILDREN = 2
#: Changes that one child tries, one after the other: a fork costs more than most of them.
BATCH_SIZE = 25
REPORT_EVERY = 500

#: A claim ("book:clause" or "book:custom:PATH") and the node id of the test that makes it.
Pair = tuple[str, str]


class Change(NamedTuple):
    """One change: its name, and the claims whose tests should fail under it.

    ``install`` makes the change, and returns a function that undoes it.
    """

    name: str
    claims: tuple[str, ...]
    install: Callable[[], Callable[[], None]]


def list_changes() -> Iterator[Change]:
    """Yield every change, those of the rulebooks' values first."""
    for book_id in BOOKS:
        data = tomllib.loads(read_book_text(book_id))
        for mutant in list_value_mutants(book_id, data):
            yield Change(_name(mutant), _claims(mutant), _installer(mutant, data))
    data = tomllib.loads(read_customs_text())
    for mutant in list_value_mutants(CUSTOMS, data):
        yield Change(_name(mutant), _claims(mutant), _customs_installer(mutant, data))
    for broken in list_code_mutants():
        yield Change(f"code: {broken.name}", broken.clauses, broken.install)
    for part in list_part_mutants():
        yield Change(" ".join(part.name.split()), part.clauses, part.install)


def _name(mutant: Mutant) -> str:
    return f"{mutant.path}: {mutant.change}"


def _claims(mutant: Mutant) -> tuple[str, ...]:
    """Return the claims that a mutant concerns: the clauses that its value cites.

    For a custom value they are ``custom:`` claims of its key path and of every table around it; for
    a value of the customs, in all books.
    """
    if mutant.clauses and mutant.book != CUSTOMS:
        return tuple(f"{mutant.book}:{clause}" for clause in mutant.clauses)
    books = BOOKS if mutant.book == CUSTOMS else (mutant.book,)
    ends = [place for place, sign in enumerate(mutant.path) if sign in ".["]
    return tuple(f"{b}:custom:{mutant.path[:end]}" for b in books for end in [*ends, None])


def _installer(mutant: Mutant, data: dict[str, Any]) -> Callable[[], Callable[[], None]]:
    def put() -> Callable[[], None]:
        # Typed, and no more: the whole check would refuse many a change that can be dealt.
        book, kept = convert_book(mutant.apply(data)), rulebook(mutant.book)
        # A book that cannot be laid out stops every test alike: it is no change that counts.
        compile_layout(make_house(book))
        replace_book(book)
        return lambda: replace_book(kept)

    return put


def _customs_installer(mutant: Mutant, data: dict[str, Any]) -> Callable[[], Callable[[], None]]:
    def replace(customs: dict[str, Any]) -> None:
        replace_customs(customs)
        forget_books()

    def put() -> Callable[[], None]:
        replace(mutant.apply(data))
        return lambda: replace(data)

    return put


def _forget() -> None:
    """Empty every cache, so that nothing read before or under another change is used."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("passline.", "tests.")):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


class Judge:
    """Finds, for each pair of a claim and a test, a change under which the test fails.

    With ``shows_progress``, it prints its progress.
    """

    def __init__(self, items: Iterable[pytest.Item], shows_progress: bool = False) -> None:
        self.items = {item.nodeid: item for item in items}
        self.shows_progress = shows_progress
        self.found: dict[Pair, str] = {}
        self._waiting: dict[int, tuple[list[Change], int]] = {}
        self._by_claim: dict[str, list[Pair]] = {}

    def judge(self, tried: Iterable[Change], pairs: Iterable[Pair]) -> dict[Pair, str]:
        """Return the name of a change for each pair that has one. The other pairs are left out."""
        for pair in pairs:
            self._by_claim.setdefault(pair[0], []).append(pair)
        start, batch = time.monotonic(), list[Change]()
        for count, change in enumerate(tried, 1):
            if self._open(change, self.found):
                batch.append(change)
            if len(batch) == BATCH_SIZE:
                self._send(batch)
                batch = []
            if self.shows_progress and count % REPORT_EVERY == 0:
                done = f"{count} changes, {len(self.found)} rows bite"
                print(f"{done}, {time.monotonic() - start:.0f} s", file=sys.stderr)
        self._send(batch)
        while self._waiting:
            self._hear()
        return self.found

    def _open(self, change: Change, found: Container[Pair]) -> list[Pair]:
        pairs = [pair for claim in change.claims for pair in self._by_claim.get(claim, ())]
        return [pair for pair in pairs if pair not in found]

    def _send(self, batch: list[Change]) -> None:
        """Start a child process for some changes, once fewer than the maximum are running."""
        if len(self._waiting) >= MAX_CHILDREN:
            self._hear()
        if batch:
            pid, reader = fork(lambda: self._child(batch), LIMIT_S * len(batch))
            self._waiting[pid] = (batch, reader)

    def _child(self, batch: list[Change]) -> list[tuple[str, str, int]]:
        """In the child process: return (claim, test, index in the batch) for each test that fails.

        The index is that of the first change under which it fails.
        """
        found: dict[Pair, int] = {}
        for place, change in enumerate(batch):
            pairs = self._open(change, {**self.found, **found})
            failed = self._failed(change, dict.fromkeys(test for _, test in pairs))
            found.update({pair: place for pair in pairs if pair[1] in failed})
        return [(*pair, place) for pair, place in found.items()]

    def _failed(self, change: Change, tests: Iterable[str]) -> set[str]:
        _forget()
        try:
            undo = change.install()
        except Exception:
            # Not a change that could be made: the book or the file is refused, one way or another.
            return set()
        try:
            return {test for test in tests if fails(self.items[test])}
        finally:
            undo()

    def _hear(self) -> None:
        """Wait for a child and store what it found. Exit if it died without an answer."""
        pid, _ = os.wait()
        batch, reader = self._waiting.pop(pid)
        answer = read_answer(reader)
        if not isinstance(answer, list):
            raise SystemExit(f"no answer about {', '.join(change.name for change in batch)}")
        for claim, test, place in answer:
            self.found.setdefault((claim, test), batch[place].name)
