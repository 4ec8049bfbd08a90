"""Press moves: a place bet wins and is raised, worked out in chips and motions of the hands.

First the goal is fixed (`PressGoal`): the raised bet in its largest chips, the player's money in
its largest chips, and the bank sets out exactly the chips that are then missing. What is left over
goes back to the box. So the dealer may overpay on purpose, and the box gets back the difference.
Every move that the dealer school shows follows this rule.

Then a press method (`PRESS_METHODS`) finds the motions that reach the goal. The first method that
fits is the one a dealer uses.
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
    """The bets before and after a press, by number, and the chips that move.

    `thrown` is what the player throws in, `set_out` what the bank pays, `to_player` what the player
    is handed, `to_box` what goes back to the box. `due` is the win in cents.
    """

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
        """Return whether no chip leaves any bet."""
        return all(self.before[n] <= self.after[n] for n in self.before)

    @property
    def has_cap(self) -> bool:
        """Return whether a bet has a cap: the table's smallest chips on top of larger ones."""
        least = self.rack.smallest
        return any(b.smallest == least and not b.one_color for b in self.before.values())


#: Words for positions that have no name on the layout.
_PLACE_NAMES = {BESIDE: "pile beside the payoff"}


class DealerHands:
    """A dealer at work on a press: the motions made so far, and the piles as they are now."""

    def __init__(self, goal: PressGoal, kinds: dict[str, MotionKind]) -> None:
        self.goal, self._kinds = goal, kinds
        self.piles = {**goal.before, COME: NO_CHIPS, BESIDE: NO_CHIPS, IN_HAND: NO_CHIPS}
        self.motions: list[Motion] = []
        self.move_chips("throw-in", goal.thrown, PLAYER, COME)
        self.move_chips("set-out-over" if goal.to_box else "set-out", goal.set_out, BANK, COME)

    def move_chips(self, kind: str, chips: Chips, source: str, target: str) -> None:
        """Make one motion. Do nothing if there are no chips to move."""
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
            due=show_dollars(self.goal.due),
            over=show_dollars(self.goal.set_out.amount - self.goal.due),
        )
        cites = spec.cites
        motion = Motion(
            hand=spec.hand, words=words, chips=chips, source=source, target=target, cites=cites
        )
        self.motions.append(motion)

    def hand_off(self, number: str) -> None:
        """Hand the player's money off a bet, after picking what it lacks off the payoff."""
        owed = self.goal.to_player
        if not owed & self.piles[number]:  # None of it is on the bet.
            self.move_chips("hand-off", owed, COME, APRON)
            return
        self.move_chips("pick", owed - self.piles[number], COME, number)
        self.move_chips("hand-off", owed, number, APRON)

    def hand_back(self, number: str) -> None:
        """Give the box its money off a bet, and the rest from the come."""
        owed = self.goal.to_box
        off_bet = owed & self.piles[number]
        self.move_chips("to-box", owed - off_bet, COME, BOX)
        self.move_chips("to-box", off_bet, number, BOX)

    def fill_bet(self, number: str) -> bool:
        """Add what a bet lacks from the come. Return False if the bet has chips that it should not
        have."""
        if not self.piles[number] <= self.goal.after[number]:
            return False
        self.move_chips("stack", self.goal.after[number] - self.piles[number], COME, number)
        return True


PressMethod = Callable[[DealerHands], bool]


def _find_only_number(hands: DealerHands) -> str | None:
    """Return the number that is pressed if it is the only one and nothing is overpaid, else
    None."""
    goal = hands.goal
    return next(iter(goal.before)) if len(goal.before) == 1 and not goal.to_box else None


def _add_chips(hands: DealerHands) -> bool:
    """Add to the bets what they lack and hand the player the rest. Nothing leaves the bets."""
    goal = hands.goal
    plain = not goal.has_cap or not goal.to_player or goal.before == goal.after
    if goal.to_box or not goal.only_grows or not plain:
        return False
    for number in goal.before:
        hands.fill_bet(number)
    hands.move_chips("hand-off", goal.to_player, COME, APRON)
    return True


def _cap_off(hands: DealerHands) -> bool:
    """Hand off the top of the bet as the player's money, then add the payoff."""
    number, goal = _find_only_number(hands), hands.goal
    if number is None or not goal.to_player or not goal.to_player <= goal.before[number]:
        return False
    if goal.before[number].below(goal.to_player.smallest):
        return False
    hands.hand_off(number)
    return hands.fill_bet(number)


def _lift_the_cap(hands: DealerHands) -> bool:
    """Lift the cap, hand off the player's money beneath it, and rebuild the bet."""
    number, goal = _find_only_number(hands), hands.goal
    if number is None or not goal.to_player or not goal.to_player <= goal.before[number]:
        return False
    least = goal.to_player.smallest
    if not hands.piles[number].below(least):
        return False
    hands.move_chips("pick", hands.piles[COME].below(least), COME, number)
    cap = hands.piles[number].below(least)
    hands.move_chips("lift", cap, number, IN_HAND)
    hands.move_chips("hand-off", goal.to_player, number, APRON)
    hands.move_chips("cap", cap, IN_HAND, COME)
    return hands.fill_bet(number)


def _pick_one_leave_one(hands: DealerHands) -> bool:
    """Pick what the player's money lacks off the payoff onto the bet, then hand it off."""
    number = _find_only_number(hands)
    if number is None or not hands.goal.to_player - hands.goal.before[number] <= hands.piles[COME]:
        return False
    hands.hand_off(number)
    return hands.fill_bet(number)


def _slide(hands: DealerHands) -> bool:
    """Put the player's part of the bet beside the payoff, and slide what it lacks onto it."""
    number, goal = _find_only_number(hands), hands.goal
    if number is None or not goal.to_player or goal.to_player <= goal.before[number]:
        return False
    part = goal.to_player & goal.before[number]
    if not part:  # There is nothing to slide onto.
        return False
    hands.move_chips("beside", part, number, BESIDE)
    hands.move_chips("slide", goal.to_player - part, COME, BESIDE)
    hands.move_chips("hand-off", goal.to_player, BESIDE, APRON)
    return hands.fill_bet(number)


def _overpay(hands: DealerHands) -> bool:
    """Overpay one bet: give the excess back to the box, and pay the player off the bet."""
    goal = hands.goal
    if len(goal.before) != 1 or not goal.to_box:
        return False
    number = next(iter(goal.before))
    off_bet = goal.to_box & goal.before[number]
    players_part = goal.to_player & (goal.before[number] - off_bet)
    # The top of the bet goes first: the box's part, unless the player's is above it.
    if players_part and off_bet.smallest > players_part.smallest:
        hands.hand_off(number)
        hands.hand_back(number)
    else:
        hands.hand_back(number)
        hands.hand_off(number)
    return hands.fill_bet(number)


def _pass_across(hands: DealerHands) -> bool:
    """Press two bets: pay the player off the first, fill it from the second, fill that from the
    payoff."""
    goal = hands.goal
    if len(goal.before) != 2 or goal.to_box:
        return False
    first, second = goal.before
    if not goal.to_player - hands.piles[first] <= hands.piles[COME]:
        return False
    hands.hand_off(first)
    if not hands.piles[first] <= goal.after[first]:
        return False
    lacks = goal.after[first] - hands.piles[first]
    hands.move_chips("pick", lacks - hands.piles[second], COME, second)
    hands.move_chips("across", lacks, second, first)
    return hands.fill_bet(second)


def _whole_bet_to_the_box(hands: DealerHands) -> bool:
    """Overpay two bets: give one whole bet, completed from the other, back to the box."""
    goal = hands.goal
    if len(goal.before) != 2 or not goal.before[next(reversed(goal.before))] <= goal.to_box:
        return False
    first, second = goal.before
    if not goal.to_box - hands.piles[second] <= hands.piles[first]:
        return False
    hands.move_chips("across", goal.to_box - hands.piles[second], first, second)
    hands.move_chips("to-box", goal.to_box, second, BOX)
    hands.hand_off(first)
    return hands.fill_bet(first) and hands.fill_bet(second)


def _through_the_come(hands: DealerHands) -> bool:
    """Move what does not stay on the bets to the come, and deal everything from there.

    This method always fits: the come then has exactly what the box, the player and the bets still
    need.
    """
    goal = hands.goal
    for number in goal.before:
        hands.move_chips("beside", goal.before[number] - goal.after[number], number, COME)
    hands.move_chips("to-box", goal.to_box, COME, BOX)
    hands.move_chips("hand-off", goal.to_player, COME, APRON)
    return all(hands.fill_bet(number) for number in goal.before)


#: The press methods by name, in the order in which a dealer tries them.
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
    way: str, goal: PressGoal, kinds: dict[str, MotionKind]
) -> tuple[Motion, ...] | None:
    """Return the motions of one press method, or None if it does not fit."""
    hands = DealerHands(goal, kinds)
    return tuple(hands.motions) if PRESS_METHODS[way](hands) else None


_CUSTOM_CITE = "custom: by the rule that the dealer school's press moves share"


class ManualMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A press that a manual shows: its bets, its method, and the clause of each motion."""

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


class Press(msgspec.Struct, frozen=True, kw_only=True):
    """A press worked out: the money, the chips, and the motions that make it.

    `before` and `after` are the bets by number. `set_out` is what the bank pays into the come,
    `to_player` what the player is handed, `to_box` what comes back because it was overpaid.
    """

    before: dict[str, Chips]
    after: dict[str, Chips]
    win: int
    thrown: Chips
    set_out: Chips
    to_player: Chips
    to_box: Chips
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
    def overpaid(self) -> int:
        """Return how much more than the win is set out, in cents. The box gets it back."""
        return self.set_out.amount - self.win

    @property
    def why(self) -> str:
        """Return a sentence that explains this method."""
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
    """Press place wagers when the first of these numbers is rolled.

    `bets` has the amount in cents (or chips) before and the amount after, by number. `thrown` is
    what the player throws in. Return a Refusal if the house does not take such wagers or the win
    does not cover the press.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(make_house(rulebook("dealer-school")))
    >>> press = compute_press(layout, {8: (2400, 3000)})
    >>> str(press.set_out), str(press.to_box), str(press.to_player), press.overpaid
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
    goal = _compute_goal(layout, next(iter(bets)), before, after, extra)
    return goal if isinstance(goal, Refusal) else _make_press(layout, goal, way)


def _read_chips(rack: Rack, amount: int | Chips) -> Chips | str:
    """Return the chips for an amount, or a sentence that says why there are none."""
    if isinstance(amount, Chips):
        strange = [chip.color for chip, _ in amount.piles if chip not in rack.chips]
        return f"there is no such chip in the rack: {strange[0]}" if strange else amount
    if amount == 0:
        return NO_CHIPS
    cut = rack.cut(amount)
    return cut.reason if isinstance(cut, UncutAmount) else cut


def _check_press(
    layout: Layout, read: Mapping[int, tuple[Chips | str, Chips | str]]
) -> Refusal | None:
    """Return the refusal if these are not place wagers that the house takes, before or after."""
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
    """Return what the engine pays a place wager when its number is rolled."""
    faces = next(faces for faces in OUTCOMES if sum(faces) == number)
    throw = Throw(outcome_index(*faces), number, number)
    up = {layout.slug(f"place-win-{number}"): Stake(stake, stake, call=True)}
    (settlement,) = settle(layout, "", up, throw)
    return settlement.paid


def _compute_goal(
    layout: Layout, hit: int, before: dict[str, Chips], after: dict[str, Chips], thrown: Chips
) -> PressGoal | Refusal:
    """Return the goal: bets and hand-off in their largest chips, the bank sets out the
    difference."""
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
        due=win,
    )


def _make_press(layout: Layout, goal: PressGoal, way: str | None) -> Press | Refusal:
    """Return the press by the method asked for, or by the first that fits."""
    book, kinds = layout.house.book.id, _load_press_moves(layout.house.book.id).motion
    fits = {
        name: motion
        for name in PRESS_METHODS
        if (motion := list_motions(name, goal, kinds)) is not None
    }
    if way is not None and way not in fits:
        return refuse("no-such-way", _CUSTOM_CITE, tuple(fits), way=way)
    name = way or next(iter(fits))
    motions, cites = _cite_motions(fits[name], _find_manual_moves(book, goal, name))
    return Press(
        before=goal.before,
        after=goal.after,
        win=goal.due,
        thrown=goal.thrown,
        set_out=goal.set_out,
        to_player=goal.to_player,
        to_box=goal.to_box,
        way=name,
        also=tuple(other for other in fits if other != name),
        motions=motions,
        cites=cites,
    )


def _cite_motions(
    motions: tuple[Motion, ...], shown: list[ManualMove]
) -> tuple[tuple[Motion, ...], tuple[str, ...]]:
    """Return the motions with the manual's clauses, and the clauses of the whole move."""
    if not shown:
        return motions, (_CUSTOM_CITE,)
    steps = zip(motions, *(move.motions for move in shown), strict=True)
    named = [
        msgspec.structs.replace(motion, cites=tuple(cite for by in cites for cite in by))
        for motion, *cites in steps
    ]
    return tuple(named), tuple(cite for move in shown for cite in move.cite)


def _find_manual_moves(book: str, goal: PressGoal, way: str) -> list[ManualMove]:
    """Return the manual's moves for exactly these bets."""
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
