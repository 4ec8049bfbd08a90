"""Bets that could mean two things: refused with the choices, each of which leaves no doubt."""

from __future__ import annotations

from passline.talk.groups import PLACE, least_sum
from passline.talk.says import money_words, read_amount
from passline.talk.utterance import Heard, UnheardError, UnplayableError, offer_choices

BOX = (4, 5, 6, 8, 9, 10)
NUMBERS = (2, 3, *BOX, 11, 12)
STRAIGHT = {2: "craps-2", 3: "craps-3", 11: "eleven", 12: "craps-12"}
#: The number of a straight center wager, by its slug.
STRAIGHT_ON = {slug: number for number, slug in STRAIGHT.items()}
HORN_HIGH = "horn-high"


def sure_of_each(heard: Heard, slug: str, cents: int) -> None:
    """``C and E for 5 each``: so much on each of its parts, or on the wager; refused."""
    spot = heard.spot(slug)
    if spot is None or not spot.legs:
        return
    whole = sum(spot.legs.values()) * cents
    ways = [f"{slug} for {money_words(whole)}", f"{slug} for {money_words(cents)}"]
    raise offer_choices("parts-or-whole", ways, wager=slug, amount=cents)


def sure_of_place(heard: Heard, number: int, cents: int) -> None:
    """``20 on the five`` with a come wager there that has no odds: odds, or a place wager?"""
    said = money_words(cents)
    spots = heard.table.layout.spots
    for slug in heard.wagers:
        odds = spots[slug].behind
        if odds and spots[slug].number == number and odds not in heard.wagers:
            ways = [f"{PLACE}-{number} for {said}", f"{odds} for {said}"]
            raise offer_choices("which-on-number", ways, number=number)


def straight_or_placed(heard: Heard, verb: str, slug: str, cents: int, next_to: bool) -> str:
    """A center wager's nickname after place, buy or lay: the number, where it can be had so.

    ``place 20 on boxcars`` (the verb is not ``next_to`` it) may be either at a crapless table.
    """
    placed = f"{verb}-{STRAIGHT_ON[slug]}"
    if heard.spot(placed) is not None:
        if next_to:
            return placed
        said = money_words(cents)
        raise offer_choices("which-wager", [f"{placed} for {said}", f"{slug} for {said}"])
    if verb != PLACE:
        raise UnheardError
    return slug


def high_on_which(heard: Heard) -> UnplayableError:
    """``horn high for 5``: the number that has two units is missing."""
    return offer_choices("high-on-which", heard.with_word(HORN_HIGH, _HIGHS))


_HIGHS = [f"{HORN_HIGH}-{number}" for number in STRAIGHT]


def on_which(heard: Heard, word: str, family: str, text: str) -> UnplayableError:
    """``lay 60``: the amount is there, and the number is missing."""
    said = money_words(read_amount(text.removeprefix("$")))
    dont = any(heard.kind(slug) == "dont-pass" for slug in heard.wagers)
    ways = [f"lay odds for {said}"] if word == "lay" and dont else []
    ways += [f"{word} the {n} for {said}" for n in NUMBERS if heard.spot(f"{family}-{n}")]
    if not ways:
        raise UnheardError
    return offer_choices("on-what", ways, verb=word, amount=read_amount(text.removeprefix("$")))


def spread_over_what(heard: Heard) -> UnplayableError:
    """``spread it`` by itself: which money, over which wagers?"""
    inside = money_words(least_sum(heard.table, "inside-with-point"))
    hards = money_words(heard.table.house.chip * 4)
    with_it = " with the point" if heard.table.puck else ""
    ways = [f"inside{with_it} for {inside}", f"all the hardways for {hards} total"]
    return offer_choices("spread-what", ways)


def pairs(heard: Heard, family: str, first: str, second: str) -> list[tuple[str, int]]:
    """What two bare numbers in a row may be, as wagers and cents: either may be the amount."""
    found: list[tuple[str, int]] = []
    for figure, text in ((first, second), (second, first)):
        number = int(figure) if figure.isdigit() and len(figure) < 3 else 0
        placed = f"{family or PLACE}-{number}"
        ways = [placed] if number in NUMBERS and heard.spot(placed) is not None else []
        if not family and number in STRAIGHT:
            ways.append(STRAIGHT[number])
        found += [(way, read_amount(text)) for way in ways]
    if not found:
        raise UnheardError
    return list(dict.fromkeys(found))


def which_is_the_amount(found: list[tuple[str, int]]) -> UnplayableError:
    """``5 eleven``, ``6 for the eight``: which of them is the money must be said."""
    ways = [f"{slug} for {money_words(cents)}" for slug, cents in found]
    return offer_choices("which-is-amount", ways)
