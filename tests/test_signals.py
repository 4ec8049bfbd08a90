"""Signals wait while something is finished, and are given back."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading

import pytest

from passline.termination_signals import (
    TERMINATION_SIGNALS,
    SignalGuard,
    StopRequest,
    TerminationExit,
)


def hold(signals: SignalGuard, done: list[str]) -> None:
    with signals.defer():
        with signals.defer():
            os.kill(os.getpid(), signal.SIGINT)
        done.append("the whole of it")


def test_signals_wait_while_a_line_is_written() -> None:
    done: list[str] = []
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        with pytest.raises(KeyboardInterrupt):
            hold(signals, done)
        with pytest.raises(TerminationExit) as gone:
            os.kill(os.getpid(), signal.SIGHUP)
        assert gone.value.code == 128 + signal.SIGHUP
        with pytest.raises(TerminationExit), signals.defer():
            os.kill(os.getpid(), signal.SIGTERM)
    assert done == ["the whole of it"]


def failing(signals: SignalGuard) -> None:
    with signals.defer():
        os.kill(os.getpid(), signal.SIGTERM)
        raise ValueError("what was begun has failed")


def test_a_signal_counts_when_what_was_begun_fails() -> None:
    with SignalGuard(*TERMINATION_SIGNALS) as signals, pytest.raises(TerminationExit) as gone:
        failing(signals)
    assert gone.value.code == 128 + signal.SIGTERM


def test_signals_are_given_back_and_ignored_ones_stay_so() -> None:
    before = signal.getsignal(signal.SIGTERM)
    hup = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with SignalGuard(*TERMINATION_SIGNALS):
            assert signal.getsignal(signal.SIGTERM) is not before
            os.kill(os.getpid(), signal.SIGHUP)  # as under nohup
        assert signal.getsignal(signal.SIGTERM) is before
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, hup)


def test_another_thread_leaves_signals_alone() -> None:
    found: list[object] = []

    def run() -> None:
        with SignalGuard(*TERMINATION_SIGNALS):
            found.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == [before]


def test_one_that_is_forgotten_is_not_heard_later() -> None:
    with SignalGuard("SIGINT", only_default=True) as signals:
        with signals.defer(forget=True):
            os.kill(os.getpid(), signal.SIGINT)
        with signals.defer():
            pass  # nothing is left over


def test_alone_it_takes_ctrl_c_from_nobody() -> None:
    def mine(*_: object) -> None: ...

    before = signal.signal(signal.SIGINT, mine)
    try:
        with SignalGuard("SIGINT", only_default=True):
            assert signal.getsignal(signal.SIGINT) is mine
    finally:
        signal.signal(signal.SIGINT, before)
    with SignalGuard("SIGINT", only_default=True):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


class SignalInFinalizer(io.RawIOBase):
    """A file that gets a signal while Python closes it. Python discards exceptions raised there."""

    def close(self) -> None:
        if not self.closed:
            os.kill(os.getpid(), signal.SIGTERM)
        super().close()


def test_a_stop_request_is_not_lost_in_a_finalizer() -> None:
    stopped: list[str] = []
    with StopRequest(*TERMINATION_SIGNALS, on_stop=lambda: stopped.append("now")) as stop:
        assert stop.number == 0
        SignalInFinalizer()
        assert (stop.number, stopped) == (signal.SIGTERM, ["now"])
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL  # a second signal kills
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_signal_kills_at_once() -> None:
    program = """
import os, signal, time
from passline.termination_signals import StopRequest
with StopRequest("SIGINT", "SIGTERM", on_stop=lambda: print("stopping", flush=True)):
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(60)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=30)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGTERM, b"stopping\n", b"")
