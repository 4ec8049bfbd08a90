"""docs/play/strategies.md: its table is the engine's, its examples run.

The figures come from tests/machines/states.tsv, which tests/machines/test_states.py holds to the
engine. Write the table with
``PASSLINE_GOLDEN=write .venv/bin/python -m pytest tests/strategies/test_docs.py``.
"""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from passline.game.house.load import house_for
from passline.game.law.book_files import BOOKS
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.load import load_strategy
from passline.lab.strategy_machine import make_machine
from tests.doc_tables import hold_costs

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "play" / "strategies.md"
DATA = ROOT / "tests" / "machines" / "states.tsv"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)


def cells() -> dict[tuple[str, str], str]:
    found = {}
    for row in DATA.read_text("utf-8").splitlines()[1:]:
        book, name, _, _, _, mean, needed, _ = row.split("\t")
        cost, least = -Fraction(mean), Fraction(needed)
        found[book, name] = f"{float(cost):.3f} · {float(cost / least):.3%}"
    return found


def table() -> str:
    found = cells()
    rows = [f"| strategy | {' | '.join(BOOKS)} |", "|---" * (len(BOOKS) + 1) + "|"]
    for name in BUILT_IN:
        row = " | ".join(found.get((book, name), "–") for book in BOOKS)
        rows.append(f"| `{name}` | {row} |")
    return "\n".join(rows) + "\n"


def test_the_costs_are_the_engines() -> None:
    hold_costs(PAGE, table())


def test_every_built_in_is_described() -> None:
    text = PAGE.read_text("utf-8")
    assert [name for name in BUILT_IN if f"| `{name}` |" not in text] == []


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own, library = BLOCK.findall(PAGE.read_text("utf-8"))
    Path("own.py").write_text(own, "utf-8")
    loaded = load_strategy("own.py:six_and_eight")
    machine = make_machine(house_for("new-jersey"), loaded.function, loaded.name)
    assert machine.close()
    kept = {repr(machine.state(n).memory) for n in range(machine.states)}
    assert kept >= {"None", "0", "1", "2"}
    exec(compile(library, "docs/play/strategies.md", "exec"), {})
    assert "three-point-molly at New Jersey" in capsys.readouterr().out
