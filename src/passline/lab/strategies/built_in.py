"""The built-in strategies, by name: line, come, numbers, field, hardways and side wagers.

Flat bets are $10, and $12 on the 6 and the 8; odds are the house's maximum. The keyword argument
``unit`` sets another flat bet; the 6 and the 8 then get a multiple of $6. At a table with a higher
minimum or larger chips, ``load_strategy`` sets ``unit`` to what it takes. Bets on numbers are made
while a point is on and stay up; the rulebook says whether they work on a come-out roll. You can
write your own in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from passline.lab.machines.bettor import View
from passline.lab.strategies.ask import Strategy

UNIT = 10

#: Betting phrases in the record language, such as ``pass for 10``.
Says = list[str]


#: pass-martingale starts over when a doubled bet would exceed this many units. Every rulebook
#: accepts $320; the next doubling, $640, is above the $500 maximum of one.
MAX_MARTINGALE = 32


def unit_on_6_8(unit: int) -> int:
    """Return the dollars for a place bet on the 6 or the 8, if other bets are ``unit`` dollars.

    It is a multiple of 6, because the bet pays 7 to 6.

    >>> unit_on_6_8(10), unit_on_6_8(25)
    (12, 30)
    """
    return -(-unit // 5) * 6


def _bet_line(view: View, wager: str, unit: int) -> Says:
    """Return [phrase] to bet ``wager`` on the line, or [] with a point on or the bet up already."""
    return [f"{wager} for {unit}"] if view.puck is None and not view.up(wager) else []


def _bet_line_with_odds(view: View, wager: str, unit: int) -> Says:
    odds = f"{wager}-odds"
    if view.puck is not None and view.up(wager) and not view.up(odds):
        return [f"{odds} for max"]
    return _bet_line(view, wager, unit)


def find_come_numbers(view: View) -> list[str]:
    """Return the numbers that come wagers have traveled to.

    >>> find_come_numbers(View(6, {"come-4": 10, "come-odds-4": 10, "come": 10, "come-9": 10}))
    ['4', '9']
    """
    numbers = (slug.removeprefix("come-") for slug in view.wagers if slug.startswith("come-"))
    return [number for number in numbers if number.isdigit()]


def _bet_come_odds(view: View) -> Says:
    return [
        f"come-odds-{number} for max"
        for number in find_come_numbers(view)
        if not view.up(f"come-odds-{number}")
    ]


def pass_line(view: View, unit: int = UNIT) -> Says:
    """Pass for $10 on every come-out roll."""
    return _bet_line(view, "pass", unit)


def pass_odds(view: View, unit: int = UNIT) -> Says:
    """Pass for $10, with full odds behind it once a point is on."""
    return _bet_line_with_odds(view, "pass", unit)


def dont_pass(view: View, unit: int = UNIT) -> Says:
    """Don't pass for $10 on every come-out roll."""
    return _bet_line(view, "dont-pass", unit)


def dont_pass_odds(view: View, unit: int = UNIT) -> Says:
    """Don't pass for $10, laying full odds once a point is on."""
    return _bet_line_with_odds(view, "dont-pass", unit)


def come_odds(view: View, unit: int = UNIT) -> Says:
    """Come for $10 on every roll while a point is on, with full odds on each that has traveled.

    Never bet the line. Come bets stay up over a come-out roll; the rulebook turns their odds off
    for that roll.
    """
    says = _bet_come_odds(view)
    if view.puck is not None and not view.up("come"):
        says.append(f"come for {unit}")
    return says


def three_point_molly(view: View, unit: int = UNIT) -> Says:
    """Pass and up to two come wagers for $10 each, with full odds on all three numbers.

    While a point is on, make another come bet if fewer than two have traveled to numbers.
    """
    says = _bet_line_with_odds(view, "pass", unit) + _bet_come_odds(view)
    if view.puck is not None and not view.up("come") and len(find_come_numbers(view)) < 2:
        says.append(f"come for {unit}")
    return says


def pass_martingale(view: View, unit: int = UNIT) -> tuple[Says, int]:
    """Pass for $10, doubled after each loss and back to $10 after a win, up to $320.

    After a loss at $320 start over at $10, so that the strategy has finitely many states. Its
    memory is the amount of the current bet in dollars.
    """
    stake = view.memory if isinstance(view.memory, int) else unit
    for seen in view.settled:
        if seen.wager == "pass":
            again = seen.result == "win" or 2 * stake > MAX_MARTINGALE * unit
            stake = unit if again else 2 * stake
    made = view.puck is None and not view.up("pass")
    return ([f"pass for {stake}"] if made else []), stake


#: press-6-8 presses a place bet up to this many times its first amount.
MAX_PRESSED = 5


def _place_numbers(view: View, unit: int, *numbers: int) -> Says:
    if view.puck is None:
        return []
    return [
        f"place-win-{number} for {unit_on_6_8(unit) if number in (6, 8) else unit}"
        for number in numbers
        if not view.up(f"place-win-{number}")
    ]


def place_6_8(view: View, unit: int = UNIT) -> Says:
    """Place the 6 and the 8 for $12 each while a point is on."""
    return _place_numbers(view, unit, 6, 8)


def inside(view: View, unit: int = UNIT) -> Says:
    """Place the 5 and the 9 for $10, the 6 and the 8 for $12, while a point is on."""
    return _place_numbers(view, unit, 5, 6, 8, 9)


def across(view: View, unit: int = UNIT) -> Says:
    """Place the 4, 5, 9 and 10 for $10, the 6 and the 8 for $12, while a point is on."""
    return _place_numbers(view, unit, 4, 5, 6, 8, 9, 10)


def field(view: View, unit: int = UNIT) -> Says:
    """Field for $10 on every roll."""
    return [] if view.up("field") else [f"field for {unit}"]


def iron_cross(view: View, unit: int = UNIT) -> Says:
    """While a point is on: place the 5 for $10, the 6 and the 8 for $12, and field for $10.

    Every total but the seven wins something. The field is made again for each roll.
    """
    if view.puck is None:
        return []
    return _place_numbers(view, unit, 5, 6, 8) + field(view, unit)


def hardways(view: View, unit: int = UNIT) -> Says:
    """All four hardways for $10 each while a point is on, made again when they lose."""
    if view.puck is None:
        return []
    return [f"hard-{n} for {unit}" for n in (4, 6, 8, 10) if not view.up(f"hard-{n}")]


def press_6_8(view: View, unit: int = UNIT) -> Says:
    """Place the 6 and the 8 for $12 each, each pressed by $12 when it hits, up to $60.

    After a seven-out both start again at $12.
    """
    says = _place_numbers(view, unit, 6, 8)
    most = MAX_PRESSED * unit_on_6_8(unit)
    for seen in view.settled:
        up = view.wagers.get(seen.wager, most)
        mine = seen.wager in ("place-win-6", "place-win-8")
        if mine and seen.result == "win" and up < most:
            says.append(f"{seen.wager} to {up + unit_on_6_8(unit)}")
    return says


#: The most that every rulebook with a fire wager takes on it.
FIRE_UNIT = 5


def small_tall_all(view: View, unit: int = UNIT) -> Says:
    """All small, all tall and make them all for $10 each, for every new shooter.

    The house must offer bonus craps (option ``-o offers.bonus=A`` or ``B``).
    """
    if not view.new_shooter:
        return []
    bonus = ("all-small", "all-tall", "make-them-all")
    return [f"{wager} for {unit}" for wager in bonus if not view.up(wager)]


def fire_and_pass(view: View, unit: int = UNIT) -> Says:
    """Pass for $10 on every come-out roll, and fire for $5 for every new shooter.

    $5 is the most that the rulebooks accept on fire. The house must offer the bet (option ``-o
    offers.fire=A`` or ``B``).
    """
    fire = view.new_shooter and not view.up("fire")
    return pass_line(view, unit) + ([f"fire for {FIRE_UNIT}"] if fire else [])


#: The built-in strategies: from the name that users type to the function.
BUILT_IN: Mapping[str, Strategy] = MappingProxyType(
    {
        "pass": pass_line,
        "pass-odds": pass_odds,
        "dont-pass": dont_pass,
        "dont-pass-odds": dont_pass_odds,
        "come-odds": come_odds,
        "three-point-molly": three_point_molly,
        "place-6-8": place_6_8,
        "inside": inside,
        "across": across,
        "iron-cross": iron_cross,
        "field": field,
        "hardways": hardways,
        "pass-martingale": pass_martingale,
        "press-6-8": press_6_8,
        "small-tall-all": small_tall_all,
        "fire-and-pass": fire_and_pass,
    }
)


def is_built_in(strategy: Strategy) -> bool:
    """Return whether this function is one of the built-in strategies.

    >>> is_built_in(field), is_built_in(lambda view: field(view))
    (True, False)
    """
    return any(strategy is each for each in BUILT_IN.values())


def summarize_strategy(name: str) -> str:
    """Return what a built-in strategy does, in one line.

    >>> summarize_strategy("field")
    'Field for $10 on every roll.'
    """
    return (BUILT_IN[name].__doc__ or "").partition("\n")[0]
