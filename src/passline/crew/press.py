"""The ways a press is made with the hands: each a small function of the same piles of chips.

What is to lie where in the end is decided before (see ``press``). A way says by which motions it
gets there, and answers None where it does not fit. The first way that fits is the one a dealer
uses; the order is the one in which the dealer school's own moves are found.

Press moves: a place wager wins and goes up, in chips, exactly.

One rule holds for every move that the dealer school shows, and so for all the others here. The
bet is left in its largest chips and so is what the player is handed; the bank sets out just the
chips that are then missing; and what lies over goes back to the box. Where that is more than the
win the dealer has overpaid on purpose, and the box gets exactly the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import msgspec

from passline.crew.motions import (
    APRON,
    BANK,
    BESIDE,
    BOX,
    COME,
    IN_HAND,
    PLAYER,
    Motion,
    MotionKind,
)
from passline.game.dice.dice import OUTCOMES, outcome_index
from passline.game.law.book_files import book_ids
from passline.game.law.book_parts import load_part, read_customs
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake, refuse
from passline.game.layout.wager_checks import check_amount
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import NO_CHIPS, Chips, Rack, UncutAmount, sum_chips


class PressGoal(msgspec.Struct, frozen=True, kw_only=True):
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
    def only_grows(self) -> bool:
        """Whether every bet only grows: no chip leaves it."""
        return all(self.before[n] <= self.after[n] for n in self.before)

    @property
    def capped(self) -> bool:
        """Whether a bet has a cap: the table's smallest chips on top of larger ones."""
        least = self.rack.smallest
        return any(b.smallest == least and not b.one_color for b in self.before.values())


#: A place that has no name of its own on the layout.
_PLACE_NAMES = {BESIDE: "pile beside the payoff"}


class DealerHands:
    """A dealer at work: motions made so far, and what now lies where."""

    def __init__(self, aim: PressGoal, kinds: dict[str, MotionKind]) -> None:
        self.aim, self._kinds = aim, kinds
        self.piles = {**aim.before, COME: NO_CHIPS, BESIDE: NO_CHIPS, IN_HAND: NO_CHIPS}
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
            source=_PLACE_NAMES.get(source, source),
            target=target,
            due=show_dollars(self.aim.due),
            over=show_dollars(self.aim.set_out.amount - self.aim.due),
        )
        cites = spec.cites
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


PressMethod = Callable[[DealerHands], bool]


def _find_only_number(hands: DealerHands) -> str | None:
    """The one number that is pressed, where it is one and nothing was overpaid."""
    aim = hands.aim
    return next(iter(aim.before)) if len(aim.before) == 1 and not aim.to_box else None


def _add_chips(hands: DealerHands) -> bool:
    """Nothing leaves the bets: they get what they lack, and the player gets the rest."""
    aim = hands.aim
    plain = not aim.capped or not aim.to_player or aim.before == aim.after
    if aim.to_box or not aim.only_grows or not plain:
        return False
    for number in aim.before:
        hands.stack(number)
    hands.move("hand-off", aim.to_player, COME, APRON)
    return True


def _cap_off(hands: DealerHands) -> bool:
    """The player's money is the top of the bet: it is handed off, and the payoff goes on."""
    number, aim = _find_only_number(hands), hands.aim
    if number is None or not aim.to_player or not aim.to_player <= aim.before[number]:
        return False
    if aim.before[number].below(aim.to_player.smallest):
        return False
    hands.hand_off(number)
    return hands.stack(number)


def _lift_the_cap(hands: DealerHands) -> bool:
    """The player's money lies under the cap: the cap is lifted, the rest of the bet handed off."""
    number, aim = _find_only_number(hands), hands.aim
    if number is None or not aim.to_player or not aim.to_player <= aim.before[number]:
        return False
    least = aim.to_player.smallest
    if not hands.piles[number].below(least):
        return False
    hands.move("pick", hands.piles[COME].below(least), COME, number)
    cap = hands.piles[number].below(least)
    hands.move("lift", cap, number, IN_HAND)
    hands.move("hand-off", aim.to_player, number, APRON)
    hands.move("cap", cap, IN_HAND, COME)
    return hands.stack(number)


def _pick_one_leave_one(hands: DealerHands) -> bool:
    """What the player's money lacks is picked off the payoff onto the bet, and handed off."""
    number = _find_only_number(hands)
    if number is None or not hands.aim.to_player - hands.aim.before[number] <= hands.piles[COME]:
        return False
    hands.hand_off(number)
    return hands.stack(number)


def _slide(hands: DealerHands) -> bool:
    """The player's part of the bet goes beside the payoff, what it lacks is slid onto it."""
    number, aim = _find_only_number(hands), hands.aim
    if number is None or not aim.to_player or aim.to_player <= aim.before[number]:
        return False
    part = aim.to_player & aim.before[number]
    if not part:  # nothing to slide onto
        return False
    hands.move("beside", part, number, BESIDE)
    hands.move("slide", aim.to_player - part, COME, BESIDE)
    hands.move("hand-off", aim.to_player, BESIDE, APRON)
    return hands.stack(number)


def _overpay(hands: DealerHands) -> bool:
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


def _pass_across(hands: DealerHands) -> bool:
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


def _whole_bet_to_the_box(hands: DealerHands) -> bool:
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


def _through_the_come(hands: DealerHands) -> bool:
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
PRESS_METHODS: dict[str, PressMethod] = {
    "add": _add_chips,
    "cap off": _cap_off,
    "lift the cap": _lift_the_cap,
    "pick one, leave one": _pick_one_leave_one,
    "slide": _slide,
    "overpay": _overpay,
    "pass across": _pass_across,
    "whole bet to the box": _whole_bet_to_the_box,
    "through the come": _through_the_come,
}


def list_motions(
    way: str, aim: PressGoal, kinds: dict[str, MotionKind]
) -> tuple[Motion, ...] | None:
    """The motions of one way; None where it does not fit."""
    hands = DealerHands(aim, kinds)
    return tuple(hands.motions) if PRESS_METHODS[way](hands) else None


_CUSTOM_CITE = "custom: by the rule that the dealer school's press moves share"


class ManualMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that a manual shows: for which bets, by which way, and the clause of each motion."""

    numbers: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    way: str
    cite: tuple[str, ...]
    motions: tuple[tuple[str, ...], ...]
    thrown: int = 0
    #: The rulebook that shows it; filled in when it is read.
    book: str = ""


class _PressFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    motion: dict[str, MotionKind]
    #: By the way of the hands: why it is made so, with amounts to fill in.
    why: dict[str, str]
    shown: tuple[ManualMove, ...] = ()


class Press(msgspec.Struct, frozen=True, kw_only=True):
    """A press worked out: the money, the chips, and the motions that make it.

    ``before`` and ``after`` are the bets by number; ``set_out`` what the bank pays into the come,
    ``to_player`` what is handed over, ``to_box`` what comes back because it was overpaid.
    """

    before: dict[str, Chips]
    after: dict[str, Chips]
    win: int
    thrown: Chips
    set_out: Chips
    to_player: Chips
    to_box: Chips
    way: str
    #: Other ways in which the same chips get to the same places.
    also: tuple[str, ...]
    motions: tuple[Motion, ...]
    cites: tuple[str, ...]

    @property
    def press(self) -> int:
        """By how much the bets go up together, in cents."""
        return sum_chips(self.after.values()).amount - sum_chips(self.before.values()).amount

    @property
    def overpaid(self) -> int:
        """How much more than the win is set out: what the box gets back."""
        return self.set_out.amount - self.win

    @property
    def why(self) -> str:
        """Why the hands go this way, in a sentence."""
        way = self.way if self.press > 0 else "no press"
        return _load_press_reasons()[way].format(
            win=show_dollars(self.win),
            press=show_dollars(self.press),
            handed=show_dollars(self.to_player.amount),
            set_out=show_dollars(self.set_out.amount),
            back=show_dollars(self.to_box.amount),
        )


def _load_press_moves(book: str) -> _PressFile:
    return load_part(book, "crew/press", _PressFile)


@cache
def _load_press_reasons() -> dict[str, str]:
    reasons: dict[str, str] = read_customs("crew/press")["why"]
    return reasons


@cache
def list_manual_moves() -> tuple[ManualMove, ...]:
    """Return the moves that the rulebooks show, in their order."""
    return tuple(
        msgspec.structs.replace(move, book=book)
        for book in book_ids()
        for move in _load_press_moves(book).shown
    )


def compute_press(
    layout: Layout,
    bets: Mapping[int, tuple[int | Chips, int]],
    *,
    thrown: int | Chips = 0,
    way: str | None = None,
) -> Press | Refusal:
    """Press place wagers when the first of these numbers is thrown.

    ``bets`` are amounts in cents (or chips) before, and amounts after, by number; ``thrown`` is
    what the player throws in besides. A Refusal where the amounts are no wagers of this house, or
    the win does not cover the press.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(make_house(rulebook("dealer-school")))
    >>> move = compute_press(felt, {8: (2400, 3000)})
    >>> str(move.set_out), str(move.to_box), str(move.to_player), move.overpaid
    ('1 green, 1 red', '2 white', '4 red, 2 white', 200)
    """
    rack = layout.house.rack
    read = {
        n: (_read_chips(rack, before), _read_chips(rack, after))
        for n, (before, after) in bets.items()
    }
    extra = _read_chips(rack, thrown)
    refused = _check_press(layout, read) or (
        refuse("said", _CUSTOM_CITE, words=extra) if isinstance(extra, str) else None
    )
    if refused is not None:
        return refused
    before = {str(n): b for n, (b, _) in read.items() if isinstance(b, Chips)}
    after = {str(n): a for n, (_, a) in read.items() if isinstance(a, Chips)}
    assert isinstance(extra, Chips)
    aim = _compute_goal(layout, next(iter(bets)), before, after, extra)
    return aim if isinstance(aim, Refusal) else _make_press(layout, aim, way)


def _read_chips(rack: Rack, amount: int | Chips) -> Chips | str:
    """Chips as given, or cut from an amount; else why they cannot be."""
    if isinstance(amount, Chips):
        strange = [chip.colour for chip, _ in amount.piles if chip not in rack.chips]
        return f"there is no such chip in the rack: {strange[0]}" if strange else amount
    if amount == 0:
        return NO_CHIPS
    cut = rack.cut(amount)
    return cut.reason if isinstance(cut, UncutAmount) else cut


def _check_press(
    layout: Layout, read: Mapping[int, tuple[Chips | str, Chips | str]]
) -> Refusal | None:
    """Why these are no place wagers that the house takes, before or after."""
    for number, both in read.items():
        spot = layout.spot(f"place-win-{number}")
        if spot is None:
            return refuse("not-a-place-number", layout.house.book.unlisted, number=number)
        for chips in both:
            if isinstance(chips, str):
                return refuse("said", _CUSTOM_CITE, words=chips)
            if refused := check_amount(layout, spot, 0, {}, chips.amount):
                return refused
    return None


def compute_win(layout: Layout, number: int, stake: int) -> int:
    """What the engine pays a place wager when its number is thrown."""
    faces = next(faces for faces in OUTCOMES if sum(faces) == number)
    throw = Throw(outcome_index(*faces), number, number)
    up = {layout.slug(f"place-win-{number}"): Stake(stake, stake, call=True)}
    (done,) = settle(layout, "", up, throw)
    return done.paid


def _compute_goal(
    layout: Layout, hit: int, before: dict[str, Chips], after: dict[str, Chips], thrown: Chips
) -> PressGoal | Refusal:
    """What is to lie where: bets and hand-off in their largest chips, the bank the difference."""
    rack, win = layout.house.rack, compute_win(layout, hit, before[str(hit)].amount)
    bets, pressed = sum_chips(before.values()), sum_chips(after.values())
    owed = win + thrown.amount - (pressed.amount - bets.amount)
    if owed < 0:
        return refuse("throw-in-more", _CUSTOM_CITE, win=win, short=-owed)
    to_player, _ = rack.divide(owed)
    end, start = pressed + to_player, bets + thrown
    set_out, to_box = end - start, start - end
    if to_box and len(before) > 1:
        # press.6-and-8/24-to-30-each: a bet that would leave one chip behind goes to the box
        # whole, and that chip too is set out anew.
        last = before[next(reversed(before))] - to_box
        if last.chip_count == 1:
            set_out, to_box = set_out + last, to_box + last
    return PressGoal(
        rack=rack,
        before=before,
        after=after,
        thrown=thrown,
        set_out=set_out,
        to_player=to_player,
        to_box=to_box,
        due=win,
    )


def _make_press(layout: Layout, aim: PressGoal, way: str | None) -> Press | Refusal:
    """The press by the way asked for, or by the first that fits."""
    book, kinds = layout.house.book.id, _load_press_moves(layout.house.book.id).motion
    fits = {
        name: made for name in PRESS_METHODS if (made := list_motions(name, aim, kinds)) is not None
    }
    if way is not None and way not in fits:
        return refuse("no-such-way", _CUSTOM_CITE, tuple(fits), way=way)
    name = way or next(iter(fits))
    motions, cites = _cite_motions(fits[name], _find_manual_moves(book, aim, name))
    return Press(
        before=aim.before,
        after=aim.after,
        win=aim.due,
        thrown=aim.thrown,
        set_out=aim.set_out,
        to_player=aim.to_player,
        to_box=aim.to_box,
        way=name,
        also=tuple(other for other in fits if other != name),
        motions=motions,
        cites=cites,
    )


def _cite_motions(
    motions: tuple[Motion, ...], shown: list[ManualMove]
) -> tuple[tuple[Motion, ...], tuple[str, ...]]:
    """Motions with the clauses of the moves that the manual shows, and those of the whole."""
    if not shown:
        return motions, (_CUSTOM_CITE,)
    steps = zip(motions, *(move.motions for move in shown), strict=True)
    named = [
        msgspec.structs.replace(motion, cites=tuple(cite for by in cites for cite in by))
        for motion, *cites in steps
    ]
    return tuple(named), tuple(cite for move in shown for cite in move.cite)


def _find_manual_moves(book: str, aim: PressGoal, way: str) -> list[ManualMove]:
    """The manual's own moves for these very bets."""
    cut = aim.rack.divide
    dollars = [b.amount for b in aim.before.values()], [a.amount for a in aim.after.values()]
    plain = all(b == cut(b.amount)[0] for b in aim.before.values())
    return [
        move
        for move in list_manual_moves()
        if plain
        and move.book == book
        and move.way == way
        and move.thrown * 100 == aim.thrown.amount
        and ([b * 100 for b in move.before], [a * 100 for a in move.after]) == dollars
        and {int(number) for number in aim.before} <= set(move.numbers)
    ]
