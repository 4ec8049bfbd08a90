"""What a person sees while a command works: on a terminal's standard error, and nowhere else."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.system

SESSION = (
    "session three-point-molly --rulebook new-jersey --bankroll 2000 --exact --doubles --json "
    "--rolls"
)


def run_on_terminal(words: str, after: Callable[[str], bool] | None = None) -> tuple[int, str, str]:
    """Exit status, standard output, and what a terminal got; Ctrl-C once ``after`` holds of it."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "passline", *words.split()]
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs, env=env
    ) as ran:
        os.close(theirs)
        told: list[bytes] = []

        def listen() -> None:
            while True:
                try:
                    data = os.read(ours, 65536)
                except OSError:  # the terminal's other end is closed
                    return
                if not data:
                    return
                told.append(data)

        def shown() -> str:
            return b"".join(told).decode("utf-8", "replace")

        listener = threading.Thread(target=listen)
        listener.start()
        while after is not None and ran.poll() is None and not after(shown()):
            time.sleep(0.02)
        if after is not None:
            ran.send_signal(signal.SIGINT)
        assert ran.stdout is not None
        out = ran.stdout.read().decode()
        listener.join()
    os.close(ours)
    return ran.returncode, out, shown()


def shares(told: str) -> list[int]:
    return [int(found) for found in re.findall(r"\b(\d+)%", told)]


def test_an_exact_session_shows_how_far_it_is() -> None:
    code, out, told = run_on_terminal(f"{SESSION} 800")
    assert code == 0
    assert json.loads(out)["method"] == "exact"
    assert sorted(shares(told)) == shares(told)
    assert len(set(shares(told))) > 3


def test_an_exact_session_can_be_broken_off() -> None:
    code, out, told = run_on_terminal(f"{SESSION} 20000", after=lambda told: any(shares(told)))
    assert code == 2
    found = json.loads(out)
    assert found["interrupted"] is True
    assert 0 < found["rolls_planned"] < 20000
    last = told.rstrip().splitlines()[-1]
    done = f"{found['rolls_planned']:,} of 20,000 rolls"
    assert last.endswith(f"passline session: interrupted; shown is what was done, {done}")
