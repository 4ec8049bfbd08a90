"""Mental keys: how a dealer calculates a proposition's payoff in the head.

A key is a multiple of the bet plus or minus a multiple of the chips in the printed box that won:
"seven times the bet, less a quarter of it". Most keys come from the dealer school, as data. For any
other bet a key is derived with the smallest numbers that fit. Every key is checked against the
engine's odds.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from passline.game.dice.dice import OUTCOMES, outcome_total
from passline.game.law.book_files import BOOKS, cached_by_book
from passline.game.law.book_parts import convert_part, read_own_part, read_part
from passline.game.layout.spots import Layout
from passline.game.money.amounts import Odds
from passline.game.words.crew import (
    KEY_STEPS,
    describe_bet_step,
    describe_box_step,
    describe_key,
    describe_key_with_part,
    describe_part_step,
)

KeyStep = Literal["blackjack", "triple", "add-a-zero", "half-off", "bet-off"]

#: By what each step multiplies the amount, and what part of the bet it takes off.
_STEP_FIGURES: dict[KeyStep, tuple[Fraction, Fraction]] = {
    "blackjack": (Fraction(3, 2), Fraction(0)),
    "triple": (Fraction(3), Fraction(0)),
    "add-a-zero": (Fraction(10), Fraction(0)),
    "half-off": (Fraction(1), Fraction(1, 2)),
    "bet-off": (Fraction(1), Fraction(1)),
}
_HOPS = "hops"
_DERIVED_CITE = "custom: derived from the legs' odds; no manual gives a key for it"


class CalculationStep(NamedTuple):
    """One step of mental arithmetic: what to do, in words, and the result so far in cents."""

    words: str
    cents: int


class PayoffKey(msgspec.Struct, frozen=True, kw_only=True):
    """How to calculate a bet's net win in the head: `bet` times the bet plus `box` times the box.

    The box is the part of the bet that is on the winner: `share` of the bet, a quarter for a horn.
    So "seven times the bet, less a quarter of it" has `bet` 7, `box` -1, `share` 1/4. If no whole
    numbers fit, `part` is a further part of the bet to add. `steps` are the manual's steps, if it
    gives any.
    """

    words: str
    bet: int
    box: int
    share: Fraction
    part: Fraction = Fraction(0)
    steps: tuple[KeyStep, ...] = ()
    cites: tuple[str, ...]

    @property
    def ratio(self) -> Fraction:
        """Return the net win as a multiple of the whole bet."""
        return self.bet + self.box * self.share + self.part

    def compute_win(self, stake: int) -> int:
        """Return the net win of a bet of `stake` cents, in cents."""
        return int(stake * self.ratio)

    def calculate_steps(self, stake: int) -> tuple[CalculationStep, ...]:
        """Return the steps of the calculation for a bet of `stake` cents, with each result.

        >>> from passline.game.house.house import make_house
        >>> from passline.game.law.load import rulebook
        >>> from passline.game.layout.compile import compile_layout
        >>> layout = compile_layout(make_house(rulebook("dealer-school")))
        >>> [step.cents // 100 for step in find_key(layout, "hi-lo", 12).calculate_steps(1000)]
        [15, 150, 145]
        """
        if self.steps and stake % 2 == 0:  # The steps work for whole cents only.
            return _calculate_by_steps(self, stake)
        return _calculate_by_multiples(self, stake)


class _KeyData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mental key as the data file gives it. `bet`, `box` and `steps` are as in `PayoffKey`.

    It is for bets of `ways` units, of which `held` are on the winner, that win at the odds `pays`.
    """

    ways: int
    held: int
    pays: str
    bet: int
    box: int
    words: str
    #: The clauses that state the key, by the kind of bet.
    cite: dict[str, tuple[str, ...]] = {}
    #: The id of the other book that states the key; empty if this book does.
    given_by: str = ""
    custom: str = ""
    steps: tuple[KeyStep, ...] = ()


@cached_by_book
def _load_keys(book: str) -> tuple[_KeyData, ...]:
    """Return every key for a rulebook.

    A key that the book does not state cites another book that does.
    """
    data = read_part(book, "crew/payoff_keys")
    for other in BOOKS:
        for name, entry in read_own_part(other, "crew/payoff_keys").items():
            if not {"cite", "custom"} & data[name].keys():
                data[name] |= {"cite": entry["cite"], "given_by": other}
    found = convert_part(book, "crew/payoff_keys", data, dict[str, _KeyData])
    return tuple(found.values())


def _calculate_by_steps(key: PayoffKey, stake: int) -> tuple[CalculationStep, ...]:
    amount, steps = stake, []
    for step in key.steps:
        by, less = _STEP_FIGURES[step]
        amount = int(amount * by - stake * less)
        steps.append(CalculationStep(KEY_STEPS[step], amount))
    return tuple(steps)


def _calculate_by_multiples(key: PayoffKey, stake: int) -> tuple[CalculationStep, ...]:
    if not key.ratio:
        return ()
    amount = stake * key.bet
    found = []
    if key.bet:
        found.append(CalculationStep(describe_bet_step(key.bet, stake), amount))
    if key.box:
        box = int(stake * key.share)
        amount += key.box * box
        found.append(CalculationStep(describe_box_step(key.box, box), amount))
    if key.part:
        words = describe_part_step(key.part, first=not key.bet and not key.box)
        found.append(CalculationStep(words, key.compute_win(stake)))
    return tuple(found)


def find_legs(layout: Layout, name: str) -> dict[str, int]:
    """Return the single wagers that a bet consists of, as {slug: units}, or {} if it is unknown.

    A name is a wager (`horn`), the hops of a total (`hops-6`), or wagers joined by `+`. Wagers with
    a key are known: those of the center, and those of one roll.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> find_legs(compile_layout(make_house(rulebook("dealer-school"))), "hops-6")
    {'hop-1-5': 1, 'hop-2-4': 1, 'hop-3-3': 1}
    """
    head, _, number = name.partition(f"{_HOPS}-")
    if not head and number.isdecimal():
        hops = (f"hop-{a}-{b}" for a, b in OUTCOMES if a <= b and a + b == int(number))
        return {spot.slug: 1 for name in hops if (spot := layout.spot(name)) is not None}
    found: dict[str, int] = {}
    for slug in name.split("+"):
        spot = layout.spot(slug.strip())
        if spot is None or spot.tiers or (spot.rule.area == "table" and not spot.rule.is_one_roll):
            return {}
        for leg, units in (spot.legs or {spot.slug: 1}).items():
            found[leg] = found.get(leg, 0) + units
    return found


def split_bet(layout: Layout, name: str, stake: int) -> dict[str, int]:
    """Return a bet of `stake` cents as its single wagers, in cents by slug, or {} if unknown.

    A horn becomes four bets. A dealer may set up a bet like this if it makes the payoff easier (the
    school's `horn/split`): each part is paid by itself, and the losing parts are taken. `name` is
    as in `find_legs`.
    """
    parts = find_legs(layout, name)
    ways = sum(parts.values())
    return {slug: stake * units // ways for slug, units in parts.items()}


def list_winning_faces(layout: Layout, parts: Mapping[str, int]) -> tuple[int, ...]:
    """Return the indices in `OUTCOMES` of the throws on which one of a bet's `parts` wins.

    `parts` has the bet's single wagers as keys. Of 1-2 and 2-1, only 1-2 is listed.
    """
    tables = [layout.spots[leg].tables[0] for leg in parts]
    return tuple(
        index
        for index, (a, b) in enumerate(OUTCOMES)
        if a <= b and any((v := table[index]) is not None and v.result == "win" for table in tables)
    )


def find_key(layout: Layout, name: str, face: int | str | None = None) -> PayoffKey | None:
    """Return the key of a bet on a total (12) or a pair ("3-3"), or None if it does not win then.

    Without a `face`, use the first throw on which a part of the bet wins.

    >>> from passline.game.house.house import make_house
    >>> from passline.game.law.load import rulebook
    >>> from passline.game.layout.compile import compile_layout
    >>> felt = compile_layout(make_house(rulebook("new-jersey")))
    >>> find_key(felt, "horn", 2).words, find_key(felt, "horn", 2).compute_win(400)
    ('seven times the bet, less a quarter of it', 2700)
    """
    parts = find_legs(layout, name)
    for index in list_winning_faces(layout, parts):
        a, b = OUTCOMES[index]
        if face is None or face in {outcome_total(index), f"{a}-{b}"}:
            spot = layout.spot(name)
            return find_key_on(layout, parts, index, spot.kind if spot is not None else _HOPS)
    return None


def find_key_on(
    layout: Layout, parts: Mapping[str, int], index: int, kind: str = _HOPS
) -> PayoffKey | None:
    """Return the key of a bet for one throw, or None if the bet as a whole loses.

    `parts` has the bet's single wagers as units by slug, and `index` is the throw's in `OUTCOMES`.
    `kind` is the kind of bet, such as "horn", whose clauses are cited.
    """
    ways, winning, net = sum(parts.values()), 0, Fraction(0)
    odds: set[Odds] = set()
    for leg, units in parts.items():
        verdict = layout.spots[leg].tables[0][index]
        if verdict is not None and verdict.result == "win":
            winning += units
            net += units * Fraction(verdict.win, verdict.per)
            odds.add(Odds(verdict.win, verdict.per))
        else:
            net -= units
    if not winning or net < 0:
        return None
    ratio, share = net / ways, Fraction(winning, ways)
    if len(odds) == 1:
        for key in _load_keys(layout.house.book.id):
            fits = (key.ways, key.held, Odds.parse(key.pays)) == (ways, winning, *odds)
            if fits and key.bet + key.box * share == ratio:
                return _make_key(key, share, kind)
    return derive_key(ratio, share)


def _make_key(key: _KeyData, share: Fraction, kind: str) -> PayoffKey:
    """Convert a key of the data to a PayoffKey, with the clauses for this kind of bet.

    `share` is the part of the bet on the winning number. If the clauses are another rulebook's, the
    key is cited as a custom that follows them.
    """
    cites = key.cite.get(kind, ()) or tuple(c for by in key.cite.values() for c in by)
    if key.custom:
        cites = (f"custom: {key.custom}",)
    elif key.given_by:
        cites = (f"custom: the key of {key.given_by} {cites[0]}",)
    return PayoffKey(
        words=key.words,
        bet=key.bet,
        box=key.box,
        share=share,
        steps=key.steps,
        cites=cites,
    )


def derive_key(ratio: Fraction, share: Fraction) -> PayoffKey:
    """Return a key for a bet that no manual has one for, with the smallest multiples that fit.

    `ratio` is the net win as a multiple of the bet, `share` the part of the bet that wins.

    >>> derive_key(Fraction(27, 4), Fraction(1, 4)).words
    'seven times the bet, less what is in the box (a quarter of it)'
    """
    for box in sorted(range(-share.denominator, share.denominator + 1), key=lambda b: (abs(b), -b)):
        bet = ratio - box * share
        if bet.denominator == 1 and bet >= 0:
            times, cites = bet.numerator, (_DERIVED_CITE,)
            words = describe_key(times, box, share)
            return PayoffKey(words=words, bet=times, box=box, share=share, cites=cites)
    return _derive_with_part(ratio, share)


def _derive_with_part(ratio: Fraction, share: Fraction) -> PayoffKey:
    """Return a key for a win that is no whole multiple: "twice the bet, less a fifth of it".

    The part to add or subtract is the smaller of the two. `ratio` is the net win as a multiple of
    the bet, `share` the part of the bet that wins.
    """
    whole = ratio.numerator // ratio.denominator
    part = ratio - whole
    if whole and 1 - part < part:
        whole, part = whole + 1, part - 1
    words = describe_key_with_part(whole, part)
    return PayoffKey(words=words, bet=whole, box=0, share=share, part=part, cites=(_DERIVED_CITE,))


def derive_priced_key(pays: tuple[int, int], cite: str) -> PayoffKey:
    """Return the key of a wager paid at fixed odds on the whole bet: place, buy, lay, odds, flats.

    `pays` is the odds as (win, stake), such as (9, 5); `cite` is the clause that sets them.

    >>> derive_priced_key((9, 5), "place/4-10").words, derive_priced_key((2, 3), "").words
    ('twice the bet, less a fifth of it', 'two thirds of the bet')
    """
    ratio, whole = Fraction(*pays), Fraction(1)
    found = derive_key(ratio, whole) if ratio.denominator == 1 else _derive_with_part(ratio, whole)
    words = describe_key(1, 0, whole) if ratio == 1 else found.words
    return replace(found, words=words, cites=(cite,))
