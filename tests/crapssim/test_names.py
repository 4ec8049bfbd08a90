"""How a strategy of crapssim's is named, and what is refused in one line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("crapssim", reason="crapssim is not installed (passline[crapssim])")

from passline.lab.machines.bettor import StrategyError, View
from passline.lab.strategies.ask import MemoryHandle, ask_strategy
from passline.lab.strategies.crapssim.adapter import CrapssimStrategy
from passline.lab.strategies.crapssim.expressions import CRAPSSIM_PREFIX
from passline.lab.strategies.load import load_strategy
from passline.lab.strategies.strategy_file import load_from_file
from passline.optional_packages import MissingExtra

OWN = Path(__file__).parent / "own.py"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("crapssim:IronCross", "crapssim:IronCross(10)"),
        ("crapssim:DiceDoctor", "crapssim:DiceDoctor()"),
        (" crapssim:IronCross( 5 )", "crapssim:IronCross(5)"),
        (
            "crapssim:BetPassLine(10)+PassLineOddsMultiplier({4:1})",
            "crapssim:BetPassLine(10) + PassLineOddsMultiplier({4: 1})",
        ),
        (
            "crapssim:BetPlace({6: 12}, mode=StrategyMode.REPLACE)",
            "crapssim:BetPlace({6: 12}, mode=StrategyMode.REPLACE)",
        ),
        ("crapssim:BetHop((1, 1), 5)", "crapssim:BetHop((1, 1), 5)"),
    ],
)
def test_a_name(text: str, name: str) -> None:
    loaded = load_strategy(text)
    assert loaded.name == name
    assert isinstance(loaded.function, CrapssimStrategy)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("IronCros", "there is no 'IronCros': did you mean IronCross?"),
        ("IronCross(", "expected NAME or NAME(ARGUMENT, ...)"),
        ("IronCross()", "cannot be made: IronCross.__init__() missing 1 required"),
        ("BetPlace", "needs place_bet_amounts: say crapssim:BetPlace(...)"),
        ("Field(5)", "is not a crapssim strategy"),
        ("IronCross(open('x'))", "there is no 'open'"),
        ("IronCross(5).__class__", "there is no '__class__'"),
        ("__import__('os')", "there is no '__import__'"),
        ("IronCross(*[5])", "is more than a name or a value"),
        ("IronCross(**{'base_amount': 5})", "expected NAME(ARGUMENT, ...)"),
        ("(lambda: 1)()", "is more than a name or a value"),
        ("IronCross(5) if 1 else 2", "is more than a name or a value"),
        ("StrategyMode.REPLACE.name", "there is no 'name'"),
        ("IronCross(" + "(" * 2000, "expected NAME or NAME(ARGUMENT, ...)"),
        ("1(2)", "expected NAME(ARGUMENT, ...)"),
        ("", "expected NAME or NAME(ARGUMENT, ...)"),
    ],
)
def test_what_is_no_name(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as wrong:
        load_strategy(CRAPSSIM_PREFIX + text)
    assert why in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_without_crapssim(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "crapssim"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "crapssim", None)
    with pytest.raises(MissingExtra, match=r"needs passline\[crapssim\]: .*pip install"):
        load_strategy("crapssim:IronCross")
    with pytest.raises(StrategyError, match=r"line 4: it needs passline\[crapssim\]"):
        load_from_file(str(OWN), OWN.read_bytes(), "Doubler(5)")


def test_a_file_of_theirs_in_its_own_process() -> None:
    loaded = load_strategy(f"{OWN}:Doubler(unit=5)")
    assert loaded.name == "own.py:Doubler(unit=5)"
    says, memory = ask_strategy(loaded.function, View(None, {}))
    assert says == ("pass for 5",)
    after = View(None, {}, (1, 1), (), memory)  # a craps: lost, so doubled
    says, memory = ask_strategy(loaded.function, after)
    assert says == ("pass for 10",)
    assert repr(memory) == "Doubler level=1"


@pytest.mark.parametrize(
    ("name", "says"),
    [("Doubler", "pass for 5"), ("up_to_three", "pass for 5"), ("ours(7)", "field for 7")],
)
def test_classes_objects_and_makers_of_a_file(name: str, says: str) -> None:
    _, found = load_from_file(str(OWN), OWN.read_bytes(), name)
    assert ask_strategy(found, View(None, {}))[0] == (says,)


def test_what_is_no_strategy_of_a_file() -> None:
    source = OWN.read_bytes()
    with pytest.raises(StrategyError, match=r"there is no 'Doublr': did you mean Doubler\?"):
        load_from_file(str(OWN), source, "Doublr(5)")
    with pytest.raises(StrategyError, match="is PassLine, not a function"):
        load_from_file(str(OWN), source, "PassLine(5)")


def test_a_share_of_the_bankroll_is_refused() -> None:
    _, greedy = load_from_file(str(OWN), OWN.read_bytes(), "Greedy")
    with pytest.raises(StrategyError, match="computes with its whole bankroll"):
        ask_strategy(greedy, View(None, {}))


def test_a_strategy_that_is_over_says_nothing_more() -> None:
    _, doubler = load_from_file(str(OWN), OWN.read_bytes(), "Doubler(5, shooters=1)")
    says, memory = ask_strategy(doubler, View(None, {}, new_shooter=True))
    assert says == ("pass for 5",)
    out = View(None, {}, (3, 4), (), memory, new_shooter=True)  # the second shooter
    says, memory = ask_strategy(doubler, out)
    assert says == ()
    assert isinstance(memory, MemoryHandle)
    assert ask_strategy(doubler, View(None, {}, (3, 4), (), memory))[0] == ()
