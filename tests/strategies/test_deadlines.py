"""The clock: it rings once, in any thread, and leaves the process's own alarm alone."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import deadline, time_limit


def loop() -> None:
    while True:
        pass


def test_what_ends_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    timer = signal.getitimer(signal.ITIMER_REAL)  # a timer of the test runner goes on
    with time_limit(5):
        assert signal.getitimer(signal.ITIMER_REAL) == pytest.approx(timer, abs=1)
        assert signal.getsignal(signal.SIGALRM) is before


def test_what_does_not_end_is_stopped() -> None:
    with pytest.raises(StrategyError, match=r"within 0\.02 seconds"), time_limit(0.02):
        loop()


def test_an_error_inside_is_passed_on_and_nothing_rings_after_it() -> None:
    with pytest.raises(KeyError), time_limit(0.02):
        raise KeyError
    time.sleep(0.2)


def test_one_within_another() -> None:
    with pytest.raises(StrategyError, match=r"within 0\.02 "), time_limit(60), time_limit(0.02):
        loop()
    with pytest.raises(StrategyError, match=r"within 0\.05 "), time_limit(0.05), time_limit(60):
        loop()


def test_an_alarm_of_somebody_else_rings_in_its_time() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with time_limit(20):
            until = time.monotonic() + 20
            while not rung and time.monotonic() < until:
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


def test_every_thread_is_stopped_by_its_own_clock() -> None:
    said: list[str] = []

    def run(seconds: float) -> None:
        try:
            with time_limit(seconds):
                loop()
        except StrategyError as wrong:
            said.append(str(wrong))

    threads = [threading.Thread(target=run, args=(seconds,)) for seconds in (0.02, 0.03)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(said) == [
        f"the strategy did not answer within {seconds} seconds" for seconds in ("0.02", "0.03")
    ]


def test_a_deadline_rings_once_and_only_when_it_is_passed() -> None:
    rung: list[str] = []
    with deadline(60, lambda: rung.append("early")) as wait:
        assert not wait.expired
    with deadline(0.01, lambda: rung.append("late")) as wait:
        time.sleep(0.3)
    assert wait.expired
    assert rung == ["late"]


def test_a_process_that_was_forked_has_a_clock_too() -> None:
    with time_limit(60):  # the clock runs
        child = os.fork()
        if child == 0:  # pragma: no cover - another process
            code = 1
            try:
                with time_limit(0.02):
                    loop()
            except StrategyError:
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
