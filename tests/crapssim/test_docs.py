"""docs/play/crapssim.md: its table is the engine's, its commands run.

``tests/crapssim/costs.tsv`` holds the figures of the table. The quick ones are worked out here; the
larger machines' in ``make long``. Write both, all of them, with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest tests/crapssim/test_docs.py -m ''``.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("crapssim", reason="crapssim is not installed (passline[crapssim])")
pytest.importorskip("numpy", reason="machines need passline[lab]")

from passline.cli.main import cli
from passline.lab.exact.long_run import solve_long_run
from passline.lab.strategies.crapssim.expressions import CRAPSSIM_PREFIX
from passline.lab.strategy_machine import machine
from tests.crapssim.strategies import SAMPLE
from tests.doc_tables import commands_of, hold_costs

PAGE = Path(__file__).parents[2] / "docs" / "play" / "crapssim.md"
COSTS = Path(__file__).parent / "costs.tsv"
QUICK = ["PassLinePlace68", "PlaceInside(10)", "IronCross(10)", "Knockout(10)"]
LARGER = [
    "Place68PR",
    "HammerLock(10)",
    "PassLinePlace68Move59",
    "Pass2Come(10)",
]


def worked_out(name: str) -> str:
    """A row of the figures: states, kinds, the mean and what is needed (cents a roll, exact)."""
    made = machine(str(SAMPLE), CRAPSSIM_PREFIX + name)
    chain = made.chain()
    found = solve_long_run(chain)
    return f"{name}\t{made.states}\t{len(chain)}\t{found.mean}\t{found.need}\t{found.sd:.2f}"


def held() -> dict[str, str]:
    rows = COSTS.read_text("utf-8").splitlines() if COSTS.exists() else []
    return {row.partition("\t")[0]: row for row in rows[1:]}


def hold(name: str, row: str) -> None:
    rows = {**held(), name: row}
    lines = [
        "strategy\tstates\tkinds\tmean\tneeded\tsd",
        *(rows[n] for n in QUICK + LARGER if n in rows),
    ]
    COSTS.write_text("\n".join(lines) + "\n", "utf-8")


def check(name: str) -> None:
    row = worked_out(name)
    if os.environ.get("PASSLINE_GOLDEN") == "write":
        hold(name, row)
    assert held()[name] == row


@pytest.mark.parametrize("name", QUICK)
def test_the_figures_are_the_engines(name: str) -> None:
    check(name)


@pytest.mark.long
@pytest.mark.parametrize("name", LARGER)
def test_the_larger_figures_are_the_engines(name: str) -> None:
    check(name)


def table() -> str:
    rows = [
        "| strategy | cents lost a roll | of what it needs | sd of a roll | states |",
        "|---" * 5 + "|",
    ]
    for row in held().values():
        name, states, _, mean, need, sd = row.split("\t")
        cost, least = -Fraction(mean), Fraction(need)
        share = f"{float(cost / least):.3%}"
        dollars = f"${float(sd) / 100:.2f}"
        rows.append(f"| `crapssim:{name}` | {float(cost):.3f} | {share} | {dollars} | {states} |")
    return "\n".join(rows) + "\n"


def test_the_table_is_those_figures() -> None:
    hold_costs(PAGE, table())


MINE = """
from crapssim.strategy import AggregateStrategy, BetPassLine, BetPlace

class MyStrategy(AggregateStrategy):
    def __init__(self, unit):
        super().__init__(BetPassLine(unit), BetPlace({8: 12}))
"""
#: What would take long, and what is run in its place.
SHORTER = {"--rolls 1e8": "--rolls 1e5", "pass-odds:2 --rule": "pass-odds:2 --trials 50 --rule"}


#: Run in each run of the tests; the others in 'make long'.
OFTEN = {"simulate", "shift"}


@pytest.mark.usefixtures("loops_compiled")
@pytest.mark.parametrize(
    "args",
    [
        pytest.param(args, marks=() if args[0] in OFTEN else pytest.mark.long, id=args[0])
        for args in commands_of(PAGE)
    ],
)
def test_a_command_of_the_page(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a shell takes it apart; a long one with less to do."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, "utf-8")
    line = " ".join(args)
    for long, short in SHORTER.items():
        line = line.replace(long, short)
    ended = CliRunner().invoke(cli, line.split(), prog_name="passline")
    assert ended.exit_code == 0, ended.stderr
    assert ended.stdout


def test_the_page_has_every_command_that_takes_a_strategy() -> None:
    asked = {first for first, *_ in commands_of(PAGE)}
    assert asked == {"simulate", "machine", "session", "cost", "compare", "shift"}


@pytest.mark.long
def test_their_table_comes_to_the_exact_mean() -> None:
    """Twenty thousand throws at crapssim's own table, within four standard errors."""
    from tests.crapssim.side_by_side import at_theirs, throws
    from tests.crapssim.test_same import both

    rolls = 20_000
    _, theirs = both("IronCross(10)")
    for moment, _ in at_theirs(theirs, throws(11, rolls), {}):
        last = moment
    net = last.rail + sum(last.up.values())
    name, _, _, mean, _, sd = held()["IronCross(10)"].split("\t")
    assert abs(net - float(Fraction(mean)) * rolls) < 4 * float(sd) * rolls**0.5, name
