"""What a wager is, in a sentence: which faces win and lose it, read off its compiled verdicts."""

from __future__ import annotations

from collections.abc import Iterable

from passline.dice import OUTCOMES, TOTALS
from passline.law.wagers import Collect, Come, Composite, Line, OddsRule, OneRoll
from passline.layout import Layout, Spot
from passline.sentences import join_words
from passline.words.wagers import layout_name


def wager_meaning(layout: Layout, slug: str) -> str:
    """What decides a wager.

    >>> from passline.house.files import house_for
    >>> from passline.layout import lay_felt
    >>> layout = lay_felt(house_for("iowa"))
    >>> wager_meaning(layout, "pass")
    'On the come-out 7 and 11 win, 2, 3 and 12 lose; then the point before 7 wins.'
    >>> wager_meaning(layout, "hard-8"), wager_meaning(layout, "any-craps")
    ('Hard 8 wins; 7 and easy 8 lose.', 'One roll: 2, 3 and 12 win; any other loses.')
    """
    spot = layout.spots[slug]
    rule = spot.rule
    if isinstance(rule, Collect):
        return _gathered(rule)
    if isinstance(rule, OddsRule):
        return f"Behind {layout_name(spot.flat)}: it wins and loses with it."
    if isinstance(rule, Line | Come) and not spot.number:
        first = "On the come-out" if isinstance(rule, Line) else "On its first roll"
        own = "the point" if isinstance(rule, Line) else "the number it moves to"
        then = f"{own} before 7" if rule.wins.value == "number" else f"7 before {own}"
        return f"{first} {', '.join(_faces(spot))}; then {then} wins."
    if isinstance(rule, OneRoll | Composite):
        told = [words for words in _faces(spot) if not words.endswith(("lose", "loses"))]
        return f"One roll: {', '.join(told)}; any other loses."
    return f"{'; '.join(_faces(spot))}.".capitalize()


def _gathered(rule: Collect) -> str:
    needs = join_words([str(number) for number in rule.needs.value])
    if rule.counts.value == "totals-thrown":
        return f"All of {needs} thrown before any 7 wins."
    return f"{rule.least.value} or more different points that one shooter makes win."


_VERBS = {"win": ("wins", "win"), "lose": ("loses", "lose"), "push": ("is a push", "push")}


def _faces(spot: Spot) -> list[str]:
    """Which throws do what to a wager as it is made: ``7 and 11 win``, ``12 is a push``."""
    told = []
    for result, (one, many) in _VERBS.items():
        hits = {
            pair
            for pair, verdict in zip(OUTCOMES, spot.tables[0], strict=True)
            if verdict is not None and verdict.result == result
        }
        names = list(_named(hits))
        if names:
            told.append(f"{join_words(names)} {one if len(names) == 1 else many}")
    return told


def _named(hits: set[tuple[int, int]]) -> Iterable[str]:
    """Throws by their totals; where only some of one are meant, as hard, easy or by faces."""
    for total in TOTALS:
        every = {pair for pair in OUTCOMES if sum(pair) == total}
        hard = {pair for pair in every if pair[0] == pair[1]}
        own = every & hits
        if not own:
            continue
        if own == every:
            yield str(total)
        elif own in (hard, every - hard):
            yield f"{'hard' if own == hard else 'easy'} {total}"
        else:
            yield from sorted({f"{min(pair)}-{max(pair)}" for pair in own})
