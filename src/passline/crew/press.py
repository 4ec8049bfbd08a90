"""Press moves: a place bet wins and is raised, worked out in chips and motions of the hands.

First the goal is fixed (`PressGoal`): the raised bet in its largest chips, the player's money in
its largest chips, and the chips that are then missing, which the bank sets out. Chips left over go
back to the box, the boxperson's bank. So the dealer may overpay on purpose, and the box gets back
the difference. Every move that the dealer school shows follows this rule.

Then a press method (`PRESS_METHODS`) finds the motions that reach the goal. The first method that
fits is the one a dealer uses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

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
from passline.game.law.book_files import read_each_book
from passline.game.law.book_parts import load_part, read_customs
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Refusal, Stake, refuse
from passline.game.layout.wager_checks import check_amount
from passline.game.money.amounts import show_dollars
from passline.game.money.chips import NO_CHIPS, Chips, Rack, UncutAmount, sum_chips
from passline.game.words.crew import PILE_NAME


class PressGoal(msgspec.Struct, frozen=True, kw_only=True):
    """The bets before and after a press, by number, and the chips that move.

    `thrown` is what the player throws in, `set_out` what the bank pays, `to_player` what the player
    is handed, `to_box` what goes back to the boxperson. `win` is in cents.
    """

    rack: Rack
    before: dict[str, Chips]
    after: dict[str, Chips]
    thrown: Chips
    set_out: Chips
    to_player: Chips
    to_box: Chips
    win: int

    @property
    def overpaid(self) -> int:
        """Return how many cents more than the win are set out. The boxperson gets them back."""
        return self.set_out.amount - self.win


#: Words for positions that have no name on the layout.
_PLACE_NAMES = {BESIDE: PILE_NAME}


class DealerHands:
    """A dealer at work on a press: the motions made so far, and the chips by position now.

    At first, the money that the player throws in and the payoff are in the come area.
    """

    def __init__(self, goal: PressGoal, kinds: dict[str, MotionKind]) -> None:
        self.goal, self._kinds = goal, kinds
        self.piles = {**goal.before, COME: NO_CHIPS, BESIDE: NO_CHIPS, IN_HAND: NO_CHIPS}
        self.motions: list[Motion] = []
        self.move_chips("throw-in", goal.thrown, PLAYER, COME)
        self.move_chips("set-out-over" if goal.to_box else "set-out", goal.set_out, BANK, COME)

    def move_chips(self, kind: str, chips: Chips, source: str, target: str) -> None:
        """Add one motion and update the piles in place. Do nothing if there are no chips to move.

        `kind` names the motion in the rulebook's data.
        """
        if not chips:
            return
        if source in self.piles:
            assert chips <= self.piles[source], (kind, chips, self.piles[source])
            self.piles[source] -= chips
        if target in self.piles:
            self.piles[target] += chips
        words = {
            "source": _PLACE_NAMES.get(source, source),
            "target": target,
            "due": show_dollars(self.goal.win),
            "over": show_dollars(self.goal.overpaid),
        }
        self.motions.append(self._kinds[kind].make_motion(chips, source, target, **words))

    def hand_off(self, number: str) -> None:
        """Add the motions that hand the player the chips due, off the bet on `number`.

        Those that the bet lacks are first moved onto it from the payoff. If the bet has none of the
        chips due, the dealer hands all of them over from the payoff.
        """
        owed = self.goal.to_player
        if not owed & self.piles[number]:  # None of it is on the bet.
            self.move_chips("hand-off", owed, COME, APRON)
            return
        self.move_chips("pick", owed - self.piles[number], COME, number)
        self.move_chips("hand-off", owed, number, APRON)

    def hand_back(self, number: str) -> None:
        """Add the motions that give the boxperson what was overpaid.

        Chips of the right colors come from the bet on `number`, the rest from the come area.
        """
        owed = self.goal.to_box
        off_bet = owed & self.piles[number]
        self.move_chips("to-box", owed - off_bet, COME, BOX)
        self.move_chips("to-box", off_bet, number, BOX)

    def fill_bet(self, number: str) -> bool:
        """Add the motion that completes the bet on `number` with chips of the come area.

        Return False, and do nothing, if the bet has chips that the raised bet does not have.
        """
        if not self.piles[number] <= self.goal.after[number]:
            return False
        self.move_chips("stack", self.goal.after[number] - self.piles[number], COME, number)
        return True


def _add_chips(hands: DealerHands, *numbers: str) -> bool:
    """Try to press by adding to the bets the chips that they lack; the player gets the rest.

    Return False if chips would have to leave a bet, or the chips due to the player lie under
    smaller ones.
    """
    goal, least = hands.goal, hands.goal.rack.smallest
    if not all(goal.before[number] <= goal.after[number] for number in numbers):
        return False
    # A cap is the table's smallest chips on top of larger ones. The player's money is under it.
    capped = any(bet.smallest == least and not bet.one_color for bet in goal.before.values())
    if capped and goal.to_player and goal.before != goal.after:
        return False
    for number in numbers:
        hands.fill_bet(number)
    hands.move_chips("hand-off", goal.to_player, COME, APRON)
    return True


def _cap_off(hands: DealerHands, number: str) -> bool:
    """Try to hand the player chips from the top of the bet, then complete the bet from the payoff.

    Return False if none are due, the bet lacks them, or smaller ones are on top of them.
    """
    owed, bet = hands.goal.to_player, hands.goal.before[number]
    if not owed or not owed <= bet or bet.below(owed.smallest):
        return False
    hands.hand_off(number)
    return hands.fill_bet(number)


def _lift_the_cap(hands: DealerHands, number: str) -> bool:
    """Try to lift the cap (smaller chips on top), hand off chips beneath it, and rebuild the bet.

    Return False if the bet lacks the player's chips, or no smaller chips are on top of them.
    """
    owed, bet = hands.goal.to_player, hands.goal.before[number]
    if not owed or not owed <= bet or not bet.below(owed.smallest):
        return False
    hands.move_chips("pick", hands.piles[COME].below(owed.smallest), COME, number)
    cap = hands.piles[number].below(owed.smallest)
    hands.move_chips("lift", cap, number, IN_HAND)
    hands.move_chips("hand-off", owed, number, APRON)
    hands.move_chips("cap", cap, IN_HAND, COME)
    return hands.fill_bet(number)


def _pick_one_leave_one(hands: DealerHands, number: str) -> bool:
    """Try to hand the player's money off the bet, then fill the bet from the payoff.

    Chips due to the player that the bet lacks are first moved from the payoff onto it. Return False
    if this method does not work for these chips.
    """
    if not hands.goal.to_player - hands.goal.before[number] <= hands.piles[COME]:
        return False
    hands.hand_off(number)
    return hands.fill_bet(number)


def _slide(hands: DealerHands, number: str) -> bool:
    """Try to put the player's money beside the payoff, and slide onto the bet what it lacks.

    Return False if the bet has none of the chips due to the player, or has them all.
    """
    owed, bet = hands.goal.to_player, hands.goal.before[number]
    part = owed & bet
    if not part or owed <= bet:  # There is nothing to slide onto, or nothing to slide.
        return False
    hands.move_chips("beside", part, number, BESIDE)
    hands.move_chips("slide", owed - part, COME, BESIDE)
    hands.move_chips("hand-off", owed, BESIDE, APRON)
    return hands.fill_bet(number)


def _overpay(hands: DealerHands, number: str) -> bool:
    """Try to press one bet with a payoff that is too large: the excess goes back to the boxperson.

    The player is handed chips off the bet. Return False if the bet then has chips that it must not.
    """
    off_bet = hands.goal.to_box & hands.goal.before[number]
    players_part = hands.goal.to_player & (hands.goal.before[number] - off_bet)
    # The top of the bet goes first: the box's part, unless the player's is above it.
    players_first = players_part and off_bet.smallest > players_part.smallest
    if players_first:
        hands.hand_off(number)
    hands.hand_back(number)
    if not players_first:
        hands.hand_off(number)
    return hands.fill_bet(number)


def _pass_across(hands: DealerHands, first: str, second: str) -> bool:
    """Try to hand the player chips off the first bet, then fill it with chips of the second.

    The second bet is filled from the payoff. Return False if the chips do not allow that.
    """
    if not hands.goal.to_player - hands.piles[first] <= hands.piles[COME]:
        return False
    hands.hand_off(first)
    if not hands.piles[first] <= hands.goal.after[first]:
        return False
    lacks = hands.goal.after[first] - hands.piles[first]
    hands.move_chips("pick", lacks - hands.piles[second], COME, second)
    hands.move_chips("across", lacks, second, first)
    return hands.fill_bet(second)


def _whole_bet_to_the_box(hands: DealerHands, first: str, second: str) -> bool:
    """Try to press two bets with a payoff that is too large, by giving one whole bet to the box.

    Chips of the first bet complete the second, which goes back to the boxperson. Return False if
    they can't.
    """
    to_box = hands.goal.to_box
    lacks = to_box - hands.piles[second]
    if not hands.piles[second] <= to_box or not lacks <= hands.piles[first]:
        return False
    hands.move_chips("across", lacks, first, second)
    hands.move_chips("to-box", to_box, second, BOX)
    hands.hand_off(first)
    return hands.fill_bet(first) and hands.fill_bet(second)


def _through_the_come(hands: DealerHands, *numbers: str) -> bool:
    """Move the chips that leave the bets to the come area, and deal from there.

    This method always fits.
    """
    goal = hands.goal
    for number in numbers:
        hands.move_chips("beside", goal.before[number] - goal.after[number], number, COME)
    hands.move_chips("to-box", goal.to_box, COME, BOX)
    hands.move_chips("hand-off", goal.to_player, COME, APRON)
    return all(hands.fill_bet(number) for number in numbers)


class PressMethod(NamedTuple):
    """A press method: a way to reach the goal of a press.

    `bets` is the number of bets that it is for, or None for any number. `make_motions` gets the
    dealer's hands and the numbers, and returns whether the method fits. `overpays` says whether it
    is for a payoff that the bank sets out too large; None means for either.
    """

    make_motions: Callable[..., bool]
    bets: int | None
    overpays: bool | None


#: The press methods by name, in the order in which a dealer tries them.
PRESS_METHODS: dict[str, PressMethod] = {
    "add": PressMethod(_add_chips, None, overpays=False),
    "cap off": PressMethod(_cap_off, 1, overpays=False),
    "lift the cap": PressMethod(_lift_the_cap, 1, overpays=False),
    "pick one, leave one": PressMethod(_pick_one_leave_one, 1, overpays=False),
    "slide": PressMethod(_slide, 1, overpays=False),
    "overpay": PressMethod(_overpay, 1, overpays=True),
    "pass across": PressMethod(_pass_across, 2, overpays=False),
    "whole bet to the box": PressMethod(_whole_bet_to_the_box, 2, overpays=True),
    "through the come": PressMethod(_through_the_come, None, overpays=None),
}


def _list_motions(
    method: PressMethod, goal: PressGoal, kinds: dict[str, MotionKind]
) -> tuple[Motion, ...] | None:
    """Return the motions that reach the goal by this press method, or None if it does not fit.

    `kinds` has the kinds of motion by name, from the rulebook's data.
    """
    if method.bets not in (None, len(goal.before)):
        return None
    if method.overpays not in (None, bool(goal.to_box)):
        return None
    hands = DealerHands(goal, kinds)
    return tuple(hands.motions) if method.make_motions(hands, *goal.before) else None


_CUSTOM_CITE = "custom: by the rule that the dealer school's press moves share"


class ManualMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press that a manual shows: its bets in dollars, its method (`way`), and its clauses.

    `numbers` are those that it may be made on; `before` and `after` have one amount for each bet.
    `cite` has the clauses of the whole move, `motions` those of each motion.
    """

    numbers: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    way: str
    cite: tuple[str, ...]
    motions: tuple[tuple[str, ...], ...]
    thrown: int = 0
    #: The id of the rulebook that shows the move; set when the file is read.
    book: str = ""


class _PressFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    motion: dict[str, MotionKind]
    #: A sentence for each press method that says why it is used, with placeholders for amounts.
    why: dict[str, str]
    shown: tuple[ManualMove, ...] = ()


class Press(PressGoal, frozen=True, kw_only=True):
    """A press worked out: its goal, the method (`way`), and the motions that make it."""

    way: str
    #: Other methods that reach the same goal.
    also: tuple[str, ...]
    motions: tuple[Motion, ...]
    cites: tuple[str, ...]

    @property
    def press(self) -> int:
        """Return by how much the bets go up together, in cents."""
        return sum_chips(self.after.values()).amount - sum_chips(self.before.values()).amount

    @property
    def why(self) -> str:
        """Return a sentence that says why a dealer presses by this method, with the amounts."""
        way = self.way if self.press > 0 else "no press"
        reasons: dict[str, str] = read_customs("crew/press")["why"]
        return reasons[way].format(
            win=show_dollars(self.win),
            press=show_dollars(self.press),
            handed=show_dollars(self.to_player.amount),
            set_out=show_dollars(self.set_out.amount),
            back=show_dollars(self.to_box.amount),
        )


def _load_press_moves(book: str) -> _PressFile:
    return load_part(book, "crew/press", _PressFile)


@cache
def list_manual_moves() -> tuple[ManualMove, ...]:
    """Return the press moves that the rulebooks show, book by book."""
    by_book = read_each_book(
        lambda book: [
            msgspec.structs.replace(move, book=book) for move in _load_press_moves(book).shown
        ]
    )
    return tuple(move for moves in by_book for move in moves)


def compute_press(
    layout: Layout,
    bets: Mapping[int, tuple[int | Chips, int]],
    *,
    thrown: int | Chips = 0,
    way: str | None = None,
) -> Press | Refusal:
    """Return how the dealer presses place bets when the first of these numbers is rolled.

    `bets` has (amount before, amount after) by number, in cents, or the first as chips. `thrown` is
    what the player throws in. `way` names a press method (default: the first that fits). Return a
    Refusal if the house does not take such wagers or chips, the win does not cover the press, or
    the method does not fit.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(make_house(rulebook("dealer-school")))
    >>> press = compute_press(layout, {8: (2400, 3000)})
    >>> str(press.set_out), str(press.to_box), str(press.to_player), press.overpaid
    ('1 green, 1 red', '2 white', '4 red, 2 white', 200)
    """
    rack = layout.house.rack
    extra = _read_chips(rack, thrown)
    read: dict[str, list[Chips]] = {}
    for number, amounts in bets.items():
        spot = layout.spot(f"place-win-{number}")
        if spot is None:
            return refuse("not-a-place-number", layout.house.book.unlisted, number=number)
        read[str(number)] = []
        for amount in amounts:
            chips = _read_chips(rack, amount)
            if isinstance(chips, Refusal):
                return chips
            if refused := check_amount(layout, spot, 0, {}, chips.amount):
                return refused
            read[str(number)].append(chips)
    if isinstance(extra, Refusal):
        return extra
    before, after = ({n: both[at] for n, both in read.items()} for at in (0, 1))
    goal = _compute_goal(layout, next(iter(bets)), before, after, extra)
    return goal if isinstance(goal, Refusal) else _make_press(layout, goal, way)


def _read_chips(rack: Rack, amount: int | Chips) -> Chips | Refusal:
    """Return the chips for an amount in cents, or a Refusal if the house's chips can't make it.

    If `amount` is chips, return them, or a Refusal if the house lacks one of their colors.
    """
    if isinstance(amount, Chips):
        strange = [chip.color for chip, _ in amount.piles if chip not in rack.chips]
        if not strange:
            return amount
        return refuse("no-such-chip", _CUSTOM_CITE, color=strange[0])
    cut = rack.cut(amount) if amount else NO_CHIPS
    if isinstance(cut, UncutAmount):
        return refuse(cut.code, _CUSTOM_CITE, (), **cut.figures)
    return cut


def compute_win(layout: Layout, number: int, stake: int) -> int:
    """Return the cents that the engine pays a place bet of `stake` cents on `number`."""
    faces = next(faces for faces in OUTCOMES if sum(faces) == number)
    throw = Throw(outcome_index(*faces), number, number)
    up = {layout.slug(f"place-win-{number}"): Stake(stake, stake, call=True)}
    (settlement,) = settle(layout, "", up, throw)
    return settlement.paid


def _compute_goal(
    layout: Layout, hit: int, before: dict[str, Chips], after: dict[str, Chips], thrown: Chips
) -> PressGoal | Refusal:
    """Return the goal of a press: every bet in its largest chips, and what the bank must add.

    `hit` is the number that was rolled. Return a Refusal if the player must throw in more.
    """
    rack, win = layout.house.rack, compute_win(layout, hit, before[str(hit)].amount)
    bets, pressed = sum_chips(before.values()), sum_chips(after.values())
    owed = win + thrown.amount - (pressed.amount - bets.amount)
    if owed < 0:
        return refuse("throw-in-more", _CUSTOM_CITE, win=win, short=-owed)
    to_player, _ = rack.divide(owed)
    end, start = pressed + to_player, bets + thrown
    set_out, to_box = end - start, start - end
    if to_box and len(before) > 1:
        # A bet that would keep a single chip goes to the box whole, and the bank sets that chip
        # out again (press.6-and-8/24-to-30-each).
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
        win=win,
    )


def _make_press(layout: Layout, goal: PressGoal, way: str | None) -> Press | Refusal:
    """Return the press by the method `way`, or by the first that fits if it is None.

    Return a Refusal if that method does not fit.
    """
    book, kinds = layout.house.book.id, _load_press_moves(layout.house.book.id).motion
    fits = {
        name: motion
        for name in PRESS_METHODS
        if (motion := _list_motions(PRESS_METHODS[name], goal, kinds)) is not None
    }
    if way is not None and way not in fits:
        return refuse("no-such-way", _CUSTOM_CITE, tuple(fits), way=way)
    name = way or next(iter(fits))
    motions, cites = _cite_motions(fits[name], _find_manual_moves(book, goal, name))
    return Press(
        **msgspec.structs.asdict(goal),
        way=name,
        also=tuple(other for other in fits if other != name),
        motions=motions,
        cites=cites,
    )


def _cite_motions(
    motions: tuple[Motion, ...], shown: list[ManualMove]
) -> tuple[tuple[Motion, ...], tuple[str, ...]]:
    """Return (motions with the manual's clauses, clauses of the whole move).

    `shown` are the moves that a manual shows for these bets. If there are none, the motions stay as
    they are, and the whole move is cited as a custom.
    """
    if not shown:
        return motions, (_CUSTOM_CITE,)
    steps = zip(motions, *(move.motions for move in shown), strict=True)
    named = [
        msgspec.structs.replace(motion, cites=tuple(cite for by in cites for cite in by))
        for motion, *cites in steps
    ]
    return tuple(named), tuple(cite for move in shown for cite in move.cite)


def _find_manual_moves(book: str, goal: PressGoal, way: str) -> list[ManualMove]:
    """Return the moves that the dealing manual of rulebook `book` prints for a press.

    The press has the bets of `goal` and is made by the method `way`.
    """
    cut = goal.rack.divide
    dollars = [b.amount for b in goal.before.values()], [a.amount for a in goal.after.values()]
    plain = all(b == cut(b.amount)[0] for b in goal.before.values())
    return [
        move
        for move in list_manual_moves()
        if plain
        and move.book == book
        and move.way == way
        and move.thrown * 100 == goal.thrown.amount
        and ([b * 100 for b in move.before], [a * 100 for a in move.after]) == dollars
        and {int(number) for number in goal.before} <= set(move.numbers)
    ]
