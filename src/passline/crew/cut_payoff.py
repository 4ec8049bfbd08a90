"""Cut a payoff into chips: which chips, in which manner, by which motions of the hands.

The engine says what a wager is paid. This module turns the money into chips as the dealer school
cuts it: sized into the bet, set beside it, or cut in the come area of the layout and handed off. To
size into a bet is to set a stack against it and cut the stack to the same height.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from passline.crew.motions import APRON, BANK, COME, CitedWords, Motion, MotionKind
from passline.game.dice.dice import OUTCOMES, outcome_index, outcome_total
from passline.game.law.book_parts import load_part
from passline.game.layout.settle import Throw, settle
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement, Stake
from passline.game.money.amounts import Odds, show_dollars
from passline.game.money.chips import NO_CHIPS, Chips, sum_chips
from passline.game.words.wagers import layout_name

#: A bet of more chips than this is broken down before it is paid (pay.multi-colour.*).
MAX_UNBROKEN_CHIPS = 5
LINE, DONT_COME = "line", "dont-come"


class PayManner(CitedWords, frozen=True, kw_only=True):
    """How a dealer sets out a payoff, in words, and the rulebook's clauses that prescribe it.

    If no clause does, `custom` is the reason to cite.
    """

    custom: str = "as the dealer school pays it"


class _SizingRule(PayManner, frozen=True, kw_only=True):
    """How to pay odds by sizing into the bet, when the pay is not a whole multiple of the bet.

    The rule is for bets that pay the odds `pays`, such as "3 to 2". `over` says in which chips the
    remainder is paid: "same" for chips of the bet's color, or "each" for one smaller chip for each
    chip of the bet.
    """

    pays: str
    over: Literal["same", "each"]


class _CuttingFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    style: dict[str, str]
    sized: dict[str, _SizingRule]
    manner: dict[str, PayManner]
    motion: dict[str, MotionKind]


class Payoff(msgspec.Struct, frozen=True, kw_only=True):
    """One wager's payoff: what is due, in which chips, in which manner, by which motions.

    `due` is what the player gets after any vigorish, in cents, and `coin` the part of it that is
    too small for any chip. `manner` is a key, such as "sized", and `words` describes it. If the
    dealer first splits the bet into stacks, they are in `stacks`.
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


def _make_motion(
    kind: str, book: str, chips: Chips, source: str, target: str, stacks: str = ""
) -> Motion:
    places = {"source": layout_name(source), "target": layout_name(target)}
    spec = _load_cutting(book).motion[kind]
    return spec.make_motion(chips, source, target, stacks=stacks, **places)


def break_down(chips: Chips) -> tuple[Chips, ...]:
    """Return a bet as stacks of at most five chips, those of one color about equal in height.

    The largest color comes first.

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
    """Return the motions that cut chips in the come area, one color each, the largest first."""
    return [_make_motion("cut", book, Chips((pile,)), BANK, COME) for pile in chips.piles]


class _PayoffJob(msgspec.Struct, frozen=True):
    """A winning bet to pay, with its chips. The methods make the payoff.

    `flat` is the chips of the line bet that odds are behind. `come` says whether it is a come bet,
    which the dealer brings out to the come area to pay, and `in_reach` whether the dealer can reach
    the player's chips there.
    """

    layout: Layout
    settlement: Settlement
    stake: Chips
    flat: Chips
    come: bool
    in_reach: bool

    @property
    def location(self) -> str:
        """Return where the bet is paid: in the come area for a come bet, else where it is."""
        return COME if self.come else self.settlement.wager

    @property
    def book(self) -> str:
        return self.layout.house.book.id

    @property
    def amount_due(self) -> int:
        """Return what the player gets: the pay less the vigorish."""
        return self.settlement.paid - self.settlement.vig

    def move(
        self, kind: str, chips: Chips, source: str = BANK, target: str = "", stacks: str = ""
    ) -> list[Motion]:
        """Return [one motion] of `chips`, or [] if there are no chips.

        Without `source` and `target`, it goes from the bank to the bet. `kind` names the motion in
        the rulebook's data; `stacks` is text for its sentence.
        """
        at = target or self.location
        return [_make_motion(kind, self.book, chips, source, at, stacks)] if chips else []

    def make_payoff(
        self, chips: Chips, manner: str, motions: Sequence[Motion], how: PayManner | None = None
    ) -> Payoff:
        """Return the payoff in `chips` by these motions, with the words and clauses of `how`.

        Without `how`, they are those of `manner` in the rulebook's data. A come bet is brought out
        first and, if it is out of the dealer's reach, handed to the player with its payoff.
        """
        how = how or _load_cutting(self.book).manner[manner]
        if self.come:
            motions = [*self.move("bring-out", self.stake, self.settlement.wager), *motions]
            if not self.in_reach:
                motions += self.move("hand-over", self.stake + chips, COME, APRON)
        return Payoff(
            wager=self.settlement.wager,
            stake=self.stake,
            due=self.amount_due,
            vig=self.settlement.vig,
            chips=chips,
            coin=self.amount_due - chips.amount,
            manner=manner,
            words=how.words,
            cites=how.cites,
            motions=tuple(motions),
            stacks=break_down(self.stake) if manner == "broken-down" else (),
        )


def cut_payoff(
    layout: Layout,
    settlement: Settlement,
    stake: Chips | None = None,
    flat: Chips | None = None,
    *,
    in_reach: bool = True,
) -> Payoff:
    """Return the payoff of a winning settlement in chips.

    `stake` is the bet's chips (default: the fewest chips). For odds, `flat` is the chips of the
    line bet: if the odds are up to five chips of several colors, payoff chips of the line bet's
    colors are sized into them and the others are set beside them. With `in_reach` False, the dealer
    hands the player a come bet and its payoff. Raise ValueError if `stake` is not the settlement's
    amount.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(make_house(rulebook("dealer-school")))
    >>> won = Settlement("ann", "pass-odds", 4000, "win", "3 to 2", 6000, 0, "", 10000, 0)
    >>> payoff = cut_payoff(layout, won, layout.house.rack.read("8 red"))
    >>> str(payoff.chips), payoff.manner, [str(stack) for stack in payoff.stacks]
    ('2 green, 2 red', 'broken-down', ['4 red', '4 red'])
    """
    job, style = _plan_payoff(layout, settlement, stake, flat, in_reach)
    match style.rpartition("-")[2]:
        case "taken":
            return _pay_taken_odds(job)
        case "flat":
            return _pay_flat(job, style)
        case "front":  # A don't bet is paid in front of it.
            chips = _match_or_cut(job)
            motions = job.move("front", chips, target=settlement.wager)
            return job.make_payoff(chips, "front", motions)
        case "behind":
            return _pay_behind(job)
        case _:
            return _pay_by_hand(job, style)


def list_payoff_chips(
    layout: Layout, settlement: Settlement, stake: Chips, flat: Chips | None = None
) -> tuple[Chips, ...]:
    """Return the sets of chips with which a dealer may pay a bet, that of `cut_payoff` first.

    There may be a second one if the bet is of one color. For odds taken it is the payoff as sized
    into the bet, however high the stack. In front of a bet or behind the numbers, where no clause
    names the colors, it is the payoff in chips of the bet's color, if they make it exactly.
    """
    job, style = _plan_payoff(layout, settlement, stake, flat, True)
    found = [cut_payoff(layout, settlement, stake, flat).chips]
    kind = style.rpartition("-")[2]
    if job.stake.one_color and kind == "taken":
        found.append(_pay_sized(job).chips)
    elif job.stake.one_color and kind in ("front", "behind"):
        ((chip, _),) = job.stake.piles
        found.append(Chips.of({chip: job.amount_due // chip.value}))
    return tuple(chips for chips in dict.fromkeys(found) if chips.amount == found[0].amount)


def _plan_payoff(
    layout: Layout, settlement: Settlement, stake: Chips | None, flat: Chips | None, in_reach: bool
) -> tuple[_PayoffJob, str]:
    """Return (job, style of paying) for the parameters of `cut_payoff`.

    The style is the name that the rulebook's data has for the wager's kind, such as "come-flat", or
    "apron": the payoff is cut in the come area and handed off.
    """
    if stake is not None and stake.amount != settlement.stake:
        due = show_dollars(settlement.stake)
        raise ValueError(f"{stake} is not the {due} of {settlement.wager}")
    chips = stake if stake is not None else layout.house.rack.divide(settlement.stake)[0]
    styles = _load_cutting(layout.house.book.id).style
    style = styles.get(layout.spots[settlement.wager].kind, "apron")
    if chips.amount != settlement.stake or not chips:
        style = "apron"  # A stake with a part of a chip cannot be sized into.
    job = _PayoffJob(
        layout=layout,
        settlement=settlement,
        stake=chips,
        flat=flat or NO_CHIPS,
        come=style.startswith("come-"),
        in_reach=in_reach,
    )
    return job, style


def _pay_flat(job: _PayoffJob, style: str) -> Payoff:
    """Return the payoff of a flat bet (one without odds): whole multiples of it are sized into it.

    The rest is set beside it. `style` is also the payoff's manner.
    """
    odds = Odds.parse(job.settlement.odds or "1 to 1")
    sized = job.stake.times(odds.win // odds.stake)  # The pay of a coupon goes beside.
    over, _ = job.layout.house.rack.divide(job.amount_due - sized.amount)
    motions = [*job.move("size", sized), *job.move("over", over)]
    return job.make_payoff(sized + over, style, motions)


def _pay_taken_odds(job: _PayoffJob) -> Payoff:
    """Return the payoff of taken odds. The number of chips in the bet decides how it is cut.

    The dealer sizes it into the bet, sets it beside the bet, or first breaks the bet down into
    stacks.
    """
    cut, _ = job.layout.house.rack.divide(job.amount_due)
    larger = bool(cut) and cut.piles[0][0].value > job.stake.piles[0][0].value
    if job.stake.chip_count > MAX_UNBROKEN_CHIPS and (larger or not job.stake.one_color):
        return _pay_broken_down(job, cut)
    return _pay_sized(job) if job.stake.one_color else _pay_beside(job, cut)


def _pay_broken_down(job: _PayoffJob, cut: Chips) -> Payoff:
    """Return the payoff of a bet of more than five chips: first the bet is split into even stacks.

    `cut` is the payoff's chips, which are set beside the stacks.
    """
    stacks = " and ".join(map(str, break_down(job.stake)))
    broken = job.move("break-down", job.stake, source=job.location, stacks=stacks)
    paid = _make_motion("pay-beside", job.book, cut, BANK, job.location)
    return job.make_payoff(cut, "broken-down", [*broken, paid])


def _pay_beside(job: _PayoffJob, cut: Chips) -> Payoff:
    """Return the payoff of a bet of at most five chips in several colors; `cut` is its chips.

    Chips of the flat bet's colors are sized into the bet, after the others are set beside it.
    """
    colors = {chip for chip, _ in job.flat.piles}
    inside = Chips(tuple(pile for pile in cut.piles if pile[0] in colors))
    motions = [*job.move("stagger", cut - inside), *job.move("size", inside)]
    return job.make_payoff(cut, "beside", motions)


def _pay_sized(job: _PayoffJob) -> Payoff:
    """Return the payoff of a bet of one color: whole multiples sized into it, and the rest added.

    The rulebook's data says for these odds in which chips the rest is paid.
    """
    rack = job.layout.house.rack
    odds = Odds.parse(job.settlement.odds or "1 to 1")
    rules = _load_cutting(job.book).sized.values()
    how = next((rule for rule in rules if Odds.parse(rule.pays).ratio == odds.ratio), None)
    sized = job.stake.times(job.amount_due // job.stake.amount)
    over = job.amount_due - sized.amount
    (chip, count), *_ = job.stake.piles
    smaller = next((c for c in rack.chips if c.value * count == over), None)
    kind = "over"
    if how is not None and how.over == "each" and smaller is not None:
        rest, kind = Chips.of({smaller: count}), "second-colour"
    elif over % chip.value == 0:
        rest = Chips.of({chip: over // chip.value})
    else:
        rest, _ = rack.divide(over)
    motions = [*job.move("size", sized), *job.move(kind, rest)]
    return job.make_payoff(sized + rest, "sized", motions, how)


def _pay_behind(job: _PayoffJob) -> Payoff:
    """Return the payoff of a bet behind the numbers (a don't come bet on its number).

    It is paid there, and then moved to the don't come area with its payoff.
    """
    wager, chips = job.settlement.wager, _match_or_cut(job)
    kind = "size" if job.amount_due == job.settlement.stake else "in-place"
    moved = job.move("to-dont-come", job.stake + chips, wager, DONT_COME)
    return job.make_payoff(chips, "behind", [*job.move(kind, chips, target=wager), *moved])


def _match_or_cut(job: _PayoffJob) -> Chips:
    """Return the chips of a payoff: the bet's own chips for even money, else the fewest chips."""
    if job.amount_due == job.stake.amount:
        return job.stake
    return job.layout.house.rack.divide(job.amount_due)[0]


def _pay_by_hand(job: _PayoffJob, style: str) -> Payoff:
    """Return the payoff of a place, buy or proposition bet: cut in the come area and handed off.

    Before the hand-off, the dealer proves the chips. `style` names the manner of paying.
    """
    chips, _ = job.layout.house.rack.divide(job.amount_due)
    motions = _cut_in_come(job.book, chips)
    if chips:
        motions.append(_make_motion("prove", job.book, NO_CHIPS, COME, COME))
        motions += job.move("hand-off", chips, COME, APRON)
    return job.make_payoff(chips, style, motions)


def total_payoffs(layout: Layout, parts: Iterable[Payoff]) -> Payoff:
    """Return one payoff for line odds and their flat bet together, from the payoff of each.

    The dealer cuts the chips in the come area and heels them (sets them at a tilt) between the two
    bets.
    """
    parts = list(parts)
    due, book = sum(part.due for part in parts), layout.house.book.id
    chips, coin = layout.house.rack.divide(due)
    manner = _load_cutting(book).manner["totalled"]
    motions = [*_cut_in_come(book, chips), _make_motion("heel", book, chips, COME, LINE)]
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
        motions=tuple(motions),
    )


class WinningPrice(msgspec.Struct, frozen=True):
    """One of the odds that a wager pays, and `throws`, the rolls that pay them (`4, 10`, `3-3`).

    `odds` is text such as "2 to 1", `ratio` the same as (win, stake). `puck` and `index` (in
    `OUTCOMES`) are the point and the throw of the first such roll.
    """

    odds: str
    ratio: tuple[int, int]
    throws: tuple[str, ...]
    puck: int
    index: int


class PricedPayoff(msgspec.Struct, frozen=True):
    """A wager's payoff at one of the odds at which it can win.

    `settlement` is the engine's, and `payoff` its chips. `position` says how laid odds are set on
    their flat bet: "bridged" or "heeled". It is "" for other wagers.
    """

    win: WinningPrice
    settlement: Settlement
    payoff: Payoff
    position: str = ""


def find_spot(layout: Layout, name: str) -> Spot | None:
    """Return a wager's spot: its rule, name and payouts at this house. `place-6` is place to win.

    Return None if the house has no such wager, or if its payout depends on a count, as fire's does.
    """
    spot = layout.spot(name) or layout.spot(name.replace("place-", "place-win-", 1))
    return spot if spot is not None and not spot.tiers else None


def list_pucks(layout: Layout, spot: Spot) -> tuple[int, ...]:
    """Return the points (0: puck off) for which a wager's payoff must be looked up.

    One is enough where the point does not change the payoff.
    """
    points = tuple(layout.house.book.points.value)
    rule = spot.rule
    if rule.is_odds and not spot.number:
        return points
    if rule.is_line:
        return (0, *points)
    return points[:1] if spot.number or rule.is_race else (0,)


def list_winning_prices(
    layout: Layout, spot: Spot, point: int = 0, dice: tuple[int, int] | None = None
) -> tuple[WinningPrice, ...]:
    """Return all odds at which a wager wins, each with its rolls.

    With `point` or `dice`, return only those for that point or that pair of dice. A `point` of 0
    means every point that matters, and the come-out.

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
            if verdict is None or verdict.result != "win" or only not in (None, index):
                continue
            if verdict.odds:
                found.setdefault(verdict.odds, []).append((puck, index, (verdict.win, verdict.per)))
    return tuple(
        WinningPrice(
            odds=odds,
            ratio=those[0][2],
            throws=tuple(_describe_rolls({index for _, index, _ in those})),
            puck=those[0][0],
            index=those[0][1],
        )
        for odds, those in found.items()
    )


def _describe_rolls(indices: Iterable[int]) -> Iterator[str]:
    """Yield rolls as text: "4" if all ways to make a total are there, else pairs such as "1-3"."""
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
    """Return the payoff of a bet that wins at the odds `win`: the engine's amount, cut into chips.

    `stake` is the bet in chips or in cents. For odds, `flat` is the chips of the flat bet.
    """
    amount = stake if isinstance(stake, int) else stake.amount
    (settlement,) = _settle_at(layout, win, {spot.slug: Stake(amount, amount, call=True)})
    chips = None if isinstance(stake, int) else stake
    position = ""
    if flat is not None and chips is not None and spot.rule.is_laid(layout.house.book):
        position = find_laid_position(flat, chips, settlement.paid)
    payoff = cut_payoff(layout, settlement, chips, flat)
    return PricedPayoff(win, settlement, payoff, position=position)


def _settle_at(layout: Layout, win: WinningPrice, up: dict[str, Stake]) -> list[Settlement]:
    return settle(layout, "", up, Throw(win.index, outcome_total(win.index), win.puck))


def is_behind_line(layout: Layout, spot: Spot) -> bool:
    """Return whether a wager is odds taken behind a line bet, so that one payoff may pay both."""
    behind_line = spot.is_odds and bool(spot.flat) and layout.spots[spot.flat].rule.is_line
    return behind_line and not spot.rule.is_laid(layout.house.book)


def compute_total_payoff(
    layout: Layout, spot: Spot, win: WinningPrice, stake: Chips, flat: Chips
) -> PricedPayoff:
    """Return one payoff for odds (`stake`) and the line bet (`flat`) that they are behind.

    `win` has the throw that both win on.
    """
    chips = {spot.flat: flat, spot.slug: stake}
    up = {
        spot.flat: Stake(flat.amount, flat.amount),
        spot.slug: Stake(stake.amount, stake.amount, call=True),
    }
    settled = _settle_at(layout, win, up)
    parts = [cut_payoff(layout, each, chips[each.wager], flat) for each in settled]
    odds = next(each for each in settled if each.wager == spot.slug)
    stakes, paid = (sum(each.stake for each in settled), sum(each.paid for each in settled))
    both = replace(odds, stake=stakes, paid=paid)
    return PricedPayoff(win, both, total_payoffs(layout, parts))


def find_laid_position(flat: Chips, laid: Chips, win: int) -> Literal["bridged", "heeled"]:
    """Return how laid odds are set on their flat bet: "bridged" across it, or "heeled" at a tilt.

    The dealer bridges them only if they win as much as the flat bet and both are of one color
    (Iowa's wagers.5.d.A#2, wagers.5.d.B#2, lay/bridge). `win` is what the odds win, in cents.
    """
    same = flat.one_color and laid.one_color and flat.piles[0][0] == laid.piles[0][0]
    return "bridged" if same and win == flat.amount else "heeled"
