"""What an instructor says to an answer: the price, the key, the steps, how the hands set it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from passline.crew.cutting import Payoff
from passline.crew.keys import Key, priced_key
from passline.layout import Settlement, Spot
from passline.money import show_dollars
from passline.words.wagers import layout_name


def price_steps(spot: Spot, done: Settlement) -> Iterator[str]:
    """How a wager that is paid at odds on the whole of it is reckoned.

    "place 6 pays 7 to 6: every $6 gets $7", "3 of them: $21".
    """
    win, per = (int(part) for part in (done.odds or "1 to 1").split(" to "))
    name = layout_name(spot.slug)
    key = priced_key((win, per), done.cite)
    if win == per:
        yield f"{name} pays even money: {show_dollars(done.stake)} gets {show_dollars(done.paid)}"
        return
    yield f"{name} pays {win} to {per}: {key.words}"
    if done.stake % (per * 100) == 0:
        units = done.stake // (per * 100)
        yield f"every ${per} gets ${win}: {units} × ${win} is {show_dollars(done.paid)}"
        return
    exact = Fraction(done.stake * win, per)
    if exact == done.paid:
        yield f"{show_dollars(done.stake)} gets {show_dollars(done.paid)}"
        return
    way = "down" if done.paid < exact else "up"
    yield (
        f"{show_dollars(done.stake)} would get ${float(exact) / 100:,.2f}: "
        f"broken {way} to whole chips it is {show_dollars(done.paid)}"
    )


def key_steps(key: Key, name: str, stake: int) -> Iterator[str]:
    """A key, and the steps of it in the head: "the key for the yo is 15: 15 × $3 is $45"."""
    whole = key.ratio.denominator == 1
    if whole and not key.box and not key.part:
        times = key.ratio.numerator
        paid = show_dollars(key.pays(stake))
        yield f"the key for the {name} is {times}: {times} × {show_dollars(stake)} is {paid}"
        if not key.steps:
            return
        yield f"in the head: {key.words}"
    else:
        yield f"the key for the {name}: {key.words}"
    for words, cents in key.reckon(stake):
        yield f"{words}: {show_dollars(cents)}"


def setting_words(pay: Payoff) -> str:
    """In which chips a payoff goes out, and how it is set."""
    return f"{show_dollars(pay.chips.amount)} in chips is {pay.chips}: {pay.words}"
