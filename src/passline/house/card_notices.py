"""The notices at the foot of a card: what is off, what is refused, and promotions."""

from __future__ import annotations

from collections.abc import Iterator

from passline.house.card import families
from passline.house.house import House
from passline.law.book import Shootout
from passline.law.wagers import AnyWager, Hardway
from passline.money import show_dollars
from passline.sentences import join_words


def notices(house: House) -> Iterator[str]:
    """Every notice of this house, the ones that touch most wagers first."""
    yield from _come_out(house)
    book = house.book
    if not book.tender.call_bets.value:
        yield "No call bets."
    if house.game in book.seating.required.value:
        yield "Only seated players may wager."
    if book.tender.match_play.value and house.offers("match_play"):
        titles = [book.wager[slug].title.lower() for slug in book.tender.match_play.value]
        yield f"Match play coupons are taken on {join_words(titles)}."
    if book.net_center.value:
        yield (
            "A player's losing center wagers come out of what the winning ones are paid, "
            "and all stay up."
        )
    if "crew.base_dealers" in book.elect:
        yield _crew(house)
    if book.shootout is not None and house.offers("shootout"):
        yield from _shootout(house, book.shootout)


def _crew(house: House) -> str:
    """Who deals, where the book leaves it to the house."""
    dealers = house.elected("crew.base_dealers")
    crew = ["a stickperson", "a base dealer" if dealers == 1 else f"{dealers} base dealers"]
    if "crew.boxperson" in house.book.elect and house.elected("crew.boxperson") is True:
        crew.append("a boxperson")
    return f"Dealt by {join_words(crew)}."


def _come_out(house: House) -> Iterator[str]:
    """Which wagers rest on a come-out roll, and whether they may be called on."""
    may_call: list[str] = []
    never: list[str] = []
    for _, rule in families(house):
        come_out = rule.come_out or house.book.working
        if come_out.value == "off":
            called = rule.call_on is not None and rule.call_on.value
            (may_call if called else never).append(_title(rule))
    if may_call:
        yield f"Off on a come-out roll unless called on: {join_words(dict.fromkeys(may_call))}."
    if never:
        yield f"Off on every come-out roll: {join_words(dict.fromkeys(never))}."


def _title(rule: AnyWager) -> str:
    return "hardways" if isinstance(rule, Hardway) else rule.title.lower()


def _shootout(house: House, rules: Shootout) -> Iterator[str]:
    wagers = [house.book.wager[slug].title.lower() for slug in rules.needs.value]
    start, step, cap = (show_dollars(r.value * 100) for r in (rules.start, rules.step, rules.cap))
    yield (
        f"Craps Shootout: a shooter with a {join_words(wagers, 'or')} wager who makes "
        f"{join_words(rules.points.value)}, in any order in one turn, wins the bonus. It starts at "
        f"{start} and grows {step} a day at {rules.at.value}, to at most {cap}."
    )
    awards = [
        f"{show_dollars(award.value * 100)} at a bonus of {_span(span)}"
        for span, award in rules.share.items()
    ]
    who = "any wager" if rules.share_needs.value == "any-bet" else "a line wager"
    others = "every player" if rules.share_shooter.value else "every other player"
    yield f"Share the Wealth: {others} with {who} up receives {join_words(awards)}."


def _span(span: str) -> str:
    """A range of bonus amounts ("100-700") in dollars."""
    return " to ".join(show_dollars(int(end) * 100) for end in span.split("-"))
