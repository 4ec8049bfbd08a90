"""Write each book's ``clause_tests.tsv``: which tests check which clause, and how that was proved.

Usage: ``tools/clause_tests.py`` adds rows for new tests and drops those of tests that are gone.
``--all`` tries every row again (minutes). ``--check`` exits 1 if a file is out of date, or if one
of a sample of rows no longer holds. With ``--claims``, only the tests of the sample are collected.

A test claims the clauses that it is marked with. A claim is proved if the test fails under some
change of what implements the clause (``mutation_judge``); its row names that change. A test that
is no case may claim, without proof, a definition, a procedure or something physical that no data
cites; the row says so. A case, or a test of a clause that decides something, must be proved:
otherwise the exit status is 1. Other unproved claims are printed and listed in
``tests/unproved_claims.tsv``. A claim in neither file has not been tried yet.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import zlib
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
import pytest
from forked_tests import OPTIONS, BareReports, list_marks
from mutation_judge import Change, Judge, Pair, list_changes
from value_mutants import CUSTOMS

from passline.game.law.book_files import BOOKS, BookError, find_book_files
from passline.game.law.clause_status import CLAUSE_TESTS_FILE
from passline.game.law.clauses import DECIDING_KINDS, clauses_by_id

ROOT = Path(__file__).parent.parent
HEADER = "clause\ttest\tfails on\n"
#: The claims that were judged, and bit on nothing.
UNPROVED = ROOT / "tests" / "unproved_claims.tsv"
#: What stands where no data speaks of a clause that decides nothing.
BY_MARK = "by its mark"
#: A case is a game: it holds a value, never a mark alone.
CASES = "test_cases.py"
SAMPLE = 6


def list_claims(item: pytest.Item) -> set[str]:
    """Return the claims of a test: its marks, without those of customs, which ``mutate`` checks."""
    return {claim for claim in list_marks(item) if not claim.startswith(f"{CUSTOMS}:")}


def find_rows_file(book: str) -> Path:
    """Return the file that lists the tests of a book's clauses."""
    return find_book_files(book).book.with_name(CLAUSE_TESTS_FILE)


def read_rows() -> dict[Pair, str]:
    """Return {(claim, test): the change that proves it} from the files of all books."""
    rows: dict[Pair, str] = {}
    for book in BOOKS:
        if find_rows_file(book).exists():
            for line in find_rows_file(book).read_text("utf-8").splitlines()[1:]:
                clause, test, *change = line.split("\t")
                rows[f"{book}:{clause}", test] = change[0] if change else ""
    return rows


def write_rows(rows: dict[Pair, str]) -> None:
    """Write the rows, each to the file of its book."""
    for book in BOOKS:
        lines = sorted(
            "\t".join((claim.partition(":")[2], test, change)) + "\n"
            for (claim, test), change in rows.items()
            if claim.startswith(f"{book}:")
        )
        find_rows_file(book).write_text(HEADER + "".join(lines), "utf-8")


def read_unproved() -> set[Pair]:
    """Return (claim, test) for the claims listed as unproved."""
    rows = (line.split("\t") for line in UNPROVED.read_text("utf-8").splitlines()[1:])
    return {(f"{book}:{clause}", test) for book, clause, test in rows}


def _lines(pairs: Iterable[Pair]) -> str:
    return "".join(sorted("\t".join((*claim.split(":", 1), test)) + "\n" for claim, test in pairs))


class Session(BareReports):
    """The pytest plugin that reads the marks and tries changes instead of running the tests."""

    excused = (pytest.skip.Exception, BookError, msgspec.ValidationError)

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.status = 2

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            print(f"cannot be collected: {report.nodeid}\n{report.longreprtext}", file=sys.stderr)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            return True
        items = [item for item in session.items if list_claims(item)]
        self.claims = self.options.claims or {
            (claim, item.nodeid) for item in items for claim in list_claims(item)
        }
        self.changes = list(list_changes())
        self.judge = Judge(items, shows_progress=self.options.all)
        gc.collect()
        gc.freeze()
        self.status = self._check() if self.options.check else self._write()
        return True

    def _known(self) -> dict[Pair, str]:
        """Return the rows whose test still makes the claim and whose change still exists."""
        names: dict[str, set[str]] = {}
        for change in self.changes:
            for claim in change.claims:
                names.setdefault(claim, set()).add(change.name)
        return {
            pair: change
            for pair, change in read_rows().items()
            if pair in self.claims
            and (change in names.get(pair[0], ()) or (change == BY_MARK and pair[0] not in names))
        }

    def _write(self) -> int:
        known = {} if self.options.all else self._known()
        rows = known | self._judged(self.claims - set(known))
        write_rows(rows)
        unproved = self.claims - set(rows)
        status = self._report_unproved(unproved)
        if not status:
            UNPROVED.write_text(f"book\tclause\ttest\n{_lines(unproved)}", "utf-8")
        return status

    def _check(self) -> int:
        written, known = read_rows(), self._known()
        if known != written or self.claims - set(known) != read_unproved():
            print(
                f"{CLAUSE_TESTS_FILE} of some rulebook is out of date: run 'make clause-tests'",
                file=sys.stderr,
            )
            return 1
        lost = self._find_unproved(draw_sample(written), written)
        for claim, test in lost:
            hint = "run 'make clause-tests-all'"
            print(
                f"no longer fails when the rule changes: {test}, {claim} ({hint})", file=sys.stderr
            )
        return 1 if lost else 0

    def _judged(self, pairs: Collection[Pair]) -> dict[Pair, str]:
        """Return rows for those of ``pairs`` that a change proves, or that need only a mark."""
        spoken = {claim for change in self.changes for claim in change.claims}
        found = self.judge.judge(self.changes, pairs) if pairs else {}
        by_mark = (pair for pair in pairs if pair[0] not in spoken and not _must_prove(pair))
        return {**dict.fromkeys(by_mark, BY_MARK), **found}

    def _report_unproved(self, pairs: Collection[Pair]) -> int:
        wrong = sorted(pair for pair in pairs if _must_prove(pair))
        for claim, test in wrong:
            print(f"does not bite: {test} claims {claim}", file=sys.stderr)
        for claim, test in sorted(set(pairs) - set(wrong)):
            print(f"not recorded, as it does not bite: {test} claims {claim}", file=sys.stderr)
        return 1 if wrong else 0

    def _find_unproved(self, pairs: list[Pair], written: dict[Pair, str]) -> list[Pair]:
        """Return those of ``pairs`` whose test does not fail under the change in its row."""
        named = {(claim, change.name): change for change in self.changes for claim in change.claims}
        alone = [
            Change(written[pair], (pair[0],), named[pair[0], written[pair]].install)
            for pair in pairs
        ]
        found = self.judge.judge(alone, pairs)
        return [pair for pair in pairs if pair not in found]


def draw_sample(written: dict[Pair, str]) -> list[Pair]:
    """Return a sample of the rows that a change proves. New rows give another sample."""
    provable = sorted(pair for pair, change in written.items() if change != BY_MARK)
    dice = random.Random(zlib.crc32(repr(sorted(written.items())).encode()))
    return dice.sample(provable, min(SAMPLE, len(provable)))


def _must_prove(pair: Pair) -> bool:
    """Return whether a claim must be proved.

    It must if the test is a case, or if it claims a clause that decides something or a custom.
    """
    book, _, clause = pair[0].partition(":")
    known = clauses_by_id(book).get(clause)
    return CASES in pair[1] or known is None or known.kind in DECIDING_KINDS


def main() -> int:
    """Write the files, or check them. Return the exit status."""
    parser = argparse.ArgumentParser(description="Which tests hold which clause.")
    parser.add_argument("--all", action="store_true", help="judge every row anew")
    parser.add_argument("--check", action="store_true", help="exit 1 if the file is out of date")
    parser.add_argument("--claims", type=_claims_of, help="for --check: a file of all claims")
    options = parser.parse_args()
    session = Session(options)
    os.chdir(ROOT)
    sample = draw_sample(read_rows()) if options.claims else ()
    needed = {test.partition("::")[0] for _, test in sample}
    collected = sorted(needed) or ["tests"]
    pytest.main([*OPTIONS, "--rootdir", str(ROOT), *collected], plugins=[session])
    return session.status


def _claims_of(file: str) -> set[Pair]:
    """Return the rows of a claims file: a claim and the test that makes it."""
    rows = (line.split("\t") for line in Path(file).read_text("utf-8").splitlines())
    return {(claim, test) for claim, test in rows}


if __name__ == "__main__":
    sys.exit(main())
