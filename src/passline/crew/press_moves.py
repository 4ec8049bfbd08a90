"""The ways a press is made with the hands: each a small function of the same piles of chips.

What is to lie where in the end is decided before (see ``press``). A way says by which motions it
gets there, and answers None where it does not fit. The first way that fits is the one a dealer
uses; the order is the one in which the dealer school's own moves are found.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from passline.crew.hands import APRON, BANK, BESIDE, BOX, COME, HELD, PLAYER, Motion, MotionKind
from passline.money import Rack, show_dollars
from passline.money.chips import NO_CHIPS, Chips


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """Before and after: the bets by number, what is thrown in, set out, handed over and back."""

    rack: Rack
    before: dict[str, Chips]
    after: dict[str, Chips]
    thrown: Chips
    set_out: Chips
    to_player: Chips
    to_box: Chips
    due: int

    @property
    def added_to(self) -> bool:
        """Whether every bet only grows: no chip leaves it."""
        return all(self.before[n] <= self.after[n] for n in self.before)

    @property
    def capped(self) -> bool:
        """Whether a bet has a cap: the table's smallest chips on top of larger ones."""
        least = self.rack.smallest
        return any(b.smallest == least and not b.one_colour for b in self.before.values())


#: A place that has no name of its own on the layout.
_SPOKEN = {BESIDE: "pile beside the payoff"}


class Hands:
    """A dealer at work: motions made so far, and what now lies where."""

    def __init__(self, aim: Aim, kinds: dict[str, MotionKind], book: str) -> None:
        self.aim, self._kinds, self._book = aim, kinds, book
        self.piles = {**aim.before, COME: NO_CHIPS, BESIDE: NO_CHIPS, HELD: NO_CHIPS}
        self.motions: list[Motion] = []
        self.move("throw-in", aim.thrown, PLAYER, COME)
        self.move("set-out-over" if aim.to_box else "set-out", aim.set_out, BANK, COME)

    def move(self, kind: str, chips: Chips, source: str, target: str) -> None:
        """One motion; nothing where there are no chips to move."""
        if not chips:
            return
        spec = self._kinds[kind]
        if source in self.piles:
            assert chips <= self.piles[source], (kind, chips, self.piles[source])
            self.piles[source] -= chips
        if target in self.piles:
            self.piles[target] += chips
        words = spec.words.format(
            chips=chips,
            amount=show_dollars(chips.amount),
            source=_SPOKEN.get(source, source),
            target=target,
            due=show_dollars(self.aim.due),
            over=show_dollars(self.aim.set_out.amount - self.aim.due),
        )
        cites = spec.cites(self._book)
        made = Motion(
            hand=spec.hand, words=words, chips=chips, source=source, target=target, cites=cites
        )
        self.motions.append(made)

    def hand_off(self, number: str) -> None:
        """The player's money off a bet, with what it lacks picked off the payoff first."""
        owed = self.aim.to_player
        if not owed & self.piles[number]:  # nothing of it lies on the bet
            self.move("hand-off", owed, COME, APRON)
            return
        self.move("pick", owed - self.piles[number], COME, number)
        self.move("hand-off", owed, number, APRON)

    def hand_back(self, number: str) -> None:
        """The box's money off a bet, and from the come what does not lie there."""
        owed = self.aim.to_box
        off_bet = owed & self.piles[number]
        self.move("to-box", owed - off_bet, COME, BOX)
        self.move("to-box", off_bet, number, BOX)

    def stack(self, number: str) -> bool:
        """What the bet lacks from the come; False where it holds what it should not."""
        if not self.piles[number] <= self.aim.after[number]:
            return False
        self.move("stack", self.aim.after[number] - self.piles[number], COME, number)
        return True


PressWay = Callable[[Hands], bool]


def _only(hands: Hands) -> str | None:
    """The one number that is pressed, where it is one and nothing was overpaid."""
    aim = hands.aim
    return next(iter(aim.before)) if len(aim.before) == 1 and not aim.to_box else None


def _add(hands: Hands) -> bool:
    """Nothing leaves the bets: they get what they lack, and the player gets the rest."""
    aim = hands.aim
    plain = not aim.capped or not aim.to_player or aim.before == aim.after
    if aim.to_box or not aim.added_to or not plain:
        return False
    for number in aim.before:
        hands.stack(number)
    hands.move("hand-off", aim.to_player, COME, APRON)
    return True


def _cap_off(hands: Hands) -> bool:
    """The player's money is the top of the bet: it is handed off, and the payoff goes on."""
    number, aim = _only(hands), hands.aim
    if number is None or not aim.to_player or not aim.to_player <= aim.before[number]:
        return False
    if aim.before[number].below(aim.to_player.smallest):
        return False
    hands.hand_off(number)
    return hands.stack(number)


def _lift_the_cap(hands: Hands) -> bool:
    """The player's money lies under the cap: the cap is lifted, the rest of the bet handed off."""
    number, aim = _only(hands), hands.aim
    if number is None or not aim.to_player or not aim.to_player <= aim.before[number]:
        return False
    least = aim.to_player.smallest
    if not hands.piles[number].below(least):
        return False
    hands.move("pick", hands.piles[COME].below(least), COME, number)
    cap = hands.piles[number].below(least)
    hands.move("lift", cap, number, HELD)
    hands.move("hand-off", aim.to_player, number, APRON)
    hands.move("cap", cap, HELD, COME)
    return hands.stack(number)


def _pick_one_leave_one(hands: Hands) -> bool:
    """What the player's money lacks is picked off the payoff onto the bet, and handed off."""
    number = _only(hands)
    if number is None or not hands.aim.to_player - hands.aim.before[number] <= hands.piles[COME]:
        return False
    hands.hand_off(number)
    return hands.stack(number)


def _slide(hands: Hands) -> bool:
    """The player's part of the bet goes beside the payoff, what it lacks is slid onto it."""
    number, aim = _only(hands), hands.aim
    if number is None or not aim.to_player or aim.to_player <= aim.before[number]:
        return False
    part = aim.to_player & aim.before[number]
    if not part:  # nothing to slide onto
        return False
    hands.move("beside", part, number, BESIDE)
    hands.move("slide", aim.to_player - part, COME, BESIDE)
    hands.move("hand-off", aim.to_player, BESIDE, APRON)
    return hands.stack(number)


def _overpay(hands: Hands) -> bool:
    """One bet, overpaid: what is too much goes back to the box, the player is paid off the bet."""
    aim = hands.aim
    if len(aim.before) != 1 or not aim.to_box:
        return False
    number = next(iter(aim.before))
    off_bet = aim.to_box & aim.before[number]
    kept = aim.to_player & (aim.before[number] - off_bet)
    # What lies on top goes first: the box's part, unless it lies under the player's.
    if kept and off_bet.smallest > kept.smallest:
        hands.hand_off(number)
        hands.hand_back(number)
    else:
        hands.hand_back(number)
        hands.hand_off(number)
    return hands.stack(number)


def _pass_across(hands: Hands) -> bool:
    """Two bets: the player is paid off the first, the second fills it up, the payoff the second."""
    aim = hands.aim
    if len(aim.before) != 2 or aim.to_box:
        return False
    first, second = aim.before
    if not aim.to_player - hands.piles[first] <= hands.piles[COME]:
        return False
    hands.hand_off(first)
    if not hands.piles[first] <= aim.after[first]:
        return False
    lacks = aim.after[first] - hands.piles[first]
    hands.move("pick", lacks - hands.piles[second], COME, second)
    hands.move("across", lacks, second, first)
    return hands.stack(second)


def _whole_bet_to_the_box(hands: Hands) -> bool:
    """Two bets, overpaid: one whole bet, made up from the other, goes back to the box."""
    aim = hands.aim
    if len(aim.before) != 2 or not aim.before[next(reversed(aim.before))] <= aim.to_box:
        return False
    first, second = aim.before
    if not aim.to_box - hands.piles[second] <= hands.piles[first]:
        return False
    hands.move("across", aim.to_box - hands.piles[second], first, second)
    hands.move("to-box", aim.to_box, second, BOX)
    hands.hand_off(first)
    return hands.stack(first) and hands.stack(second)


def _through_the_come(hands: Hands) -> bool:
    """Any bets: what is not to stay on them goes to the come, and everything is dealt from there.

    It always fits: what lies in the come then is exactly what the box, the player and the bets
    are still to have.
    """
    aim = hands.aim
    for number in aim.before:
        hands.move("beside", aim.before[number] - aim.after[number], number, COME)
    hands.move("to-box", aim.to_box, COME, BOX)
    hands.move("hand-off", aim.to_player, COME, APRON)
    return all(hands.stack(number) for number in aim.before)


#: In the order in which a dealer thinks of them.
WAYS: dict[str, PressWay] = {
    "add": _add,
    "cap off": _cap_off,
    "lift the cap": _lift_the_cap,
    "pick one, leave one": _pick_one_leave_one,
    "slide": _slide,
    "overpay": _overpay,
    "pass across": _pass_across,
    "whole bet to the box": _whole_bet_to_the_box,
    "through the come": _through_the_come,
}


def motions_by(
    way: str, aim: Aim, kinds: dict[str, MotionKind], book: str
) -> tuple[Motion, ...] | None:
    """The motions of one way; None where it does not fit."""
    hands = Hands(aim, kinds, book)
    return tuple(hands.motions) if WAYS[way](hands) else None
