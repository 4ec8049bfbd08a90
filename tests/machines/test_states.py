"""Reachable states held as data, as perft counts are, with the exact mean of each strategy.

After a change that is meant, read the difference and write it with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest -n0 tests/machines/test_states.py``;
then write the table of the documents with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest tests/strategies/test_docs.py``.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from passline.lab.exact.long_run import solve_long_run
from passline.lab.machine_report import report_machine
from passline.lab.machines.chain import FAIR_DICE_WEIGHT, Chain
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategy_machine import make_machine
from tests.machines.plays import ELECT, PLAYED, house_of

DATA = Path(__file__).parent / "states.tsv"
HEAD = "rulebook\tstrategy\telected\tstates\tlumped\tmean_per_roll\tneeded\tsd_per_roll"
#: Kinds of states from which on a chain is solved only once.
MANY = 500
WRITE = os.environ.get("PASSLINE_GOLDEN") == "write"


@cache
def held() -> dict[tuple[str, str], str]:
    """Each line of the data by rulebook and strategy."""
    rows = DATA.read_text("utf-8").splitlines() if DATA.exists() else [HEAD]
    assert rows[0] == HEAD
    found = {}
    for row in rows[1:]:
        book, name, _ = row.split("\t", 2)
        found[book, name] = row
    return found


def explored(book: str, name: str) -> str:
    machine = make_machine(house_of(book, name), BUILT_IN[name], name)
    assert machine.close()
    chain = machine.chain()
    if WRITE or len(chain) < MANY:
        found = report_machine(machine).long_run
        assert found is not None
        mean, needed, sd = found.mean, found.need, found.sd
    else:  # solved once; and what is needed, by another way
        whole = solve_long_run(chain)
        mean, needed, sd = whole.mean, whole.need, whole.sd
        assert needed_in(chain) == pytest.approx(float(needed), rel=1e-9)
    elected = " ".join(f"{key}={value}" for key, value in ELECT.get((book, name), ())) or "-"
    numbers = (machine.states, len(chain), mean, needed, f"{sd:.6f}")
    return "\t".join(map(str, (book, name, elected, *numbers)))


def needed_in(chain: Chain) -> float:
    """What is needed on average, by walking the chain until nothing moves."""
    arcs = [(s, arc.next, arc.weight) for s, row in enumerate(chain.arcs) for arc in row]
    source, target, weight = (np.array(column) for column in zip(*arcs, strict=True))
    need, here = np.array(chain.need, float), np.zeros(len(chain))
    here[chain.start] = 1
    before = -1.0
    for step in range(20_000):
        here = np.bincount(target, here[source] * weight / FAIR_DICE_WEIGHT, len(chain)).astype(
            float
        )
        if step % 500 == 0:
            if abs(before - float(here @ need)) < 1e-10:
                break
            before = float(here @ need)
    return float(here @ need)


#: Take ten seconds or more, or nearly.
LARGE = {("maryland-crapless", name) for name in ("come-odds", "fire-and-pass", "small-tall-all")}


@pytest.mark.parametrize(
    ("book", "name"),
    [pytest.param(*one, marks=pytest.mark.long) if one in LARGE else one for one in PLAYED],
)
def test_states_and_exact_means(book: str, name: str) -> None:
    found = explored(book, name)
    if WRITE:
        held()[book, name] = found
        rows = [held()[played] for played in PLAYED if played in held()]
        DATA.write_text("\n".join([HEAD, *rows]) + "\n", "utf-8")
    assert held()[book, name] == found


def test_every_line_is_tested() -> None:
    assert set(held()) == set(PLAYED)
