"""Stakes to ask about, by level: amounts that the house takes, in stacks as players build them."""

from __future__ import annotations

from fractions import Fraction

from passline.crew.cutting import MOST_UNBROKEN
from passline.layout import Spot, Wagers
from passline.layout.amounts import Bounds, bounds, check_amount
from passline.money.chips import Chips
from passline.school.drawing import Draws
from passline.school.questions import Desk

#: Stacks of one colour have no more cheques than this, and no stake is larger than so many least.
_TALLEST = 8
_MOST_TIMES = 60
_ODD_LEVEL = 4


def stakes_for(
    desk: Desk, spot: Spot, pays: Fraction, puck: int = 0, wagers: Wagers | None = None
) -> list[int]:
    """Amounts that a wager may hold and that fit the level, in cents; none: it is not asked.

    One colour at first; then stacks of several; from the fourth level amounts whose pay does not
    come out in whole chips too, where the house takes them and rounds.
    """
    own = wagers or {}
    span = bounds(desk.layout, spot, puck, own)
    rack, chip = desk.rack, desk.house.chip
    found: set[int] = set()
    most = min(span.most, span.least * _MOST_TIMES)
    for colour in rack.chips:
        for count in range(1, _TALLEST + 1):
            found.add(colour.value * count)
    found |= {span.least + step * span.step for step in range(_MOST_TIMES)}
    step = desk.house.chip if desk.level >= _ODD_LEVEL else span.step
    found |= {span.least + more * step for more in range(_MOST_TIMES)}
    taken = [
        amount
        for amount in sorted(found)
        if span.least <= amount <= most
        and check_amount(desk.layout, spot, puck, own, amount) is None
    ]
    usual = [amount for amount in taken if amount >= desk.house.minimum]
    if spot.rule.area == "table" and usual:  # odds may be less, and seldom are
        taken = usual
    even = [amount for amount in taken if _comes_out(amount, pays, chip)]
    return _by_level(desk, taken, even) or even or taken


def _comes_out(amount: int, pays: Fraction, chip: int) -> bool:
    return (amount * pays) % chip == 0


def _by_level(desk: Desk, taken: list[int], even: list[int]) -> list[int]:
    if desk.level == 1:
        return [amount for amount in even if _one_colour(desk, amount)]
    mixed = [amount for amount in even if not desk.rack.divide(amount)[0].one_colour]
    if desk.level < _ODD_LEVEL:
        return mixed
    odd = sorted(set(taken) - set(even))
    return odd if desk.level == _ODD_LEVEL else [*odd, *mixed]


def _one_colour(desk: Desk, amount: int) -> list[Chips]:
    """The stacks of one colour and no more than eight cheques that make an amount."""
    return [
        Chips.of({chip: amount // chip.value})
        for chip in desk.rack.chips
        if amount % chip.value == 0 and amount // chip.value <= _TALLEST
    ]


def stack_for(desk: Desk, amount: int, draws: Draws) -> Chips:
    """An amount as a player stacks it: in one colour at the first level, else the largest colours
    underneath, with now and then one chip changed into smaller ones."""
    single = _one_colour(desk, amount)
    if single and (desk.level == 1 or draws.one_in(3)):
        return draws.pick(single)
    chips, _ = desk.rack.divide(amount)
    if desk.level >= 3 and draws.one_in(2):
        chips = _changed(desk, chips, draws)
    return chips


def _changed(desk: Desk, chips: Chips, draws: Draws) -> Chips:
    """The same amount with one of its chips in the next colours, if that makes no tower."""
    chip, _ = draws.pick(chips.piles)
    smaller = [other for other in desk.rack.chips if other.value < chip.value]
    for other in smaller:
        if chip.value % other.value == 0 and chip.value // other.value <= MOST_UNBROKEN:
            one = Chips.of({chip: 1})
            return chips - one + Chips.of({other: chip.value // other.value})
    return chips


def flats_for(desk: Desk, spot: Spot, draws: Draws) -> int:
    """A line or come wager of a usual size, in whole steps from its least."""
    span: Bounds = bounds(desk.layout, spot, 0, {})
    times = (1, 2, 3, 5) if desk.level < 3 else (1, 2, 3, 4, 5, 6, 8, 10)
    least = span.least
    sizes = [least * many for many in times if least * many <= span.most]
    if desk.level >= _ODD_LEVEL:
        sizes += [
            least + span.step * more
            for more in (1, 2, 3, 7)
            if least + span.step * more <= span.most
        ]
    return draws.pick(sizes or [least])
