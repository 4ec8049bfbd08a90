"""Run every row of a table of cases in one test, and report all rows that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest


def check_every_row(rows: Sequence[Sequence[str]], check: Callable[..., None], count: int) -> None:
    """Call ``check(*row)`` for every row, and fail with a list of all rows that fail.

    ``count`` is the number of rows: a row that goes missing fails too.
    """
    assert len(rows) == count, f"expected {count} rows, found {len(rows)}"
    failures = []
    for row in rows:
        try:
            check(*row)
        except (Exception, pytest.fail.Exception) as error:
            failures.append(f"{' | '.join(row)}\n    {type(error).__name__}: {error}")
    if failures:
        pytest.fail(f"{len(failures)} of {count} rows fail:\n" + "\n".join(failures), pytrace=False)
