"""Run single tests in a forked process with something changed, for ``mutate`` and others."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from typing import Any, Literal

import pytest
from _pytest.runner import runtestprotocol

LIMIT_S = 60
_WITHOUT = ("cacheprovider", "logging", "junitxml", "terminal", "doctest")
OPTIONS = [
    "-s",
    *(word for name in _WITHOUT for word in ("-p", f"no:{name}")),
    *("-o", "addopts=", "--strict-markers"),
]


def list_marks(item: pytest.Item) -> set[str]:
    """Return a test's marks: clauses as "book:clause", shared values as "customs:path"."""
    held = {str(clause) for mark in item.iter_markers("clause") for clause in mark.args}
    paths = (str(path) for mark in item.iter_markers("custom") for path in mark.args)
    return held | {f"customs:{path}" for path in paths}


def fails(item: pytest.Item) -> bool:
    """Run a test, and return whether it fails."""
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


class BareReports:
    """A pytest plugin that makes reports without tracebacks, which cost most of the time.

    Errors of the types in ``excused`` do not count as a failure.
    """

    excused: tuple[type[BaseException], ...] = (pytest.skip.Exception,)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport:
        """Report only whether the test passed."""
        failed = call.excinfo is not None and not call.excinfo.errisinstance(self.excused)
        outcome: Literal["passed", "failed"] = "failed" if failed else "passed"
        assert call.when != "collect"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, call.when)


def fork(job: Callable[[], Any], limit: int = LIMIT_S) -> tuple[int, int]:
    """Run a job in a child process. Return (process id, pipe from which to read the answer).

    Read it with `read_answer`. The child is killed after ``limit`` seconds, and prints nothing; 0
    means no limit.
    """
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    try:
        signal.alarm(limit)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.write(writer, json.dumps(job()).encode())
    finally:
        # Whatever happens, the child must not go on as a second pytest session.
        os._exit(0)


def read_answer(reader: int) -> Any:
    """Return the result of a child's job, or "no answer" if the child died, and close the pipe."""
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    return json.loads(text) if text else "no answer"
