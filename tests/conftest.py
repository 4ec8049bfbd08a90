"""What tests share."""

from __future__ import annotations

import gc
import os
import signal
from importlib import import_module

import pytest

from passline.lab.machines.chain import Arc, Chain
from passline.lab.sessions.plan_and_result import Plan

# A suite that runs in the background, or under nohup, has these ignored, and so would those that it
# starts.
for ending, usual in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(ending) is signal.SIG_IGN:
        signal.signal(ending, usual)

# Tests explore machines themselves: no cache of another run decides anything.
os.environ["PASSLINE_CACHE"] = "off"

# What is collected stays to the end, and what tests leave behind is small: looking for garbage as
# often as Python does took an eighth of the run.
gc.disable()
SELDOM = (50_000, 20, 50)

#: What was collected, before any of it was left out.
COLLECTED = pytest.StashKey[list[pytest.Item]]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep all that was collected: which clauses are held is asked of the long tests too."""
    config.stash[COLLECTED] = list(items)


def pytest_collection_finish() -> None:
    """What was collected is not looked through for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()


@pytest.fixture(scope="session")
def loops_compiled() -> None:
    """Compile every loop first: on a fresh machine a command says on stderr that it does so."""
    from passline.lab.exact.solve_session import solve_session

    import_module("passline.lab.simulation.session_kernels")  # compiled as they are imported
    coin = Chain(((Arc(0, 100, 18), Arc(0, -100, 18)),), (100,))
    solve_session(coin, Plan(1000, 3), arithmetic="fractions")
    solve_session(coin, Plan(1000, 3), arithmetic="doubles")
