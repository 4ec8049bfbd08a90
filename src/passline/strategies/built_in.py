"""The strategies that come with passline, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from passline.strategies import line, numbers, side
from passline.strategies.answer import Strategy

#: Name → the function, which any user's own may be written like.
BUILT_IN: Mapping[str, Strategy] = MappingProxyType(
    {
        "pass": line.pass_line,
        "pass-odds": line.pass_odds,
        "dont-pass": line.dont_pass,
        "dont-pass-odds": line.dont_pass_odds,
        "come-odds": line.come_odds,
        "three-point-molly": line.three_point_molly,
        "place-6-8": numbers.place_6_8,
        "inside": numbers.inside,
        "across": numbers.across,
        "iron-cross": numbers.iron_cross,
        "field": numbers.field,
        "hardways": numbers.hardways,
        "pass-martingale": line.pass_martingale,
        "press-6-8": numbers.press_6_8,
        "small-tall-all": side.small_tall_all,
        "fire-and-pass": side.fire_and_pass,
    }
)


def summary(name: str) -> str:
    """What a built-in does, in one line.

    >>> summary("field")
    'Field for $10 on every roll.'
    """
    return (BUILT_IN[name].__doc__ or "").partition("\n")[0]
