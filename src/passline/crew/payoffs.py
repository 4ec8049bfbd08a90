"""How a payoff is cut and set: which chips, in which manner, by which motions of the hands.

The engine says what a wager is paid; here that money becomes chips, the way the dealer school
cuts it: sized into the bet, set beside it, or cut in the come and handed off.

What a wager wins, throw by throw, in chips as they lie: any wager of a house.

Nothing is worked out here: the layout's verdicts say on which throws a wager wins at which odds,
the engine settles it, and ``cutting`` sets the chips out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from passline.crew.motions import APRON, BANK, COME, Motion, MotionKind
from passline.game.dice.dice import OUTCOMES, outcome_index, outcome_total
from passline.game.law.book_parts import load_part
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.law.shapes.race import Race
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import Odds, show_dollars
from passline.game.money.chips import NO_CHIPS, Chips, sum_chips
from passline.game.words.wagers import layout_name

#: pay.multi-colour.*: a bet of more cheques than this is broken down before it is paid.
MAX_UNBROKEN_CHIPS = 5
LINE, DONT_COME = "line", "dont-come"


class PayManner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A manner of paying, in words, and the book's clauses that ask for it, or the custom."""

    words: str
    cite: tuple[str, ...] = ()
    custom: str = ""

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that ask for it, or the custom and its reason."""
        return self.cite or (f"custom: {self.custom or 'as the dealer school pays it'}",)


class _SizingRule(PayManner, frozen=True, kw_only=True):
    """Odds that are sized into: what is over a whole number of times goes in these chips."""

    pays: str
    over: Literal["same", "each"]


class _CuttingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    style: dict[str, str]
    sized: dict[str, _SizingRule]
    manner: dict[str, PayManner]
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


def _load_cutting(book: str) -> _CuttingFile:
    return load_part(book, "crew/payoffs", _CuttingFile)


def make_motion(
    kind: str, book: str, chips: Chips, source: str, target: str, stacks: str = ""
) -> Motion:
    """One motion of the hands, in the words and by the clauses that the data gives."""
    spec = _load_cutting(book).motion[kind]
    amount = show_dollars(chips.amount)
    words = spec.words.format(
        chips=chips,
        amount=amount,
        source=layout_name(source),
        target=layout_name(target),
        stacks=stacks,
    )
    cites = spec.cites
    return Motion(
        hand=spec.hand, words=words, chips=chips, source=source, target=target, cites=cites
    )


def break_down(chips: Chips) -> tuple[Chips, ...]:
    """A bet in even stacks of at most five cheques, colour by colour, the largest first.

    >>> from passline.game.money.chips import STANDARD_RACK as RACK
    >>> [str(stack) for stack in break_down(RACK.read("8 red"))]
    ['4 red', '4 red']
    """
    stacks: list[Chips] = []
    for chip, count in chips.piles:
        parts = -(-count // MAX_UNBROKEN_CHIPS)
        even, over = divmod(count, parts)
        stacks += [Chips.of({chip: even + (part < over)}) for part in range(parts)]
    return tuple(stacks)


def _cut_in_come(book: str, chips: Chips) -> list[Motion]:
    """One colour at a time, the largest first: it is cut nearest the box."""
    return [make_motion("cut", book, Chips((pile,)), BANK, COME) for pile in chips.piles]


class _PayoffJob(msgspec.Struct, frozen=True):
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

    def _add_come_motions(self, chips: Chips, made: Sequence[Motion]) -> Sequence[Motion]:
        """A come bet is brought out first, and handed over where the player cannot reach it."""
        if not self.come:
            return made
        out = make_motion("bring-out", self.book, self.stake, self.done.wager, COME)
        over = make_motion("hand-over", self.book, self.stake + chips, COME, APRON)
        return [out, *made] if self.reach else [out, *made, over]

    def payoff(
        self, chips: Chips, manner: str, made: Sequence[Motion], how: PayManner | None = None
    ) -> Payoff:
        how = how or _load_cutting(self.book).manner[manner]
        stacks = break_down(self.stake) if manner == "broken-down" else ()
        return Payoff(
            wager=self.done.wager,
            stake=self.stake,
            due=self.due,
            vig=self.done.vig,
            chips=chips,
            coin=self.due - chips.amount,
            manner=manner,
            words=how.words,
            cites=how.cites,
            motions=tuple(self._add_come_motions(chips, made)),
            stacks=stacks,
        )


def cut_payoff(
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

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(make_house(rulebook("dealer-school")))
    >>> won = Settlement("ann", "pass-odds", 4000, "win", "3 to 2", 6000, 0, "", 10000, 0)
    >>> compute_payoff = cut_payoff(felt, won, felt.house.rack.read("8 red"))
    >>> str(compute_payoff.chips), compute_payoff.manner, [str(stack) for stack in compute_payoff.stacks]
    ('2 green, 2 red', 'broken-down', ['4 red', '4 red'])
    """  # noqa: E501
    rack = layout.house.rack
    if stake is not None and stake.amount != done.stake:
        raise ValueError(f"{stake} do not make the {show_dollars(done.stake)} of {done.wager}")
    held = stake if stake is not None else rack.divide(done.stake)[0]
    style = _load_cutting(layout.house.book.id).style.get(layout.spots[done.wager].kind, "apron")
    if held.amount != done.stake or not held:  # a stake in part of a chip cannot be sized into
        style = "apron"
    come = style.startswith("come-")
    work = _PayoffJob(
        layout=layout, done=done, stake=held, flat=flat or NO_CHIPS, come=come, reach=reach
    )
    match style.rpartition("-")[2]:
        case "taken":
            return _pay_taken_odds(work)
        case "flat":
            return _pay_flat(work, style)
        case "front":
            return _pay_in_front(work)
        case "behind":
            return _pay_behind(work)
        case _:
            return _pay_by_hand(work, style)


def _pay_flat(work: _PayoffJob, style: str) -> Payoff:
    """Even money sized in; a field that pays double sized twice; else cut beside."""
    at, made = work.at, []
    odds = Odds.parse(work.done.odds or "1 to 1")
    sized = work.stake.times(odds.win // odds.stake)  # a coupon's pay goes beside
    over, _ = work.layout.house.rack.divide(work.due - sized.amount)
    if sized:
        made.append(make_motion("size", work.book, sized, BANK, at))
    if over:
        made.append(make_motion("over", work.book, over, BANK, at))
    return work.payoff(sized + over, style, made)


def _pay_taken_odds(work: _PayoffJob) -> Payoff:
    """Odds taken: sized into, set beside, or broken down, by how many cheques lie there."""
    cut, _ = work.layout.house.rack.divide(work.due)
    larger = bool(cut) and cut.piles[0][0].value > work.stake.piles[0][0].value
    if work.stake.chip_count > MAX_UNBROKEN_CHIPS and (larger or not work.stake.one_color):
        return _pay_broken_down(work, cut)
    return _pay_sized(work) if work.stake.one_color else _pay_beside(work, cut)


def _pay_broken_down(work: _PayoffJob, cut: Chips) -> Payoff:
    """More than five cheques: broken down, and paid beside in larger chips."""
    at = work.at
    stacks = " and ".join(map(str, break_down(work.stake)))
    made = [
        make_motion("break-down", work.book, work.stake, at, at, stacks),
        make_motion("pay-beside", work.book, cut, BANK, at),
    ]
    return work.payoff(cut, "broken-down", made)


def _pay_beside(work: _PayoffJob, cut: Chips) -> Payoff:
    """Several colours, five cheques or fewer: beside, then sized into in the flat's colour."""
    at = work.at
    colours = {chip for chip, _ in work.flat.piles}
    inside = Chips(tuple(pile for pile in cut.piles if pile[0] in colours))
    outside = cut - inside
    made = [make_motion("stagger", work.book, outside, BANK, at)] if outside else []
    if inside:
        made.append(make_motion("size", work.book, inside, BANK, at))
    return work.payoff(cut, "beside", made)


def _pay_sized(work: _PayoffJob) -> Payoff:
    """One colour: sized into as often as it is paid, what is over in the data's chips."""
    at, rack = work.at, work.layout.house.rack
    odds = Odds.parse(work.done.odds or "1 to 1")
    rules = _load_cutting(work.book).sized.values()
    how = next((rule for rule in rules if Odds.parse(rule.pays).ratio == odds.ratio), None)
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
    made = [make_motion("size", work.book, sized, BANK, at)] if sized else []
    if rest:
        made.append(make_motion(kind, work.book, rest, BANK, at))
    return work.payoff(sized + rest, "sized", made, how)


def _pay_in_front(work: _PayoffJob) -> Payoff:
    """The don't side: in front of the bet; even money in the bet's own chips."""
    chips = _match_or_cut(work)
    made = [make_motion("front", work.book, chips, BANK, work.done.wager)] if chips else []
    return work.payoff(chips, "front", made)


def _pay_behind(work: _PayoffJob) -> Payoff:
    """Behind the numbers: paid where it lies, then bet and payoff go to the don't come."""
    at, chips = work.done.wager, _match_or_cut(work)
    kind = "size" if work.due == work.done.stake else "in-place"
    made = [make_motion(kind, work.book, chips, BANK, at)] if chips else []
    made.append(make_motion("to-dont-come", work.book, work.stake + chips, at, DONT_COME))
    return work.payoff(chips, "behind", made)


def _match_or_cut(work: _PayoffJob) -> Chips:
    if work.due == work.stake.amount:
        return work.stake
    return work.layout.house.rack.divide(work.due)[0]


def _pay_by_hand(work: _PayoffJob, style: str) -> Payoff:
    """Place, buy and propositions: cut in the come, proved, and handed off."""
    chips, _ = work.layout.house.rack.divide(work.due)
    made = _cut_in_come(work.book, chips)
    if chips:
        made.append(make_motion("prove", work.book, NO_CHIPS, COME, COME))
        made.append(make_motion("hand-off", work.book, chips, COME, APRON))
    return work.payoff(chips, style, made)


def total_payoffs(layout: Layout, parts: Iterable[Payoff]) -> Payoff:
    """Odds and flat paid together: built in the come, heeled between the flat and its odds."""
    parts = list(parts)
    due, book = sum(part.due for part in parts), layout.house.book.id
    chips, coin = layout.house.rack.divide(due)
    manner = _load_cutting(book).manner["totalled"]
    made = [*_cut_in_come(book, chips), make_motion("heel", book, chips, COME, LINE)]
    return Payoff(
        wager=" and ".join(part.wager for part in parts),
        stake=sum_chips(part.stake for part in parts),
        due=due,
        vig=sum(part.vig for part in parts),
        chips=chips,
        coin=coin,
        manner="totalled",
        words=manner.words,
        cites=manner.cites,
        motions=tuple(made),
    )


class WinningPrice(msgspec.Struct, frozen=True):
    """A price at which a wager wins, and on what: ``throws`` in words (``4, 10``, ``3-3``)."""

    odds: str
    ratio: tuple[int, int]
    throws: tuple[str, ...]
    puck: int
    index: int


class PricedPayoff(msgspec.Struct, frozen=True):
    """A wager's payoff at one of its prices, and how laid odds lie by their flat."""

    win: WinningPrice
    done: Settlement
    payoff: Payoff
    lies: str = ""


def find_spot(layout: Layout, name: str) -> Spot | None:
    """A wager by its slug, ``place-6`` for the one to win; None where it has no fixed price."""
    spot = layout.spot(name) or layout.spot(name.replace("place-", "place-win-", 1))
    return spot if spot is not None and not spot.tiers else None


def list_pucks(layout: Layout, spot: Spot) -> tuple[int, ...]:
    """Where the puck is when a wager is decided: at its number, at any point, or off."""
    points = tuple(layout.house.book.points.value)
    rule = spot.rule
    if isinstance(rule, OddsRule) and not spot.number:
        return points
    if isinstance(rule, Line):
        return (0, *points)
    return points[:1] if spot.number or isinstance(rule, Race) else (0,)


def list_winning_prices(
    layout: Layout, spot: Spot, point: int = 0, dice: tuple[int, int] | None = None
) -> tuple[WinningPrice, ...]:
    """Every price of a wager with the throws that it is for; with a point or dice, those then.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(make_house(rulebook("iowa")))
    >>> [(win.odds, win.throws) for win in list_winning_prices(felt, felt.spots["field"])]
    [('2 to 1', ('2', '12')), ('1 to 1', ('3', '4', '9', '10', '11'))]
    """
    only = None if dice is None else outcome_index(*dice)
    found: dict[str, list[tuple[int, int, tuple[int, int]]]] = {}
    for puck in (point,) if point else list_pucks(layout, spot):
        for index, verdict in enumerate(spot.tables[puck]):
            if only is not None and index != only:
                continue
            if verdict is not None and verdict.result == "win" and verdict.odds:
                price = (verdict.win, verdict.per)
                found.setdefault(verdict.odds, []).append((puck, index, price))
    return tuple(
        WinningPrice(
            odds=odds,
            ratio=those[0][2],
            throws=tuple(_describe_rolls({i for _, i, _ in those})),
            puck=those[0][0],
            index=those[0][1],
        )
        for odds, those in found.items()
    )


def _describe_rolls(indices: Iterable[int]) -> Iterator[str]:
    """Totals in order; where not every way of a total is among them, the faces."""
    own = set(indices)
    for total in sorted({outcome_total(index) for index in own}):
        ways = {n for n, faces in enumerate(OUTCOMES) if sum(faces) == total}
        if ways <= own:
            yield str(total)
        else:
            faces = {tuple(sorted(OUTCOMES[index])) for index in ways & own}
            yield from (f"{low}-{high}" for low, high in sorted(faces))


def compute_payoff(
    layout: Layout, spot: Spot, win: WinningPrice, stake: Chips | int, flat: Chips | None = None
) -> PricedPayoff:
    """What the engine pays a stake at one of its prices, and in which chips."""
    amount = stake if isinstance(stake, int) else stake.amount
    up = {spot.slug: Stake(amount, amount, call=True)}
    throw = Throw(win.index, outcome_total(win.index), win.puck)
    (done,) = settle(layout, "", up, throw)
    chips = None if isinstance(stake, int) else stake
    lies = ""
    if flat is not None and chips is not None and _is_laid(layout, spot):
        lies = find_laid_position(flat, chips, done.paid)
    return PricedPayoff(win=win, done=done, payoff=cut_payoff(layout, done, chips, flat), lies=lies)


def _is_laid(layout: Layout, spot: Spot) -> bool:
    return isinstance(spot.rule, OddsRule) and spot.rule.is_laid(layout.house.book)


def is_behind_line(layout: Layout, spot: Spot) -> bool:
    """Whether a wager is odds taken behind a line bet, which may be paid with it in one."""
    return (
        bool(spot.flat)
        and not _is_laid(layout, spot)
        and isinstance(spot.rule, OddsRule)
        and (isinstance(layout.spots[spot.flat].rule, Line))
    )


def compute_total_payoff(
    layout: Layout, spot: Spot, win: WinningPrice, stake: Chips, flat: Chips
) -> PricedPayoff:
    """Odds and the line bet that they stand behind, totalled into one payoff."""
    up = {
        spot.flat: Stake(flat.amount, flat.amount),
        spot.slug: Stake(stake.amount, stake.amount, call=True),
    }
    done = settle(layout, "", up, Throw(win.index, outcome_total(win.index), win.puck))
    lying = {spot.flat: flat, spot.slug: stake}
    parts = [cut_payoff(layout, each, lying[each.wager], flat) for each in done]
    odds = next(each for each in done if each.wager == spot.slug)
    both = replace(
        odds, stake=sum(each.stake for each in done), paid=sum(each.paid for each in done)
    )
    return PricedPayoff(win=win, done=both, payoff=total_payoffs(layout, parts))


def find_laid_position(flat: Chips, laid: Chips, win: int) -> Literal["bridged", "heeled"]:
    """How laid odds lie by their flat (Iowa's wagers.5.d.A#2, wagers.5.d.B#2 and lay/bridge).

    Bridged only where they win what the flat is and both are of one and the same colour.
    """
    same = flat.one_color and laid.one_color and flat.piles[0][0] == laid.piles[0][0]
    return "bridged" if same and win == flat.amount else "heeled"
