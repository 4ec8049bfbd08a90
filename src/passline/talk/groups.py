"""Groups of place numbers (across, inside, outside, iron cross) and named sets of wagers.

A group takes one sum in units, or an amount on each number. A unit is an amount for each number,
such as $5 on the 5 and $6 on the 6. While a point is on, the sum decides whether the point is
included; where a sum fits both ways, the rulebook decides. A set is a list of wagers with one name:
the hardways, the hops of a total, hi-lo-yo, the buffalo.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import gcd, lcm

from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table.state import Table
from passline.talk.canonical import format_amount
from passline.talk.errors import NoMatchError, UnplayableError
from passline.talk.utterance import Utterance, make_unplayable, offer_choices

_GROUP_PATTERN = re.compile(
    r"(across|inside|outside|iron-cross)(-box)?(?:-no-(\d+|point)|-(with)-point)?"
)
#: The common name of a place bet to win.
PLACE = "place-win"
_CRAPLESS_PLACES = tuple(f"{PLACE}-{number}" for number in (2, 3, 11, 12))
#: Groups that could include the 2, 3, 11 and 12 where those can be placed.
_CRAPLESS_GROUPS = ("across", "outside")


def is_group(word: str) -> bool:
    """Return whether a word names a group such as `across`, with or without a number left out."""
    return _GROUP_PATTERN.fullmatch(word) is not None


def find_group_units(table: Table, word: str) -> tuple[dict[str, int], str]:
    """Return (dollars per unit by wager, the clause that defines the group).

    `word` names the group, such as `inside-no-point`. If it does not mention the point, the
    rulebook decides whether the point is left out.
    """
    found = _GROUP_PATTERN.fullmatch(word)
    assert found is not None
    name, left_out, with_point = found[1], found[3], found[4]
    group = table.house.book.groups[name]
    units = dict(group.unit.value)
    if left_out:
        units.pop(str(table.point) if left_out == "point" else left_out, None)
    elif not with_point and group.leaves_out_point.value:
        units.pop(str(table.point), None)
    names = {f"{PLACE}-{n}" if n.isdigit() else n: unit for n, unit in units.items()}
    return {table.layout.slug(name): unit for name, unit in names.items()}, group.unit.cite


def list_group_numbers(
    utterance: Utterance, word: str, verb: str, cents: int, share: str
) -> list[int]:
    """Return the numbers of the group ``word`` that ``verb`` (`buy` or `lay`) bets on.

    `share` is "each", "total" or "". Raise NoMatchError for a group with other wagers in it, and
    UnplayableError, with the choices, at a crapless table where the group could have more numbers.
    """
    _ask_crapless_numbers(utterance, word, cents, share, f"{verb} ")
    numbers = [utterance.spots[slug].number for slug in find_group_units(utterance.table, word)[0]]
    if not all(numbers):
        raise NoMatchError
    return numbers


def find_place_unit(table: Table, number: int) -> int:
    """Return the unit of a place bet on a number in cents, such as 600 for the 6.

    The unit is what the rulebook's group `across` has on the number, or else the stake in the bet's
    odds (6 in "7 to 6").
    """
    slug = table.layout.slug(f"{PLACE}-{number}")
    spot = table.layout.spots.get(slug)
    across = find_group_units(table, "across-with-point")[0]
    return across.get(slug, spot.odds.stake if spot else 5) * 100


def bet_group(utterance: Utterance, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """Return the bets on a group such as `across`, for `cents` in all or on each number.

    `share` is "each", "total" or "". With "each", a number whose unit is not $5 gets as many units
    as the others: `across for 5 each` is $6 on the 6. Raise UnplayableError if the sum does not
    divide, with the nearest sums as choices unless `share` is "each".
    """
    _ask_crapless_numbers(utterance, word, cents, share)
    if share == "each":
        units, cite = find_group_units(utterance.table, word)
        unit = 500 * _find_fewest_units(utterance.table, units)
        if cents % unit:
            raise make_unplayable("group-units", cite, group=_format_group(word), unit=unit)
        return _bet_units(utterance, units, cents // 500)
    readings = _list_readings(utterance.table, word)
    for reading in readings:
        units, _ = find_group_units(utterance.table, reading)
        if not cents % find_smallest_sum(utterance.table, reading):
            return _bet_units(utterance, units, cents // (sum(units.values()) * 100))
    raise _offer_nearest_sums(utterance, readings, cents)


def find_smallest_sum(table: Table, word: str) -> int:
    """Return the smallest sum in cents that makes whole chips on every number of a group."""
    units, _ = find_group_units(table, word)
    return sum(units.values()) * 100 * _find_fewest_units(table, units)


def _find_fewest_units(table: Table, units: dict[str, int]) -> int:
    """Return the fewest units that make whole chips on every wager of a group.

    `units` has the dollars per unit by wager.
    """
    chip = table.house.chip
    return lcm(*(chip // gcd(chip, unit * 100) for unit in units.values()))


def _bet_units(utterance: Utterance, units: dict[str, int], count: int) -> list[cmd.AnyCommand]:
    return [utterance.make_bet(slug, unit * 100 * count) for slug, unit in units.items()]


def _list_readings(table: Table, word: str) -> list[str]:
    """Return the groups that `word` may mean: with and without the point, if it could be both.

    The one that the rulebook prefers comes first.
    """
    found = _GROUP_PATTERN.fullmatch(word)
    assert found is not None
    base = f"{found[1]}{found[2] or ''}"
    both = [f"{base}-no-point", f"{base}-with-point"]
    if word != base or find_group_units(table, both[0]) == find_group_units(table, both[1]):
        return [word]
    return both if table.house.book.groups[found[1]].leaves_out_point.value else both[::-1]


def _offer_nearest_sums(utterance: Utterance, readings: list[str], cents: int) -> UnplayableError:
    """Return the error that refuses a sum that does not divide, with the nearest sums as choices.

    `readings` are the groups that the player may have meant.
    """
    near: list[tuple[str, int]] = []
    cite = ""
    for reading in readings:
        cite = find_group_units(utterance.table, reading)[1]
        unit = find_smallest_sum(utterance.table, reading)
        low = max(cents // unit, 1) * unit
        around = [low, low + unit]
        if len(readings) > 1:
            around = [min(around, key=lambda one: abs(one - cents))]
        near += [(reading, one) for one in around]
    choices = [f"{_format_group(reading)} for {format_amount(one)}" for reading, one in near]
    name = readings[0].removesuffix("-no-point").removesuffix("-with-point")
    return offer_choices("group-sum", choices, cite, amount=cents, group=_format_group(name))


def _format_group(word: str) -> str:
    """Return a group in words: `across-box-no-4` becomes "across the box numbers no 4"."""
    found = _GROUP_PATTERN.fullmatch(word.removesuffix("-with-point"))
    if found is None:
        return word
    box = " the box numbers" if found[2] else ""
    without = f" no {found[3]}" if found[3] else ""
    without = " without the point" if found[3] == "point" else without
    suffix = " with the point" if word.endswith("-with-point") else ""
    return f"{found[1].replace('-', ' ')}{box}{without}{suffix}"


def _ask_crapless_numbers(
    utterance: Utterance, word: str, cents: int, share: str, verb: str = ""
) -> None:
    """Raise UnplayableError if `word`, such as `across`, could include the 2, 3, 11 and 12.

    At a crapless table it could. No rulebook defines a unit for those numbers, so the player must
    name them.
    """
    found = _GROUP_PATTERN.fullmatch(word)
    assert found is not None
    name, box = found[1], found[2]
    further = any(utterance.find_spot(name) for name in _CRAPLESS_PLACES)
    if box or not further or name not in _CRAPLESS_GROUPS:
        return
    if utterance.table.house.book.groups[name].unit.clauses:
        return  # The rulebook itself says which numbers these are.
    group = _format_group(word.replace(name, f"{name}-box", 1))
    choices = [f"{verb}{group} for {format_amount(cents)} {share}".strip()]
    raise offer_choices("group-how-far", choices, group=name)


def name_group(table: Table, bets: Sequence[cmd.AnyCommand]) -> str:
    """Return the phrase for a group that these bets make together (`$32 across`), or "" if none.

    With a point on that the group could include, the phrase says whether it is included.
    """
    made = [bet for bet in bets if isinstance(bet, cmd.Bet)]
    if not all(bet == cmd.Bet(bet.player, bet.wager, bet.amount) for bet in made):
        return ""  # The bets were tendered in a special way.
    sums = {bet.wager: bet.amount for bet in made}
    if len(made) != len(bets) or len(made) < 3:
        return ""
    further = any(table.layout.spot(name) for name in _CRAPLESS_PLACES)
    for name in table.house.book.groups:
        base = f"{name}-box" if further and name in _CRAPLESS_GROUPS else name
        for reading in _list_readings(table, base):
            units, _ = find_group_units(table, reading)
            unit = sum(sums.values()) // sum(units.values())
            if sums == {slug: dollars * unit for slug, dollars in units.items()}:
                return f"{show_dollars(sum(sums.values()))} {_format_group(reading)}"
    return ""


HARDWAYS = ("hard-4", "hard-6", "hard-8", "hard-10")
_HOPS_PATTERN = re.compile(r"hops-(easy-)?(hard|\d+)")
#: Sets by name. A rulebook may deal a name as a wager of its own; then that wager is meant.
_NAMED_SETS = {
    "hards": HARDWAYS,
    "hi-lo-yo": ("craps-2", "craps-12", "eleven"),
    "buffalo": (*HARDWAYS, "any-seven"),
    "buffalo-yo": (*HARDWAYS, "eleven"),
}


def find_set_members(table: Table, word: str) -> tuple[str, ...]:
    """Return the wagers of a named set such as `hards`, or () if the word names no set here."""
    if table.layout.spot(word) is not None:
        return ()
    return tuple(table.layout.slug(name) for name in _NAMED_SETS.get(word) or _list_hops(word))


def _list_hops(word: str) -> tuple[str, ...]:
    """Return the hop wagers of a set such as `hops-6`, or () for another word.

    >>> _list_hops("hops-6"), _list_hops("hops-easy-8")
    (('hop-1-5', 'hop-2-4', 'hop-3-3'), ('hop-2-6', 'hop-3-5'))
    """
    found = _HOPS_PATTERN.fullmatch(word)
    if found is None:
        return ()
    if found[2] == "hard":
        return tuple(f"hop-{a}-{a}" for a in (2, 3, 4, 5))
    pairs = ((a, int(found[2]) - a) for a in range(1, 7))
    return tuple(f"hop-{a}-{b}" for a, b in pairs if a + bool(found[1]) <= b <= 6)


def bet_set(utterance: Utterance, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """Return the bets on a named set such as `hards`, for `cents` in all or on each.

    `share` is "each", "total" or "". Raise UnplayableError, with choices, for a sum that does not
    divide, and for hardways if `share` is empty.
    """
    slugs = find_set_members(utterance.table, word)
    if share == "each":
        return [utterance.make_bet(slug, cents) for slug in slugs]
    amount = format_amount(cents)
    name = "all the hardways" if word == "hards" else word.replace("hops-", "hop ")
    name = name.replace("-", " ")
    if word == "hards" and not share:
        choices = [f"{name} for {amount} {how}" for how in ("each", "total")]
        raise offer_choices("hards-each-or-all", choices, amount=cents)
    part, left = divmod(cents, len(slugs))
    if left or part % utterance.table.house.chip:
        step = utterance.table.house.chip * len(slugs)
        low = max(cents // step, 1) * step
        choices = [f"{name} for {format_amount(n)} {share}".strip() for n in (low, low + step)]
        cite = "custom: a set is wagered in equal parts"
        raise offer_choices("set-sum", choices, cite, amount=cents, set=name, ways=len(slugs))
    return [utterance.make_bet(slug, part) for slug in slugs]
