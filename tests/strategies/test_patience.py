"""The alarm clock: it rings once, leaves others' alarms alone, and needs the main thread."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from passline.machines import StrategyError
from passline.strategies.patience import patience


def test_what_ends_in_time_is_left_alone() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with patience(5):
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_what_does_not_end_is_stopped() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(StrategyError, match=r"within 0\.02 seconds"), patience(0.02):
        time.sleep(30)
    assert signal.getsignal(signal.SIGALRM) is before


def test_an_error_inside_is_passed_on_and_the_clock_stopped() -> None:
    with pytest.raises(KeyError), patience(5):
        raise KeyError
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_one_within_another() -> None:
    with pytest.raises(StrategyError, match=r"within 0\.02 "), patience(60), patience(0.02):
        time.sleep(30)
    with pytest.raises(StrategyError, match=r"within 0\.05 "), patience(0.05):
        nested()


def nested() -> None:
    with patience(20):
        pass
    time.sleep(30)


def test_the_alarm_of_somebody_else_still_rings() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with patience(20):
            time.sleep(0.05)  # its time goes by in here
        deadline = time.monotonic() + 20
        while not rung and time.monotonic() < deadline:
            time.sleep(0.005)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]


def test_another_thread_goes_without() -> None:
    done: list[bool] = []

    def run() -> None:
        with patience(0.001):
            time.sleep(0.02)
        done.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [True]
