"""Sets of wagers under one name: across, inside, outside, the hardways, the ways to hop a total.

Across, inside and outside take one sum in units, or so much each; the point is left out where the
book says so (``groups`` of the rulebook).
"""

from __future__ import annotations

import re

from passline.money import show_dollars
from passline.table import commands as cmd
from passline.talk.says import money_words
from passline.talk.utterance import Heard, UnplayableError, either

_GROUP = re.compile(r"(across|inside|outside)(-box)?(?:-no-(\d+|point)|-(with)-point)?")
_MORE = tuple(f"place-win-{number}" for number in (2, 3, 11, 12))
_HOPS = re.compile(r"hops-(easy-)?(hard|\d+)")
HARDS = ("hard-4", "hard-6", "hard-8", "hard-10")


def is_group(word: str) -> bool:
    """Whether a word is across, inside or outside, with or without a number left out."""
    return _GROUP.fullmatch(word) is not None


def units_of(heard: Heard, word: str) -> tuple[dict[str, int], str]:
    """The numbers of a group with their dollars a unit, and the clause that says so."""
    found = _GROUP.fullmatch(word)
    assert found is not None
    name, left_out = found[1], found[3]
    group = heard.table.house.book.groups[name]
    units = dict(group.unit.value)
    point = str(heard.table.puck)
    if left_out:
        units.pop(point if left_out == "point" else left_out, None)
    elif group.leaves_out_point.value and not found[4]:
        units.pop(point, None)
    return units, group.unit.cite


def unit_on(heard: Heard, number: int) -> int:
    """What a unit on a place number is, in cents: the group's, or the posted odds' stake."""
    units = heard.table.house.book.groups["across"].unit.value
    spot = heard.table.layout.spots.get(f"place-win-{number}")
    return units.get(str(number), spot.odds.stake if spot else 5) * 100


def group_bets(heard: Heard, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """A group for one sum (``share`` empty or ``total``), or for so much each."""
    units, cite = units_of(heard, word)
    name = word.partition("-")[0]
    _only_box(heard, word, cents, share)
    if share == "each":
        count, left = divmod(cents, 500)
        if left:
            raise UnplayableError(f"{name} each comes in units of $5", cite)
    else:
        unit = sum(units.values()) * 100
        count, left = divmod(cents, unit)
        if left or not count:
            low = max(count, 1) * unit
            raise UnplayableError(
                f"{show_dollars(cents)} does not divide {name}: "
                f"{show_dollars(low)} or {show_dollars(low + unit)} does",
                cite,
                (f"{word} for {money_words(low)}", f"{word} for {money_words(low + unit)}"),
            )
    return [heard.bet(f"place-win-{n}", u * 100 * count) for n, u in units.items()]


def _only_box(heard: Heard, word: str, cents: int, share: str) -> None:
    """At a crapless table across and outside may take in the 2, 3, 11 and 12: that is asked.

    No book says so, and what a unit on those would be is nobody's rule: they are named by
    themselves.
    """
    name, _, rest = word.partition("-")
    more = any(slug in heard.table.layout.spots for slug in _MORE)
    if not more or name == "inside" or rest.startswith("box"):
        return
    if heard.table.house.book.groups[name].unit.clauses:
        return
    said = f"{rest.replace('-', ' ')} for {money_words(cents)} {share}".strip()
    raise either(
        f"{name} with or without 2, 3, 11 and 12 (those are named by themselves)",
        [f"{name} the box numbers {said}"],
    )


def members(word: str) -> tuple[str, ...]:
    """The wagers of a set by its name; empty where it is none.

    >>> members("hops-6"), members("hops-easy-8")
    (('hop-1-5', 'hop-2-4', 'hop-3-3'), ('hop-2-6', 'hop-3-5'))
    """
    if word == "hards":
        return HARDS
    found = _HOPS.fullmatch(word)
    if found is None:
        return ()
    pairs = [(a, b) for a in range(1, 7) for b in range(a, 7)]
    if found[2] == "hard":
        pairs = [(a, a) for a in (2, 3, 4, 5)]
    else:
        total = int(found[2])
        pairs = [(a, b) for a, b in pairs if a + b == total and not (found[1] and a == b)]
    return tuple(f"hop-{a}-{b}" for a, b in pairs)


def set_bets(heard: Heard, word: str, cents: int, share: str) -> list[cmd.AnyCommand]:
    """A set for so much each, or one sum in equal parts. The hardways want it said which."""
    slugs = members(word)
    if share == "each":
        return [heard.bet(slug, cents) for slug in slugs]
    said = money_words(cents)
    name = "all the hardways" if word == "hards" else word.replace("hops-", "hop ")
    name = name.replace("-", " ")
    if word == "hards" and not share:
        what = f"${said} on each of the hardways, or on all of them together"
        raise either(what, [f"{name} for {said} each", f"{name} for {said} total"])
    part, left = divmod(cents, len(slugs))
    if left or part % heard.table.house.chip:
        step = heard.table.house.chip * len(slugs)
        low = max(cents // step, 1) * step
        raise UnplayableError(
            f"{show_dollars(cents)} does not divide {name}, {len(slugs)} ways: "
            f"{show_dollars(low)} or {show_dollars(low + step)} does",
            "custom: a set is wagered in equal parts",
            (f"{name} for {money_words(low)}", f"{name} for {money_words(low + step)}"),
        )
    return [heard.bet(slug, part) for slug in slugs]
