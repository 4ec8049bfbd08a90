"""Measure how well the tests check the rulebooks: change one value, and see whether a test fails.

Usage: ``tools/mutate.py [BOOK ...] [--list] [--only KEYPATH]``.

A mutant is a rulebook with one value changed. At least one test that is marked with a clause which
the value cites must fail. For a custom value (one that cites no clause), any case of the book may
fail; cases that claim its key path, or one that begins like it, are tried first. As a BOOK,
``customs`` means the values that all books share, which the tests marked with their key path
check; ``side-bets`` means the catalog of side bets, which ``tests/side_bets`` checks.

The tests are collected once, and each mutant is tried in a forked process. Exits 1 if a mutant
survives or times out, if ``tests/equivalent.toml`` is out of date, or if a test fails unchanged.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
import tomllib
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from forked_tests import OPTIONS, BareReports, fails, fork, list_marks, read_answer
from mutant import Mutant
from value_mutants import CATALOG, CUSTOMS, SIDE_BETS, list_value_mutants

from passline.game.law.book import Book
from passline.game.law.book_files import BOOKS, BookError
from passline.game.law.citations import list_cited_places
from passline.game.law.load import (
    convert_book,
    forget_books,
    read_book_text,
    read_customs_text,
    replace_book,
    replace_customs,
)
from passline.game.law.side_bets import read_side_bets, replace_side_bets

ROOT = Path(__file__).parent.parent
EQUIVALENT = ROOT / "tests" / "equivalent.toml"
MAX_CHILDREN = os.cpu_count() or 2
REPORT_EVERY = 100
CASES = "test_cases.py"
#: The tests of the catalog of side bets, the fastest first.
SIDE_BET_TESTS = (
    "test_changes.py",
    "test_own_settlements.py",
    "test_stages.py",
    "test_side_bets.py",
)


class Verdict(NamedTuple):
    """The outcome for a mutant: "caught", "refused" (by the loader), "timed out" or "survived".

    ``tests`` counts the tests that could have caught it; ``caught_by`` has the clauses of those
    that did.
    """

    mutant: Mutant
    fate: str
    tests: int
    caught_by: frozenset[str] = frozenset()

    @property
    def alive(self) -> bool:
        return self.fate in ("survived", "timed out")


class Tests:
    """The collected tests: by the clauses that they are marked with, and the cases by book."""

    def __init__(self, items: list[pytest.Item]) -> None:
        self.by_clause: dict[str, list[pytest.Item]] = {}
        self.cases: dict[str, list[pytest.Item]] = {}
        for item in items:
            marks = list_marks(item)
            for mark in marks:
                self.by_clause.setdefault(mark, []).append(item)
            if item.path.name in SIDE_BET_TESTS and item.path.parent.name == "side_bets":
                self.by_clause.setdefault(f"{SIDE_BETS}:{CATALOG}", []).append(item)
            if item.path.name == CASES:
                for book in {mark.partition(":")[0] for mark in marks}:
                    self.cases.setdefault(book, []).append(item)
        catalog = self.by_clause.get(f"{SIDE_BETS}:{CATALOG}", [])
        catalog.sort(key=lambda item: SIDE_BET_TESTS.index(item.path.name))

    def plan(self, mutant: Mutant) -> list[tuple[str, list[pytest.Item]]]:
        """Return [(clause, its tests)] for a mutant; at least one of these tests must fail.

        For a custom value the clause is "", and the cases most likely to fail come first.
        """
        if not mutant.clauses:
            claim = f"{mutant.book}:custom:{mutant.path}"

            def find_nearness(item: pytest.Item) -> int:
                return max(_count_shared(claim, mark) for mark in list_marks(item))

            cases = sorted(self.cases.get(mutant.book, []), key=find_nearness, reverse=True)
            return [("", [*self.by_clause.get(claim, []), *cases])]
        keys = [f"{mutant.book}:{clause}" for clause in mutant.clauses]
        return [(key, self.by_clause.get(key, [])) for key in keys]

    def without(self, node_ids: set[str]) -> Tests:
        """Return the same tests without those in ``node_ids``."""
        items = {i.nodeid: i for found in self.by_clause.values() for i in found}
        return Tests([item for node, item in items.items() if node not in node_ids])


def _count_shared(one: str, other: str) -> int:
    """Return how many letters two texts share from the start."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _judge(plan: list[tuple[str, list[pytest.Item]]], effective: set[str]) -> list[str] | None:
    """In the child process: return the clauses whose tests fail, or None if no test does.

    ``plan`` is as `Tests.plan` returns it. Once a test has failed, go on only with clauses that are
    not in ``effective``: those whose tests have caught no mutant yet.
    """
    caught_by: list[str] = []
    caught = False
    for clause, items in plan:
        if caught and (clause in effective or clause in caught_by):
            continue
        for item in items:
            if fails(item):
                caught = True
                marks = list_marks(item)
                caught_by += [key for key, _ in plan if key in marks]
                break
    return caught_by if caught else None


class MutantRunner:
    """Tries mutants in child processes, a few at a time.

    ``effective`` has the clauses whose tests have caught a mutant.
    """

    def __init__(self, tests: Tests) -> None:
        self.tests = tests
        self.effective: set[str] = set()

    def judge(self, found: list[Mutant], data: dict[str, dict[str, Any]]) -> Iterator[Verdict]:
        waiting: dict[int, tuple[Mutant, int, int]] = {}
        for mutant in found:
            changed = mutant.apply(data[mutant.book])
            try:
                # Typed, and no more: a mistake that the check refuses is one that a test notices.
                shared = mutant.book in (CUSTOMS, SIDE_BETS)
                book = None if shared else convert_book(changed)
            except BookError:
                yield Verdict(mutant, "refused", 0)
                continue
            if len(waiting) >= MAX_CHILDREN:
                yield self._next(waiting)
            plan = self.tests.plan(mutant)
            pid, reader = fork(partial(self._child, mutant.book, book, changed, plan))
            waiting[pid] = (mutant, reader, len({i.nodeid for _, items in plan for i in items}))
        while waiting:
            yield self._next(waiting)

    def _child(
        self,
        book_id: str,
        book: Book | None,
        changed: dict[str, Any],
        plan: list[tuple[str, list[pytest.Item]]],
    ) -> list[str] | None:
        if book is not None:
            replace_book(book)
        elif book_id == CUSTOMS:
            replace_customs(changed)
        else:
            replace_side_bets(changed["wager"])
        if book is None:
            forget_books()
        return _judge(plan, self.effective)

    def _next(self, waiting: dict[int, tuple[Mutant, int, int]]) -> Verdict:
        pid, status = os.wait()
        mutant, reader, count = waiting.pop(pid)
        answer = read_answer(reader)
        if os.WIFSIGNALED(status) or answer == "no answer":
            return Verdict(mutant, "timed out", count)
        if answer is None:
            return Verdict(mutant, "survived", count)
        self.effective.update(answer)
        return Verdict(mutant, "caught", count, frozenset(answer))


def _failing(items: list[pytest.Item]) -> list[str]:
    return [item.nodeid for item in items if fails(item)]


def _baseline(tests: Tests, books: list[str]) -> set[str]:
    """Return the ids of the tests of ``books`` that fail without a change, and so can't be used."""
    items = {
        item.nodeid: item
        for key, found in tests.by_clause.items()
        if key.partition(":")[0] in books
        for item in found
    }
    ordered = list(items.values())
    halves = [ordered[start::MAX_CHILDREN] for start in range(MAX_CHILDREN)]
    jobs = [fork(partial(_failing, half), limit=0) for half in halves]
    failing: set[str] = set()
    for pid, reader in jobs:
        answer = read_answer(reader)
        os.waitpid(pid, 0)
        if answer == "no answer":
            raise SystemExit("mutate: the tests could not be run with the books as they are")
        failing.update(answer)
    return failing


def declared() -> dict[tuple[str, str, str], str]:
    """Return {(book, key path, change): reason} of the mutants that are declared equivalent.

    No test can tell such a mutant from the book as it is.
    """
    if not EQUIVALENT.exists():
        return {}
    rows = tomllib.loads(EQUIVALENT.read_text("utf-8")).get("equivalent", [])
    return {(row["book"], row["path"], row["change"]): row["reason"] for row in rows}


def _line(mutant: Mutant, tests: int | None = None) -> str:
    cited = ", ".join(mutant.clauses) or "custom"
    count_words = "" if tests is None else f" ({tests} tests)" if tests else " (no test)"
    return f"{mutant.book}: {mutant.path}: {mutant.change}  [{cited}]{count_words}"


def _report(book: str, verdicts: list[Verdict], effective: set[str], whole: bool) -> bool:
    """Print a book's score. Return whether all mutants died but those declared equivalent.

    If one of these died too, return False. If ``whole`` (all mutants were tried), print also the
    clauses whose tests caught none.
    """
    excused = declared()
    own = [v for v in verdicts if v.mutant.book == book]
    counted = [v for v in own if v.mutant.key not in excused]
    alive = [v for v in counted if v.alive]
    wrong = [v for v in own if v.mutant.key in excused and not v.alive]
    total, caught = len(counted), len(counted) - len(alive)
    by_fate = {fate: sum(v.fate == fate for v in counted) for fate in ("refused", "timed out")}
    share = f"{100 * caught / total:.1f} %" if total else "nothing to do"
    print(
        f"{book}: {caught} of {total} caught ({share}); {by_fate['refused']} refused by the "
        f"loader, {by_fate['timed out']} timed out, {len(own) - total} declared equivalent"
    )
    for verdict in alive:
        print(f"  survives  {_line(verdict.mutant, verdict.tests)}")
    for verdict in wrong:
        print(f"  declared equivalent, yet {verdict.fate}: {_line(verdict.mutant)}")
    if whole and book not in (CUSTOMS, SIDE_BETS):
        _report_clauses(book, own, effective)
    return not alive and not wrong


def _report_clauses(book: str, verdicts: list[Verdict], effective: set[str]) -> None:
    tried = {clause for v in verdicts for clause in v.mutant.clauses}
    unnoticed = sorted(clause for clause in tried if f"{book}:{clause}" not in effective)
    named: dict[str, set[str]] = {}
    for place in list_cited_places(book):
        if not place.valued:
            for clause in set(place.clauses) - tried:
                named.setdefault(clause, set()).add(place.path)
    for clause in unnoticed:
        print(f"  idle: the tests of {clause} caught no mutant")
    for clause, paths in sorted(named.items()):
        print(f"  no value: {clause} is only named, in {', '.join(sorted(paths))}")


def _stale(books: list[str], verdicts: list[Verdict], whole: bool) -> bool:
    known = {v.mutant.key for v in verdicts}
    stale = [key for key in declared() if key[0] in books and key not in known] if whole else []
    for book, path, change in stale:
        print(f"{book}: {path}: {change} is declared equivalent, but there is no such mutant")
    return bool(stale)


class Session(BareReports):
    """The pytest plugin that tries mutants instead of running the tests."""

    def __init__(self, found: list[Mutant], data: dict[str, dict[str, Any]], whole: bool) -> None:
        self.found, self.data, self.whole = found, data, whole
        self.good = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        books = sorted(self.data)
        tests = Tests(session.items)
        broken = _baseline(tests, books)
        if broken:
            shown = ", ".join(sorted(broken)[:3])
            print(f"{len(broken)} tests fail without any change, and are left out: {shown} ...")
        # What the children share should not be copied because its reference counts are touched.
        gc.collect()
        gc.freeze()
        runner = MutantRunner(tests.without(broken))
        verdicts = []
        start = time.monotonic()
        for verdict in runner.judge(self.found, self.data):
            verdicts.append(verdict)
            if verdict.alive:  # Shown at once: a run that is stopped has found something.
                print(f"alive: {_line(verdict.mutant, verdict.tests)}", file=sys.stderr)
            if len(verdicts) % REPORT_EVERY == 0 or len(verdicts) == len(self.found):
                alive = sum(v.alive for v in verdicts)
                done = f"{len(verdicts)} of {len(self.found)} mutants, {alive} alive"
                print(f"{done}, {time.monotonic() - start:.0f} s", file=sys.stderr)
        good = [_report(book, verdicts, runner.effective, self.whole) for book in books]
        if len(books) > 1:
            dead = sum(not v.alive for v in verdicts)
            print(f"all: {dead} of {len(verdicts)} ({100 * dead / max(len(verdicts), 1):.1f} %)")
        self.good = all(good) and not broken and not _stale(books, verdicts, self.whole)
        return True


def _read_data(book: str) -> dict[str, Any]:
    """Return the data of a book, of ``customs`` or of ``side-bets``, as read from TOML."""
    if book == SIDE_BETS:
        offers = read_side_bets().values()
        return {"wager": {name: wager for wagers in offers for name, wager in wagers.items()}}
    return tomllib.loads(read_customs_text() if book == CUSTOMS else read_book_text(book))


def main() -> int:
    """Try every mutant asked for, or list them. Return the exit status."""
    parser = argparse.ArgumentParser(description="The law's mutation score.")
    known = (*BOOKS, CUSTOMS, SIDE_BETS)
    parser.add_argument("book", nargs="*", help=f"rulebooks, of {', '.join(known)}; all if none")
    parser.add_argument("--list", action="store_true", help="list the mutants, run nothing")
    parser.add_argument("--only", default="", help="only mutants whose key path has this in it")
    options = parser.parse_args()
    for book in options.book:
        if book not in known:
            parser.error(f"no rulebook {book!r}: the rulebooks are {', '.join(known)}")
    data = {book: _read_data(book) for book in options.book or known}
    every = [mutant for book in data for mutant in list_value_mutants(book, data[book])]
    found = [mutant for mutant in every if options.only in mutant.path]
    if options.list:
        for mutant in found:
            print(_line(mutant))
        return 0
    session = Session(found, data, whole=not options.only)
    os.chdir(ROOT)
    pytest.main([*OPTIONS, "--rootdir", str(ROOT), "tests"], plugins=[session])
    return 0 if session.good else 1


if __name__ == "__main__":
    sys.exit(main())
