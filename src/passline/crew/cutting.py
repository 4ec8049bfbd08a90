"""How a payoff is cut and set: which chips, in which manner, by which motions of the hands.

The engine says what a wager is paid; here that money becomes chips, the way the dealer school
cuts it: sized into the bet, set beside it, or cut in the come and handed off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew.hands import APRON, BANK, COME, Motion, MotionKind
from passline.layout import Layout, Settlement
from passline.money import Odds, show_dollars
from passline.money.chips import NO_CHIPS, Chips, together
from passline.words.wagers import layout_name

#: pay.multi-colour.*: a bet of more cheques than this is broken down before it is paid.
MOST_UNBROKEN = 5
LINE, DONT_COME = "line", "dont-come"


class Manner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A manner of paying, in words, and the clauses of each rulebook that ask for it."""

    words: str
    cite: dict[str, tuple[str, ...]] = {}
    custom: str = ""

    def cites(self, book: str) -> tuple[str, ...]:
        """The clauses of this book, or the custom and its reason."""
        return self.cite.get(book) or (f"custom: {self.custom or 'as the dealer school pays it'}",)


class _Sized(Manner, frozen=True, kw_only=True):
    """Odds that are sized into: what is over a whole number of times goes in these chips."""

    pays: str
    over: Literal["same", "each"]


class _Cutting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    style: dict[str, str]
    sized: tuple[_Sized, ...]
    manner: dict[str, Manner]
    motion: dict[str, MotionKind]


class Payoff(msgspec.Struct, frozen=True, kw_only=True):
    """One wager's payoff: what is due, in which chips, how it is set, and the motions.

    ``due`` is what the player gets, any vigorish taken off; ``coin`` the cents of it that no chip
    makes; ``stacks`` the bet as broken down, where it is.
    """

    wager: str
    stake: Chips
    due: int
    vig: int
    chips: Chips
    coin: int
    manner: str
    words: str
    cites: tuple[str, ...]
    motions: tuple[Motion, ...]
    stacks: tuple[Chips, ...] = ()


@cache
def _cutting() -> _Cutting:
    text = resources.files("passline.crew").joinpath("cutting.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_Cutting)


def motion(
    kind: str, book: str, chips: Chips, source: str, target: str, stacks: str = ""
) -> Motion:
    """One motion of the hands, in the words and by the clauses that the data gives."""
    spec = _cutting().motion[kind]
    amount = show_dollars(chips.amount)
    words = spec.words.format(
        chips=chips,
        amount=amount,
        source=layout_name(source),
        target=layout_name(target),
        stacks=stacks,
    )
    cites = spec.cites(book)
    return Motion(
        hand=spec.hand, words=words, chips=chips, source=source, target=target, cites=cites
    )


def broken_down(chips: Chips) -> tuple[Chips, ...]:
    """A bet in even stacks of at most five cheques, colour by colour, the largest first.

    >>> from passline.money import RACK
    >>> [str(stack) for stack in broken_down(RACK.read("8 red"))]
    ['4 red', '4 red']
    """
    stacks: list[Chips] = []
    for chip, count in chips.piles:
        parts = -(-count // MOST_UNBROKEN)
        even, over = divmod(count, parts)
        stacks += [Chips.of({chip: even + (part < over)}) for part in range(parts)]
    return tuple(stacks)


def _cut_in_come(book: str, chips: Chips) -> list[Motion]:
    """One colour at a time, the largest first: it is cut nearest the box."""
    return [motion("cut", book, Chips((pile,)), BANK, COME) for pile in chips.piles]


class _Work(msgspec.Struct, frozen=True):
    """A settlement to be paid, and the chips that lie for it."""

    layout: Layout
    done: Settlement
    stake: Chips
    flat: Chips
    come: bool
    reach: bool

    @property
    def at(self) -> str:
        """Where the bet lies when it is paid: a come bet in the come."""
        return COME if self.come else self.done.wager

    @property
    def book(self) -> str:
        return self.layout.house.book.id

    @property
    def due(self) -> int:
        return self.done.paid - self.done.vig

    def _in_come(self, chips: Chips, made: Sequence[Motion]) -> Sequence[Motion]:
        """A come bet is brought out first, and handed over where the player cannot reach it."""
        if not self.come:
            return made
        out = motion("bring-out", self.book, self.stake, self.done.wager, COME)
        over = motion("hand-over", self.book, self.stake + chips, COME, APRON)
        return [out, *made] if self.reach else [out, *made, over]

    def payoff(
        self, chips: Chips, manner: str, made: Sequence[Motion], how: Manner | None = None
    ) -> Payoff:
        how = how or _cutting().manner[manner]
        stacks = broken_down(self.stake) if manner == "broken-down" else ()
        return Payoff(
            wager=self.done.wager,
            stake=self.stake,
            due=self.due,
            vig=self.done.vig,
            chips=chips,
            coin=self.due - chips.amount,
            manner=manner,
            words=how.words,
            cites=how.cites(self.book),
            motions=tuple(self._in_come(chips, made)),
            stacks=stacks,
        )


def payoff(
    layout: Layout,
    done: Settlement,
    stake: Chips | None = None,
    flat: Chips | None = None,
    *,
    reach: bool = True,
) -> Payoff:
    """A winning settlement's payoff in chips.

    ``stake`` are the chips that lie on the wager (the fewest, where not given), and ``flat``
    those of the line wager beside odds, whose colour the inside hand sizes with. A player out of
    ``reach`` of the come is handed a come bet and its payoff.

    >>> from passline.house import make_house
    >>> from passline.law import rulebook
    >>> from passline.layout import lay_felt
    >>> felt = lay_felt(make_house(rulebook("dealer-school")))
    >>> won = Settlement("ann", "pass-odds", 4000, "win", "3 to 2", 6000, 0, "", 10000, 0)
    >>> paid = payoff(felt, won, felt.house.rack.read("8 red"))
    >>> str(paid.chips), paid.manner, [str(stack) for stack in paid.stacks]
    ('2 green, 2 red', 'broken-down', ['4 red', '4 red'])
    """
    rack = layout.house.rack
    if stake is not None and stake.amount != done.stake:
        raise ValueError(f"{stake} do not make the {show_dollars(done.stake)} of {done.wager}")
    held = stake if stake is not None else rack.divide(done.stake)[0]
    style = _cutting().style.get(layout.spots[done.wager].kind, "apron")
    if held.amount != done.stake or not held:  # a stake in part of a chip cannot be sized into
        style = "apron"
    come = style.startswith("come-")
    work = _Work(
        layout=layout, done=done, stake=held, flat=flat or NO_CHIPS, come=come, reach=reach
    )
    match style.rpartition("-")[2]:
        case "taken":
            return _taken(work)
        case "flat":
            return _flat(work, style)
        case "front":
            return _front(work)
        case "behind":
            return _behind(work)
        case _:
            return _by_hand(work, style)


def _flat(work: _Work, style: str) -> Payoff:
    """Even money sized in; a field that pays double sized twice; else cut beside."""
    at, made = work.at, []
    odds = Odds.parse(work.done.odds or "1 to 1")
    sized = work.stake.times(odds.win // odds.stake)  # a coupon's pay goes beside
    over, _ = work.layout.house.rack.divide(work.due - sized.amount)
    if sized:
        made.append(motion("size", work.book, sized, BANK, at))
    if over:
        made.append(motion("over", work.book, over, BANK, at))
    return work.payoff(sized + over, style, made)


def _taken(work: _Work) -> Payoff:
    """Odds taken: sized into, set beside, or broken down, by how many cheques lie there."""
    cut, _ = work.layout.house.rack.divide(work.due)
    larger = bool(cut) and cut.piles[0][0].value > work.stake.piles[0][0].value
    if work.stake.cheques > MOST_UNBROKEN and (larger or not work.stake.one_colour):
        return _broken(work, cut)
    return _sized(work) if work.stake.one_colour else _beside(work, cut)


def _broken(work: _Work, cut: Chips) -> Payoff:
    """More than five cheques: broken down, and paid beside in larger chips."""
    at = work.at
    stacks = " and ".join(map(str, broken_down(work.stake)))
    made = [
        motion("break-down", work.book, work.stake, at, at, stacks),
        motion("pay-beside", work.book, cut, BANK, at),
    ]
    return work.payoff(cut, "broken-down", made)


def _beside(work: _Work, cut: Chips) -> Payoff:
    """Several colours, five cheques or fewer: beside, then sized into in the flat's colour."""
    at = work.at
    colours = {chip for chip, _ in work.flat.piles}
    inside = Chips(tuple(pile for pile in cut.piles if pile[0] in colours))
    outside = cut - inside
    made = [motion("stagger", work.book, outside, BANK, at)] if outside else []
    if inside:
        made.append(motion("size", work.book, inside, BANK, at))
    return work.payoff(cut, "beside", made)


def _sized(work: _Work) -> Payoff:
    """One colour: sized into as often as it is paid, what is over in the data's chips."""
    at, rack = work.at, work.layout.house.rack
    odds = Odds.parse(work.done.odds or "1 to 1")
    how = next((s for s in _cutting().sized if Odds.parse(s.pays).ratio == odds.ratio), None)
    sized = work.stake.times(work.due // work.stake.amount)
    over = work.due - sized.amount
    (chip, count), *_ = work.stake.piles
    smaller = next((c for c in rack.chips if c.value * count == over), None)
    kind = "over"
    if how is not None and how.over == "each" and smaller is not None:
        rest, kind = Chips.of({smaller: count}), "second-colour"
    elif over % chip.value == 0:
        rest = Chips.of({chip: over // chip.value})
    else:
        rest, _ = rack.divide(over)
    made = [motion("size", work.book, sized, BANK, at)] if sized else []
    if rest:
        made.append(motion(kind, work.book, rest, BANK, at))
    return work.payoff(sized + rest, "sized", made, how)


def _front(work: _Work) -> Payoff:
    """The don't side: in front of the bet; even money in the bet's own chips."""
    chips = _own_or_cut(work)
    made = [motion("front", work.book, chips, BANK, work.done.wager)] if chips else []
    return work.payoff(chips, "front", made)


def _behind(work: _Work) -> Payoff:
    """Behind the numbers: paid where it lies, then bet and payoff go to the don't come."""
    at, chips = work.done.wager, _own_or_cut(work)
    kind = "size" if work.due == work.done.stake else "in-place"
    made = [motion(kind, work.book, chips, BANK, at)] if chips else []
    made.append(motion("to-dont-come", work.book, work.stake + chips, at, DONT_COME))
    return work.payoff(chips, "behind", made)


def _own_or_cut(work: _Work) -> Chips:
    if work.due == work.stake.amount:
        return work.stake
    return work.layout.house.rack.divide(work.due)[0]


def _by_hand(work: _Work, style: str) -> Payoff:
    """Place, buy and propositions: cut in the come, proved, and handed off."""
    chips, _ = work.layout.house.rack.divide(work.due)
    made = _cut_in_come(work.book, chips)
    if chips:
        made.append(motion("prove", work.book, NO_CHIPS, COME, COME))
        made.append(motion("hand-off", work.book, chips, COME, APRON))
    return work.payoff(chips, style, made)


def totalled(layout: Layout, parts: Iterable[Payoff]) -> Payoff:
    """Odds and flat paid together: built in the come, heeled between the flat and its odds."""
    parts = list(parts)
    due, book = sum(part.due for part in parts), layout.house.book.id
    chips, coin = layout.house.rack.divide(due)
    manner = _cutting().manner["totalled"]
    made = [*_cut_in_come(book, chips), motion("heel", book, chips, COME, LINE)]
    return Payoff(
        wager=" and ".join(part.wager for part in parts),
        stake=together(part.stake for part in parts),
        due=due,
        vig=sum(part.vig for part in parts),
        chips=chips,
        coin=coin,
        manner="totalled",
        words=manner.words,
        cites=manner.cites(book),
        motions=tuple(made),
    )
