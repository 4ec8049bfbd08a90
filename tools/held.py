"""Which tests hold which clause: collect the marks, write ``src/passline/law/held.tsv``.

Usage: ``tools/held.py`` writes it; ``tools/held.py --check`` exits 1 if it is out of date.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HELD = ROOT / "src" / "passline" / "law" / "held.tsv"
HEADER = "book\tclause\ttest\n"


class Collector:
    """The pytest plugin that reads the marks and runs nothing."""

    def __init__(self) -> None:
        self.rows: set[tuple[str, str, str]] = set()
        self.errors = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors += 1
            print(f"cannot be collected: {report.nodeid}\n{report.longreprtext}", file=sys.stderr)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            for mark in item.iter_markers("clause"):
                for held in mark.args:
                    book, _, clause = str(held).partition(":")
                    self.rows.add((book, clause, item.nodeid))
        return True


def held_text() -> str | None:
    """The file as it should be; None where a test cannot be collected."""
    found = Collector()
    options = "-p no:cacheprovider -p no:terminal -p no:doctest -o addopts= --rootdir"
    os.chdir(ROOT)
    pytest.main([*options.split(), str(ROOT), "tests"], plugins=[found])
    if found.errors:
        return None
    return HEADER + "".join("\t".join(row) + "\n" for row in sorted(found.rows))


def main() -> int:
    """Write the file, or check it."""
    text = held_text()
    if text is None:
        return 2
    if "--check" not in sys.argv[1:]:
        HELD.write_text(text, "utf-8")
        return 0
    if HELD.exists() and HELD.read_text("utf-8") == text:
        return 0
    print(f"{HELD.relative_to(ROOT)} is out of date: run 'make held'", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
