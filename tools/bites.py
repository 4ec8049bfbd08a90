"""Whether a test bites: whether it fails once what the clause gives is otherwise.

What can be otherwise: a value of the rulebook that cites the clause, or the list or the name that
stands for it (``mutants``); the code that carries it out where no value does (``breaks``); what the
crew and table talk have from it (``part_mutants``). A value that no clause gives is claimed by its
place, as ``custom:KEY.PATH``.
"""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from breaks import breaks
from judging import LIMIT_S, answer_of, fails, fork
from mutant import Mutant
from mutants import CUSTOMS, mutants
from part_mutants import list_part_mutants

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

AT_ONCE = 2
#: Changes that one child tries, one after the other: a fork costs more than most of them.
BATCH = 25
EVERY = 500

#: A claim ("book:clause" or "book:custom:PATH") and the node id of the test that makes it.
Pair = tuple[str, str]


class Change(NamedTuple):
    """Something that is otherwise: its name, the claims it concerns, and how to make it so."""

    name: str
    claims: tuple[str, ...]
    install: Callable[[], Callable[[], None]]


def changes() -> Iterator[Change]:
    """Everything that can be otherwise, the rulebooks' values first."""
    for book_id in BOOKS:
        data = tomllib.loads(read_book_text(book_id))
        for mutant in mutants(book_id, data):
            yield Change(_name(mutant), _claims(mutant), _installer(mutant, data))
    data = tomllib.loads(read_customs_text())
    for mutant in mutants(CUSTOMS, data):
        yield Change(_name(mutant), _claims(mutant), _customs_installer(mutant, data))
    for broken in breaks():
        yield Change(f"code: {broken.name}", broken.clauses, broken.install)
    for said in list_part_mutants():
        yield Change(" ".join(said.name.split()), said.clauses, said.install)


def _name(mutant: Mutant) -> str:
    return f"{mutant.path}: {mutant.change}"


def _claims(mutant: Mutant) -> tuple[str, ...]:
    """The clauses it cites; for a custom value its place, and every part of the book around it."""
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
    """Empty every cache: what was read before a change, or under it, is not what is there now."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("passline.", "tests.")):
            for kept in vars(module).values():
                if hasattr(kept, "cache_clear"):
                    kept.cache_clear()


class Judge:
    """Finds out, for each pair of a claim and a test, a change under which the test fails."""

    def __init__(self, items: Iterable[pytest.Item], talks: bool = False) -> None:
        self.items = {item.nodeid: item for item in items}
        self.talks = talks
        self.found: dict[Pair, str] = {}
        self._waiting: dict[int, tuple[list[Change], int]] = {}
        self._by_claim: dict[str, list[Pair]] = {}

    def judge(self, tried: Iterable[Change], pairs: Iterable[Pair]) -> dict[Pair, str]:
        """The name of a change for each pair that bites; a pair that does not is left out."""
        for pair in pairs:
            self._by_claim.setdefault(pair[0], []).append(pair)
        start, batch = time.monotonic(), list[Change]()
        for count, change in enumerate(tried, 1):
            if self._open(change, self.found):
                batch.append(change)
            if len(batch) == BATCH:
                self._send(batch)
                batch = []
            if self.talks and count % EVERY == 0:
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
        """Try some changes in a child, as soon as there is a hand free."""
        if len(self._waiting) >= AT_ONCE:
            self._hear()
        if batch:
            pid, reader = fork(lambda: self._child(batch), LIMIT_S * len(batch))
            self._waiting[pid] = (batch, reader)

    def _child(self, batch: list[Change]) -> list[tuple[str, str, int]]:
        """In the child: the pairs that bite, each with the place of the change in the batch."""
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
        """What the next child to end has found; one that died over its batch has found nothing."""
        pid, _ = os.wait()
        batch, reader = self._waiting.pop(pid)
        answer = answer_of(reader)
        if not isinstance(answer, list):
            raise SystemExit(f"no answer about {', '.join(change.name for change in batch)}")
        for claim, test, place in answer:
            self.found.setdefault((claim, test), batch[place].name)
