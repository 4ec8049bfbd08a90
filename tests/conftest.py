"""What tests share."""

from __future__ import annotations

import signal
from importlib import import_module

import pytest

from passline.machines import Arc, Chain
from passline.sessions import Plan

# A suite that runs in the background, or under nohup, has these ignored, and so would those that it
# starts.
for ending, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(ending) is signal.SIG_IGN:
        signal.signal(ending, usual)


@pytest.fixture(scope="session")
def loops_compiled() -> None:
    """Compile every loop first: on a fresh machine a command says on stderr that it does so."""
    from passline.exact.session import exact_session

    import_module("passline.simulation.session_loops")  # compiled as they are imported
    coin = Chain(((Arc(0, 100, 18), Arc(0, -100, 18)),), (100,))
    exact_session(coin, Plan(1000, 3), arithmetic="fractions")
    exact_session(coin, Plan(1000, 3), arithmetic="doubles")
