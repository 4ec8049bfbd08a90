"""A hand's means, unfolded: where its throws are thrown, and what each of them does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec

from passline.luck.shooter import ShooterHand
from passline.machines.hand import COME_OUT, ENDED


class HandTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A total thrown at a place. ``rolls``: how many are thrown there on average; ``does``: ends
    the hand, makes the point, decides the come-out, sets a point, or none of these; ``cite``: the
    clause by which it ends the hand, or sets a point and makes it."""

    place: str
    total: int
    weight: int
    whole: int
    rolls: Fraction
    does: str
    cite: str

    @property
    def often(self) -> Fraction:
        """How often it is thrown in a hand, on average."""
        return self.rolls * Fraction(self.weight, self.whole)


def explain_hand(hand: ShooterHand) -> tuple[HandTerm, ...]:
    """Every throw of a hand: how often it comes adds up to its rolls, points and decisions.

    >>> from passline.luck.shooter import shooter_hand
    >>> terms = explain_hand(shooter_hand("iowa"))
    >>> sum(term.often for term in terms), sum(t.often for t in terms if t.does == "ends the hand")
    (Fraction(1671, 196), Fraction(1, 1))
    """
    book = hand.house.book
    names = {COME_OUT: "come-out"} | {
        throw.next: f"puck on {throw.total}"
        for throw in hand.throws[COME_OUT]
        if throw.next not in (COME_OUT, ENDED)
    }
    found = []
    for state, rolls in hand.length.visits().items():
        for throw in hand.throws[state]:
            if throw.next == ENDED:
                does, cite = "ends the hand", book.dice.must_pass.cite
            elif throw.made:
                does, cite = "makes the point", book.points.cite
            elif state == COME_OUT and throw.next == COME_OUT:
                does, cite = "decides the come-out", ""
            elif state == COME_OUT:
                does, cite = "sets a point", book.points.cite
            else:
                does, cite = "", ""
            found.append(
                HandTerm(
                    place=names[state],
                    total=throw.total,
                    weight=throw.weight,
                    whole=hand.length.whole,
                    rolls=rolls,
                    does=does,
                    cite=cite,
                )
            )
    return tuple(found)


def explained_hand_json(terms: tuple[HandTerm, ...]) -> list[dict[str, Any]]:
    """As ``passline hand --explain --json`` has it under ``explain``."""
    return [
        {
            "place": term.place,
            "total": term.total,
            "weight": term.weight,
            "whole": term.whole,
            "rolls": str(term.rolls),
            "often": str(term.often),
            "does": term.does or None,
            "cite": term.cite or None,
        }
        for term in terms
    ]
