"""crapssim's whole strategy module, at its own table and at ours, on the same throws."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("crapssim", reason="crapssim is not installed (passline[crapssim])")

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.crapssim.adapter import CrapssimStrategy, is_crapssim_strategy
from passline.lab.strategies.crapssim.expressions import (
    CRAPSSIM_PREFIX,
    evaluate_expression,
    list_crapssim_names,
    load_crapssim_strategy,
)
from passline.lab.strategies.strategy_file import load_from_file
from tests.crapssim.side_by_side import Pair, at_ours, at_theirs, throws
from tests.crapssim.strategies import FIRST, NOT_BY_NAME, REFUSED, SAME, house

OWN = Path(__file__).parent / "own.py"
#: What a table of theirs may be set to, so that it has our house's rules.
SETTINGS: dict[str, dict[str, Any]] = {
    "sample": {"vig_rounding": "none"},
    "crapless": {"ATS_payouts": {"all": 150, "tall": 30, "small": 30}},
}


def both(expression: str) -> tuple[CrapssimStrategy, Any]:
    """A strategy of theirs as ours, and as they have it."""
    name, visitor = load_crapssim_strategy(CRAPSSIM_PREFIX + expression)
    return visitor, evaluate_expression(
        name.removeprefix(CRAPSSIM_PREFIX), list_crapssim_names(), ""
    )


def check_same(visitor: Any, theirs: Any, where: str, dice: list[Pair]) -> None:
    settings = SETTINGS.get(where, {})
    mine = at_ours(house(where), visitor, dice)
    other = at_theirs(theirs, dice, settings, crapless=where == "crapless")
    for place, (ours, (them, _)) in enumerate(zip(mine, other, strict=True)):
        assert ours == them, f"after {dice[:place]}"


@pytest.mark.parametrize("expression", SAME)
def test_the_same_to_the_cent(expression: str) -> None:
    check_same(*both(expression), SAME[expression], throws(1, 60))


@pytest.mark.long
@pytest.mark.parametrize("expression", SAME)
def test_the_same_to_the_cent_for_long(expression: str) -> None:
    for seed in range(2, 5):
        check_same(*both(expression), SAME[expression], throws(seed, 500))


@pytest.mark.parametrize(
    "name", ["Doubler(5)", "Quitter()", "after_a_twelve", "up_to_three", "swap"]
)
def test_a_users_own_is_the_same(name: str) -> None:
    source = OWN.read_bytes()
    _, mine = load_from_file(str(OWN), source, name)
    own: dict[str, Any] = {}
    exec(compile(source, str(OWN), "exec"), own)
    check_same(mine, evaluate_expression(name, own, ""), "sample", throws(5, 120))


CASES = [(why, *case) for why, cases in FIRST.items() for case in cases]


@pytest.mark.parametrize(("why", "expression", "where", "dice", "ours", "theirs"), CASES)
def test_the_first_difference(
    why: str, expression: str, where: str, dice: str, ours: int, theirs: int
) -> None:
    visitor, other = both(expression)
    faces = [(int(pair[0]), int(pair[2])) for pair in dice.split()]
    faces.append((1, 1))  # never seen
    mine = list(at_ours(house(where), visitor, faces))
    them = [moment for moment, _ in at_theirs(other, faces, SETTINGS.get(where, {}))]
    assert mine[:-1] == them[:-1]
    assert (mine[-1].rail, them[-1].rail) == (ours, theirs), why


def test_a_float_keeps_thirds_of_a_cent_that_no_chips_make() -> None:
    """$5 on the six pays $5.8333 there and $5.83 here: a third of a cent a hit."""
    visitor, other = both("BetPlace({6: 5}, mode=StrategyMode.ADD_IF_NOT_BET, skip_point=False)")
    dice: list[Pair] = [(4, 4), *[(3, 3)] * 4]
    mine = [moment.rail for moment in at_ours(house("sample"), visitor, dice)]
    them = [moment.rail for moment, _ in at_theirs(other, dice, {})]
    assert mine == [-500, -500, 83, 666, 1249]
    assert them == [-500, -500, 83, 667, 1250]


@pytest.mark.parametrize("expression", REFUSED)
def test_what_no_house_deals(expression: str) -> None:
    visitor, _ = both(expression)
    with pytest.raises(StrategyError, match=REFUSED[expression]):
        list(at_ours(house("sample"), visitor, [(4, 4), *throws(1, 60)]))


def test_what_a_new_shooter_may_make_they_may_make_after_any_seven() -> None:
    visitor, _ = both("BetAll(5)")
    with pytest.raises(StrategyError, match=r"only before a new shooter's first .*12\.B\(1\)#1"):
        list(at_ours(house("crapless"), visitor, [(3, 4), (1, 1)]))


def test_the_whole_module_is_tried() -> None:
    tried = " ".join([*SAME, *REFUSED, *(case[1] for case in CASES)])
    words = set(tried.replace("(", " ").replace(",", " ").split())
    theirs = {name for name, kind in list_crapssim_names().items() if is_crapssim_strategy(kind)}
    assert theirs - words == NOT_BY_NAME
