"""Press moves: a place wager wins and goes up, in chips, exactly.

One rule holds for every move that the dealer school shows, and so for all the others here. The
bet is left in its largest chips and so is what the player is handed; the bank sets out just the
chips that are then missing; and what lies over goes back to the box. Where that is more than the
win the dealer has overpaid on purpose, and the box gets exactly the difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec

from passline.crew.hands import Motion, MotionKind
from passline.crew.press_moves import WAYS, Aim, motions_by
from passline.dice import OUTCOMES, index_of
from passline.layout import Layout, Refusal, Stake, Throw, refuse, settle
from passline.layout.amounts import check_amount
from passline.money import Rack, Uncut, show_dollars
from passline.money.chips import NO_CHIPS, Chips, together

_CUSTOM = "custom: by the rule that the dealer school's press moves share"


class ShownMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that a manual shows: for which bets, by which way, and the clause of each motion."""

    book: str
    numbers: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    way: str
    cite: tuple[str, ...]
    motions: tuple[tuple[str, ...], ...]
    thrown: int = 0


class _Moves(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    motion: dict[str, MotionKind]
    #: By the way of the hands: why it is made so, with amounts to fill in.
    why: dict[str, str]
    shown: tuple[ShownMove, ...]


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
        return together(self.after.values()).amount - together(self.before.values()).amount

    @property
    def overpaid(self) -> int:
        """How much more than the win is set out: what the box gets back."""
        return self.set_out.amount - self.win

    @property
    def why(self) -> str:
        """Why the hands go this way, in a sentence."""
        way = self.way if self.press > 0 else "no press"
        return (
            _moves()
            .why[way]
            .format(
                win=show_dollars(self.win),
                press=show_dollars(self.press),
                handed=show_dollars(self.to_player.amount),
                set_out=show_dollars(self.set_out.amount),
                back=show_dollars(self.to_box.amount),
            )
        )


@cache
def _moves() -> _Moves:
    text = resources.files("passline.crew").joinpath("press.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Moves)


def shown_moves() -> tuple[ShownMove, ...]:
    """The moves that a manual shows, in its order."""
    return _moves().shown


def press(
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

    >>> from passline.house import make_house
    >>> from passline.law import rulebook
    >>> from passline.layout import lay_felt
    >>> felt = lay_felt(make_house(rulebook("dealer-school")))
    >>> move = press(felt, {8: (2400, 3000)})
    >>> str(move.set_out), str(move.to_box), str(move.to_player), move.overpaid
    ('1 green, 1 red', '2 white', '4 red, 2 white', 200)
    """
    rack = layout.house.rack
    read = {n: (_chips(rack, before), _chips(rack, after)) for n, (before, after) in bets.items()}
    extra = _chips(rack, thrown)
    refused = _refused(layout, read) or (
        refuse("said", _CUSTOM, words=extra) if isinstance(extra, str) else None
    )
    if refused is not None:
        return refused
    before = {str(n): b for n, (b, _) in read.items() if isinstance(b, Chips)}
    after = {str(n): a for n, (_, a) in read.items() if isinstance(a, Chips)}
    assert isinstance(extra, Chips)
    aim = _aim(layout, next(iter(bets)), before, after, extra)
    return aim if isinstance(aim, Refusal) else _made(layout, aim, way)


def _chips(rack: Rack, amount: int | Chips) -> Chips | str:
    """Chips as given, or cut from an amount; else why they cannot be."""
    if isinstance(amount, Chips):
        strange = [chip.colour for chip, _ in amount.piles if chip not in rack.chips]
        return f"there is no such chip in the rack: {strange[0]}" if strange else amount
    if amount == 0:
        return NO_CHIPS
    cut = rack.cut(amount)
    return cut.reason if isinstance(cut, Uncut) else cut


def _refused(layout: Layout, read: Mapping[int, tuple[Chips | str, Chips | str]]) -> Refusal | None:
    """Why these are no place wagers that the house takes, before or after."""
    for number, both in read.items():
        spot = layout.spot(f"place-win-{number}")
        if spot is None:
            return refuse("not-a-place-number", layout.house.book.unlisted, number=number)
        for chips in both:
            if isinstance(chips, str):
                return refuse("said", _CUSTOM, words=chips)
            if refused := check_amount(layout, spot, 0, {}, chips.amount):
                return refused
    return None


def won(layout: Layout, number: int, stake: int) -> int:
    """What the engine pays a place wager when its number is thrown."""
    faces = next(faces for faces in OUTCOMES if sum(faces) == number)
    throw = Throw(index_of(*faces), number, number)
    up = {layout.slug(f"place-win-{number}"): Stake(stake, stake, call=True)}
    (done,) = settle(layout, "", up, throw)
    return done.paid


def _aim(
    layout: Layout, hit: int, before: dict[str, Chips], after: dict[str, Chips], thrown: Chips
) -> Aim | Refusal:
    """What is to lie where: bets and hand-off in their largest chips, the bank the difference."""
    rack, win = layout.house.rack, won(layout, hit, before[str(hit)].amount)
    bets, pressed = together(before.values()), together(after.values())
    owed = win + thrown.amount - (pressed.amount - bets.amount)
    if owed < 0:
        return refuse("throw-in-more", _CUSTOM, win=win, short=-owed)
    to_player, _ = rack.divide(owed)
    end, start = pressed + to_player, bets + thrown
    set_out, to_box = end - start, start - end
    if to_box and len(before) > 1:
        # press.6-and-8/24-to-30-each: a bet that would leave one chip behind goes to the box
        # whole, and that chip too is set out anew.
        last = before[next(reversed(before))] - to_box
        if last.cheques == 1:
            set_out, to_box = set_out + last, to_box + last
    return Aim(
        rack=rack,
        before=before,
        after=after,
        thrown=thrown,
        set_out=set_out,
        to_player=to_player,
        to_box=to_box,
        due=win,
    )


def _made(layout: Layout, aim: Aim, way: str | None) -> Press | Refusal:
    """The press by the way asked for, or by the first that fits."""
    book, kinds = layout.house.book.id, _moves().motion
    fits = {name: made for name in WAYS if (made := motions_by(name, aim, kinds, book)) is not None}
    if way is not None and way not in fits:
        return refuse("no-such-way", _CUSTOM, tuple(fits), way=way)
    name = way or next(iter(fits))
    motions, cites = _cited(fits[name], _shown(book, aim, name))
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


def _cited(
    motions: tuple[Motion, ...], shown: list[ShownMove]
) -> tuple[tuple[Motion, ...], tuple[str, ...]]:
    """Motions with the clauses of the moves that the manual shows, and those of the whole."""
    if not shown:
        return motions, (_CUSTOM,)
    steps = zip(motions, *(move.motions for move in shown), strict=True)
    named = [
        msgspec.structs.replace(motion, cites=tuple(cite for by in cites for cite in by))
        for motion, *cites in steps
    ]
    return tuple(named), tuple(cite for move in shown for cite in move.cite)


def _shown(book: str, aim: Aim, way: str) -> list[ShownMove]:
    """The manual's own moves for these very bets."""
    cut = aim.rack.divide
    dollars = [b.amount for b in aim.before.values()], [a.amount for a in aim.after.values()]
    plain = all(b == cut(b.amount)[0] for b in aim.before.values())
    return [
        move
        for move in shown_moves()
        if plain
        and move.book == book
        and move.way == way
        and move.thrown * 100 == aim.thrown.amount
        and ([b * 100 for b in move.before], [a * 100 for a in move.after]) == dollars
        and {int(number) for number in aim.before} <= set(move.numbers)
    ]
