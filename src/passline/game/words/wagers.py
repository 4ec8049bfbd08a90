"""Names of wagers, and a sentence for each that says what wins and loses it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from passline.game.dice.dice import OUTCOMES, TOTALS
from passline.game.law.shapes.collect import Collect
from passline.game.law.shapes.pass_wins import PassWins
from passline.game.law.shapes.point_seven import PointSeven
from passline.game.law.shapes.staged import StagedWager
from passline.game.law.shapes.twice_hard import TwiceHard
from passline.game.law.wagers import DecisionKind, PayLine
from passline.game.layout.spots import Layout, Spot
from passline.text import join_words

_SPOKEN_NAMES = {
    "dont-pass": "don't pass",
    "dont-come": "don't come",
    "c-and-e": "C and E",
    "dont-pass-odds": "don't pass odds",
    "eleven": "yo",
    "muggsys-corner": "Muggsy's Corner",
    "craps-2": "aces",
    "craps-3": "ace-deuce",
    "craps-12": "boxcars",
    "horn-high-2": "horn high aces",
    "horn-high-3": "horn high ace-deuce",
    "horn-high-11": "horn high yo",
    "horn-high-12": "horn high boxcars",
}
_COME_ODDS = re.compile(r"(dont-)?come-odds-([2-689]|1[0-2])")
_PASS_WINS = re.compile(r"(ride-the-line)-(\d+)")
_PLACE = re.compile(r"place-(win|lose)-(\d+)")
_HOP = re.compile(r"hop-(\d)-(\d)")
_NAMED_BY_SLUG = re.compile(
    r"(dont-)?come-(odds-)?\d+|hop-(?:1-1|1-2|5-6|6-6)|horn-high-\d+|[a-z-]+-7"
)


def spoken_wager_name(slug: str) -> str:
    """Return a wager's name as a dealer says it.

    A slug whose words could mean another wager, such as ``come-6``, is returned unchanged.

    >>> spoken_wager_name("place-win-6"), spoken_wager_name("hop-1-5"), spoken_wager_name("eleven")
    ('place 6', 'hop 1-5', 'yo')
    >>> spoken_wager_name("dont-come-odds-8")
    "don't come odds on the 8"
    """
    if slug in _SPOKEN_NAMES:
        return _SPOKEN_NAMES[slug]
    odds = _COME_ODDS.fullmatch(slug)
    if odds:
        side = "don't come" if odds[1] else "come"
        return f"{side} odds on the {odds[2]}"
    if _NAMED_BY_SLUG.fullmatch(slug):
        return slug  # no words of its own that could not be taken for another
    placed = _PLACE.fullmatch(slug)
    if placed:
        return f"place {placed[2]}" + (" to lose" if placed[1] == "lose" else "")
    hop = _HOP.fullmatch(slug)
    return f"hop {hop[1]}-{hop[2]}" if hop else slug.replace("-", " ")


#: Where a wager lies has more room than a dealer's breath.
_LAYOUT_NAMES = {"pass": "pass line", "hi-lo": "hi-lo", "six-seven-eight": "6-7-8"} | {
    slug: words
    for slug, words in _SPOKEN_NAMES.items()
    if words.startswith(("don't", "C and E", "Muggsy"))
}
_COME_ON_NUMBER = re.compile(r"(dont-)?come-(odds-)?(\d+)")


def layout_name(slug: str) -> str:
    """Return a wager's name by its place on the layout, as most sentences name it.

    >>> layout_name("place-win-6"), layout_name("dont-come-odds-9"), layout_name("hop-1-5")
    ('place 6', "don't come 9 odds", 'hop 1-5')
    """
    if come := _COME_ON_NUMBER.fullmatch(slug):
        name = _SPOKEN_NAMES["dont-come"] if come[1] else "come"
        return f"{name} {come[3]} odds" if come[2] else f"{name} {come[3]}"
    if placed := _PLACE.fullmatch(slug):
        return f"place {placed[2]}{' to lose' if placed[1] == 'lose' else ''}"
    if slug.startswith("hop-"):
        return slug.replace("-", " ", 1)
    if wins := _PASS_WINS.fullmatch(slug):
        return f"{wins[1].replace('-', ' ')} with {wins[2]} win{'s' if wins[2] != '1' else ''}"
    return _LAYOUT_NAMES.get(slug) or slug.replace("-", " ")


def wager_label(wager: str) -> str:
    """Return a wager's name for display, with a capital letter.

    ``wager`` is a slug, or a slug and ``+odds`` for a wager with the odds behind it.

    >>> wager_label("place-win-6"), wager_label("pass+odds")
    ('Place 6', 'Pass+odds')
    """
    slug, plus, odds = wager.partition("+")
    name = slug if slug == "pass" else layout_name(slug)
    return name[0].upper() + name[1:] + plus + odds


#: Where the screen has more room than a dealer's breath.
_SCREEN_NAMES = {"pass": "pass line", "pass-odds": "odds", "dont-pass-odds": "don't odds"}


def suggest_wagers(text: str, slugs: Collection[str]) -> str:
    """Return the wagers whose names are nearest to a mistyped one, as a question, or examples.

    >>> suggest_wagers("plase 6", ["place-win-6", "pass"]), suggest_wagers("xyz", ["pass"])
    ('did you mean place 6?', 'try place 6, pass odds or horn')
    """
    names = {name: name for name in map(spoken_wager_name, slugs)}
    names |= {slug: spoken_wager_name(slug) for slug in slugs}
    near = dict.fromkeys(names[n] for n in get_close_matches(text.lower(), names, 3, 0.6))
    return f"did you mean {' or '.join(near)}?" if near else "try place 6, pass odds or horn"


def screen_wager_name(slug: str) -> str:
    """Return a wager's name as screens show it.

    >>> [screen_wager_name(slug) for slug in ("place-win-6", "pass", "dont-come-odds-4")]
    ['place 6', 'pass line', "don't come 4 odds"]
    """
    if _COME_ON_NUMBER.fullmatch(slug):
        return layout_name(slug)
    return _SCREEN_NAMES.get(slug) or spoken_wager_name(slug)


def felt_wager_name(slug: str, title: str, number: int) -> str:
    """Return a wager's name as printed on the felt: its title, or its name with the number.

    >>> felt_wager_name("pass", "Pass", 0), felt_wager_name("place-win-6", "Place to win", 6)
    ('Pass', 'Place 6')
    >>> felt_wager_name("dont-come-odds-9", "Don't come odds", 9)
    "Don't come 9 odds"
    """
    if not number:
        return title
    name = layout_name(slug)
    return name[0].upper() + name[1:]


def describe_roll(rule: PointSeven, pay: PayLine) -> str:
    """Return in words what a payout line of Muggsy's Corner is for.

    It is such as ``7 on the come-out`` or ``7 right after the point``.
    """
    totals = join_words([str(total) for total in rule.wins.value])
    come_out = set(pay.on) & set(rule.wins.value)
    return f"{totals} on the come-out" if come_out else f"{totals} right after the point"


def describe_stages(rule: StagedWager, stages: Collection[int]) -> str:
    """Return what pays at these stages of a side bet: ``3 or more wins``, ``hard 4 twice``."""
    named = join_words([str(stage) for stage in stages])
    if isinstance(rule, PassWins):
        return f"{named}{' or more' if max(rule.stages) in stages else ''} wins"
    return f"hard {named} twice"


#: Which roll decides a wager first, and what is thrown against the seven after it.
_FIRST_ROLL_WORDS: dict[DecisionKind, tuple[str, str]] = {
    "come-out": ("On the come-out", "the point"),
    "first-roll": ("On its first roll", "the number it moves to"),
}


def explain_wager(layout: Layout, slug: str) -> str:
    """Return what wins and loses a wager, in one sentence.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(house_for("iowa"))
    >>> explain_wager(layout, "pass")
    'On the come-out 7 and 11 win, 2, 3 and 12 lose; then the point before 7 wins.'
    >>> explain_wager(layout, "hard-8"), explain_wager(layout, "any-craps")
    ('Hard 8 wins; 7 and easy 8 lose.', 'One roll: 2, 3 and 12 win; any other loses.')
    """
    spot = layout.spots[slug]
    rule = spot.rule
    decision = rule.find_decision_kind(spot.number)
    if isinstance(rule, Collect):
        won = [count for count, (odds, _) in spot.tiers.items() if odds.win]
        return _explain_collecting_bet(rule, min(won) or rule.fewest, min(spot.tiers))
    if decision == "with-flat":
        return f"Behind {layout_name(spot.flat)}: it wins and loses with it."
    if decision in _FIRST_ROLL_WORDS:
        first, own = _FIRST_ROLL_WORDS[decision]
        then = f"7 before {own}" if rule.wins_on_seven else f"{own} before 7"
        return f"{first} {', '.join(_describe_outcomes(spot))}; then {then} wins."
    if decision == "two-rolls":
        phrases = ", ".join(_describe_outcomes(spot))
        return f"On the come-out {phrases}; on the roll after a point the same, or it loses."
    if isinstance(rule, PassWins):
        return _explain_pass_wins(layout, spot.family)
    if isinstance(rule, TwiceHard):
        return _explain_twice_hard(rule, spot.number)
    if decision == "one-roll":
        those = [
            words for words in _describe_outcomes(spot) if not words.endswith(("lose", "loses"))
        ]
        return f"One roll: {', '.join(those)}; any other loses."
    return f"{'; '.join(_describe_outcomes(spot))}.".capitalize()


#: How a collecting bet that counts some of what is thrown is won, by what it counts.
_COLLECT_WORDS: dict[str, str] = {
    "points-made": "{fewest} or more different points that one shooter makes win.",
    "doubles-thrown": "{fewest} or more different doubles thrown before any 7 win.",
    "points-repeated": "{fewest} or more points that one shooter makes win, repeats included.",
}


def _explain_collecting_bet(rule: Collect, fewest: int, pushed: int) -> str:
    """Return how the bet is won, if ``fewest`` points or totals win under the house's pay table.

    If ``pushed`` is less than that, the bet is a push from that count on.
    """
    kind = rule.counts.value
    needs = join_words([str(number) for number in rule.needs.value])
    if kind == "totals-thrown":
        some = rule.fewest < len(rule.needs.value)
        least = f" {rule.fewest} or more of them win at the 7." if some else ""
        return f"All of {needs} thrown before any 7 wins.{least}"
    push = f" From {pushed} on it is a push." if 0 < pushed < fewest else ""
    if kind == "totals-repeated":
        if rule.unit_name == "rolls":
            return f"{fewest} or more rolls of one shooter win, with the last 7.{push}"
        return f"{needs} thrown {fewest} times before any 7 wins.{push}"
    row = " A loss of the pass line ends the row." if rule.lost_by.value == "line-loss" else ""
    return f"{_COLLECT_WORDS[kind].format(fewest=fewest)}{row}{push}"


def _explain_pass_wins(layout: Layout, family: str) -> str:
    """Return how often the shooter must win the pass line, by the house's pay table."""
    spots = [spot for spot in layout.spots.values() if spot.family == family]
    ends = [spot.number for spot in spots if _wins_at_seven_out(spot)]
    return f"{min(ends)} or more pass wins of one shooter before the seven-out win."


def _wins_at_seven_out(spot: Spot) -> bool:
    verdicts = {verdict for table in spot.tables for verdict in table if verdict is not None}
    return any(verdict.result == "win" for verdict in verdicts)


def _explain_twice_hard(rule: TwiceHard, number: int) -> str:
    if number:
        return f"Hard {number} again wins; 7 and easy {number} lose."
    hards = join_words([str(total) for total in rule.numbers.value], "or")
    return f"Hard {hards}, then the same hardway again before it comes easy wins; any 7 loses."


_RESULT_VERBS = {"win": ("wins", "win"), "lose": ("loses", "lose"), "push": ("is a push", "push")}


def _describe_outcomes(spot: Spot) -> list[str]:
    """Return phrases on what outcomes do to a new wager: ``7 and 11 win``, ``12 is a push``."""
    phrases = []
    for result, (one, many) in _RESULT_VERBS.items():
        hits = {
            pair
            for pair, verdict in zip(OUTCOMES, spot.tables[0], strict=True)
            if verdict is not None and verdict.result == result
        }
        names = list(_name_outcomes(hits))
        if names:
            phrases.append(f"{join_words(names)} {one if len(names) == 1 else many}")
    return phrases


def _name_outcomes(hits: set[tuple[int, int]]) -> Iterable[str]:
    """Yield the names of these outcomes, by total: ``8``, ``hard 8``, ``easy 8`` or ``3-5``."""
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
