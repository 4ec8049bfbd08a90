"""Explain a wager's exact figures: the throws that decide it, what each pays, and its clause.

A wager is followed from state to state (the come-out, the puck on a point, a come that has
traveled) until a throw decides it. Each deciding throw is a term: the mean rolls in its state,
times its chance there, times what it nets. Every figure of the wager is a sum of these terms.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from passline.game.dice.dice import FAIR, OUTCOMES, Dice
from passline.game.house.house import House
from passline.game.house.load import as_house
from passline.game.law.shapes.collect import Collect
from passline.game.layout.spots import Layout
from passline.game.layout.stakes import Settlement
from passline.game.words.odds import MIRRORED_NOTE, say_odds
from passline.game.words.wagers import layout_name
from passline.lab.exact.bet_decisions import count_walk_visits
from passline.lab.machines.bet_walks import DECIDED, BetWalk, OutcomeGroup
from passline.lab.machines.next_states import State
from passline.lab.pricing.pays import name_faces
from passline.lab.pricing.wager_odds import WITH_ODDS_SUFFIX, Appraiser, WagerOdds
from passline.lab.results import (
    LabResult,
    ResultTable,
    make_columns,
    show_percent_and_fraction,
)

#: The name of the state before the wager is made.
START = "begins"


class TermPay(NamedTuple):
    """What a throw does to one wager: win, lose or push, the odds paid, and the clause."""

    wager: str
    result: str
    odds: str | None
    cite: str

    @classmethod
    def from_settlement(cls, done: Settlement) -> TermPay:
        """Return a settlement's result (win, lose or push), odds and clause, without amounts.

        A wager that pays on one part as much as it loses on others (whirl on a seven) is a push.
        """
        even = done.result == "win" and not done.paid
        result = "push" if even else done.result
        return cls(wager=done.wager, result=result, odds=done.odds, cite=done.cite)

    def describe(self, wager: str) -> str:
        """Return the result in words, such as ``pass wins 1 to 1`` for the name ``pass``."""
        verb = {"win": "wins", "lose": "loses", "push": "pushes"}.get(self.result, self.result)
        paid = f" {self.odds}" if self.odds and self.result == "win" else ""
        return f"{wager} {verb}{paid}"


class DecidingTerm(msgspec.Struct, frozen=True, kw_only=True):
    """A group of throws that decide a wager in the same way, in one state, named ``place``.

    ``faces`` are the throws, and ``settled`` says what they do to each bet. The chance of the group
    on one roll is ``weight`` / ``whole``. ``rolls`` is the mean number of rolls in this state.
    ``net`` is the win or loss per unit of stake, after vigorish.
    """

    place: str
    faces: tuple[tuple[int, int], ...]
    weight: int
    whole: int
    rolls: Fraction
    settled: tuple[TermPay, ...]
    net: Fraction

    @property
    def chance(self) -> Fraction:
        """The chance that the wager is decided in this way."""
        return self.rolls * Fraction(self.weight, self.whole)

    @property
    def part(self) -> Fraction:
        """What these throws add to the mean net of a decision, per unit of stake."""
        return self.chance * self.net

    @property
    def dice(self) -> str:
        """The throws as text: a total if every way to roll it is included, otherwise the faces."""
        return " ".join(name_faces({OUTCOMES.index(faces) for faces in self.faces}))

    @property
    def does(self) -> list[str]:
        """What the throws do to each wager, by its slug, such as ``pass wins 1 to 1``."""
        return [pay.describe(pay.wager) for pay in self.settled]

    @property
    def cites(self) -> list[str]:
        """The clauses of the rulebook that apply to these throws, each once."""
        return list(dict.fromkeys(pay.cite for pay in self.settled))


class WalkPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A state that a wager can be in before its decision; ``place`` is the state's name.

    ``rolls`` is the mean number of rolls made in this state. ``sources`` splits them by the state
    of the roll before, or START. ``added`` is the amount bet in addition here, per unit of stake.
    """

    place: str
    rolls: Fraction
    sources: dict[str, Fraction]
    added: Fraction


class Explanation(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """A wager's figures as sums of the terms behind them, per unit of stake.

    ``win``, ``lose`` and ``push`` are the chances that the decision wins money, loses money or does
    neither. ``net`` is its mean net, ``wagered`` the mean amount wagered with odds, ``rolls`` the
    mean rolls until it, and ``edge`` the house's mean win as a share of the amount wagered. ``vig``
    is the vigorish paid with the bet. If ``mirrored`` is true, each total also stands for the one
    equally far from seven (4 for 10 too), because the wager treats both alike.
    """

    row: WagerOdds
    vig: Fraction
    mirrored: bool
    places: tuple[WalkPlace, ...]
    terms: tuple[DecidingTerm, ...]
    win: Fraction
    lose: Fraction
    push: Fraction
    net: Fraction
    wagered: Fraction
    rolls: Fraction
    edge: Fraction

    def headline(self) -> str:
        """Return in one line the edge, and how many terms it is the sum of."""
        edge = show_percent_and_fraction(self.edge)
        return say_odds("explained", wager=self.row.wager, edge=edge, ways=len(self.terms))

    def to_table(self) -> ResultTable:
        """Return a table with one row for each group of throws that decides the wager."""
        records = [
            (t.place, t.dice, t.chance, ", ".join(t.does), t.net, t.part, ", ".join(t.cites))
            for t in self.terms
        ]
        names = make_columns(place="words", dice="words", chance="share", does="words")
        return ResultTable(
            names | make_columns(net="figure", part="figure", cites="words"), records
        )


def explain_wager(
    house: House | str,
    wager: str,
    *,
    stake: int | None = None,
    with_odds: bool = False,
    dice: Dice = FAIR,
) -> Explanation:
    """Explain the figures that ``odds`` returns for a wager.

    Raise WagerError or StakeRefusedError in the same cases as ``odds``.

    >>> found = explain_wager("new-jersey", "field")
    >>> [(term.dice, str(term.chance), str(term.net)) for term in found.terms][:2]
    [('2', '1/36', '2'), ('3', '1/18', '1')]
    >>> found.edge == found.row.edge == Fraction(1, 18)
    True
    """
    appraiser = Appraiser(as_house(house), stake, dice)
    return explain_row(appraiser, appraiser.price_accepted(wager, with_odds))


def explain_row(appraiser: Appraiser, row: WagerOdds) -> Explanation:
    """Explain ``row``, one row of a table of wagers.

    ``appraiser`` must be the one that computed the row.
    """
    terms: dict[tuple[object, ...], DecidingTerm] = {}
    places: dict[str, WalkPlace] = {}
    vig = Fraction(0)
    for point, share, walk in appraiser.list_walks(row.wager):
        vig += share * Fraction(walk.vig, walk.stake)
        visits = count_walk_visits(walk)
        names = [
            _name_place(appraiser.layout, walk, state, point) for state in range(len(walk.ways))
        ]
        _add_arrivals(places, names[0], share, START)
        for state, often in visits.items():
            rolls, name = share * often, names[state]
            own, added = _get_place(places, name), rolls * Fraction(walk.added[state], walk.stake)
            places[name] = replace(own, rolls=own.rolls + rolls, added=own.added + added)
            for falls in walk.outcome_groups[state]:
                if falls.next == DECIDED:
                    term = _make_term(name, falls, rolls, walk)
                    key = name, term.faces, term.settled, term.net
                    before = terms.get(key)
                    more = term.rolls + (before.rolls if before else 0)
                    terms[key] = replace(term, rolls=more)
                else:
                    on = rolls * Fraction(falls.weight, walk.whole)
                    _add_arrivals(places, names[falls.next], on, name)
    spot = appraiser.layout.spots[row.wager.removesuffix(WITH_ODDS_SUFFIX)]
    net = sum((term.part for term in terms.values()), Fraction(0))
    wagered = 1 + sum((place.added for place in places.values()), Fraction(0))
    return Explanation(
        row=row,
        vig=vig,
        mirrored=spot.rule.is_collect and appraiser.dice.level,
        places=tuple(places.values()),
        terms=tuple(terms.values()),
        win=sum((term.chance for term in terms.values() if term.net > 0), Fraction(0)),
        lose=sum((term.chance for term in terms.values() if term.net < 0), Fraction(0)),
        push=sum((term.chance for term in terms.values() if not term.net), Fraction(0)),
        net=net,
        wagered=wagered,
        rolls=sum((place.rolls for place in places.values()), Fraction(0)),
        edge=-net / wagered,
    )


def _make_term(place: str, falls: OutcomeGroup, rolls: Fraction, walk: BetWalk) -> DecidingTerm:
    return DecidingTerm(
        place=place,
        faces=falls.faces,
        weight=falls.weight,
        whole=walk.whole,
        rolls=rolls,
        settled=tuple(map(TermPay.from_settlement, falls.settled)),
        net=Fraction(falls.net, walk.stake),
    )


def _get_place(places: dict[str, WalkPlace], name: str) -> WalkPlace:
    return places.get(name) or WalkPlace(
        place=name, rolls=Fraction(0), sources={}, added=Fraction(0)
    )


def _add_arrivals(places: dict[str, WalkPlace], name: str, rolls: Fraction, source: str) -> None:
    own = _get_place(places, name)
    sources = {**own.sources, source: own.sources.get(source, Fraction(0)) + rolls}
    places[name] = replace(own, sources=sources)


def _name_place(layout: Layout, walk: BetWalk, number: int, point: int) -> str:
    """Return the name of a bet's state: the wager, the puck if it moves, the totals collected.

    ``walk`` is the chain of states of the bet, and ``number`` the state's number in it. ``point``
    is the point of odds behind a line bet, else 0.
    """
    state = walk.states[number]
    own = [slug for slug, _ in state.wagers if not layout.spots[slug].flat]
    if point or not own:
        own = [slug for slug, _ in state.wagers if layout.spots[slug].flat]
    parts, gathered = own[:1], _describe_gathered(layout, state)
    if point:
        parts.append(f"point {point}")
    elif len({each.puck for each in walk.states}) > 1:
        on = "puck on" if gathered else f"puck on {state.puck}"
        parts.append(on if state.puck else "puck off")
    return ", ".join([*parts, *gathered])


def _describe_gathered(layout: Layout, state: State) -> list[str]:
    found = []
    for slug, _ in state.wagers:
        rule = layout.spots[slug].rule
        if isinstance(rule, Collect):
            own = dict(state.tallies).get(slug, ())
            got = rule.count_tally(rule.pick_tally(state.made, state.thrown, own))
            top = rule.find_top(layout.spots[slug].tiers)
            found.append(f"{got} of {top} gathered")
    return found


def explanation_json(found: Explanation) -> dict[str, Any]:
    """Return the field ``explain`` of ``passline odds --explain --json``: fractions as text."""
    return {
        "places": [
            {
                "place": place.place,
                "rolls": str(place.rolls),
                "from": {source: str(rolls) for source, rolls in place.sources.items()},
                "added": str(place.added),
            }
            for place in found.places
        ],
        "terms": [
            {
                "place": term.place,
                "dice": [list(faces) for faces in term.faces],
                "weight": term.weight,
                "whole": term.whole,
                "rolls": str(term.rolls),
                "chance": str(term.chance),
                "settled": [pay._asdict() for pay in term.settled],
                "net": str(term.net),
                "part": str(term.part),
            }
            for term in found.terms
        ],
        "mirrored": found.mirrored,
        **{name: str(getattr(found, name)) for name in _SUMS},
    }


_SUMS = ("win", "lose", "push", "rolls", "net", "wagered", "vig", "edge")
#: The headings of a table of terms; a column with ``#`` holds numbers.
TERM_COLUMNS = (
    *("Where", "Dice", "#Of the throws", "#Rolls there", "#Chance", "What it does"),
    *("#Net", "#Chance x net", "Clause"),
)
_MAX_FRACTION_CHARS = 24  # longer fractions are shown as decimals


def show_exact(value: Fraction) -> str:
    """Return a fraction as text, or a decimal if it is too long to read.

    >>> show_exact(Fraction(7, 495)), show_exact(Fraction(10**20, 3 * 10**22 + 1))
    ('7/495', '0.003333333')
    """
    shown = str(value)
    return shown if len(shown) <= _MAX_FRACTION_CHARS else f"{float(value):.7g}"


def _show_signed(value: Fraction) -> str:
    return f"{'+' if value > 0 else ''}{show_exact(value)}"


def show_place(place: str) -> str:
    """Return the name of a state for people, with the wager's name instead of its slug.

    >>> show_place("dont-pass, puck on 4")
    "don't pass, puck on 4"
    """
    wager, comma, rest = place.partition(", ")
    return layout_name(wager) + comma + rest


def term_cells(term: DecidingTerm) -> list[str]:
    """Return the table cells of a term (throws that decide a wager alike), as in TERM_COLUMNS."""
    return [
        show_place(term.place),
        term.dice,
        f"{term.weight:,}/{term.whole:,}",
        show_exact(term.rolls),
        show_exact(term.chance),
        ", ".join(pay.describe(layout_name(pay.wager)) for pay in term.settled),
        _show_signed(term.net),
        _show_signed(term.part),
        ", ".join(term.cites),
    ]


#: The same columns for a CSV file, with the wager in front.
EXPLAINED_HEADINGS = (
    *("wager", "option", "place", "dice", "weight", "whole"),
    *("rolls", "chance", "does", "net", "part", "clauses"),
)


def explained_cells(found: Explanation) -> Iterator[list[str]]:
    """Yield, for each term, its cells with exact fractions, in the order of EXPLAINED_HEADINGS.

    A term is a group of throws that decide the wager in the same way.
    """
    row = found.row
    wager = row.wager + (f" {row.multiple}" if row.multiple else "")
    for term in found.terms:
        exact = (term.weight, term.whole, term.rolls, term.chance)
        sums = ("; ".join(term.does), str(term.net), str(term.part), "; ".join(term.cites))
        yield [wager, row.option or "", term.place, term.dice, *map(str, exact), *sums]


def describe_place(place: WalkPlace) -> str:
    """Describe how many rolls a bet spends in a state on average, and where it came from."""
    parts = [
        f"{show_exact(rolls)} {_describe_source(source, place)}"
        for source, rolls in place.sources.items()
    ]
    many = show_exact(place.rolls)
    plural = "" if many == "1" else "s"
    return f"{show_place(place.place)}: {many} roll{plural} = {' + '.join(parts)}"


def _describe_source(source: str, place: WalkPlace) -> str:
    if source == START:
        return say_odds("source-start")
    if source == place.place:
        return say_odds("source-same")
    return say_odds("source-other", place=show_place(source))


def summary_lines(found: Explanation) -> Iterator[tuple[str, str]]:
    """Yield (label, text) for each figure that is a sum of terms: rolls, chances, net, edge."""
    yield "rolls", say_odds("sum-of-rolls", rolls=show_exact(found.rolls))
    for label, chance in (("wins", found.win), ("loses", found.lose), ("pushes", found.push)):
        if chance or label != "pushes":
            yield label, say_odds("sum-of-chances", chance=show_exact(chance))
    net, edge, wagered = map(show_exact, (found.net, found.edge, found.wagered))
    if found.wagered != 1:
        yield "wagered", say_odds("times-the-stake", wagered=wagered)
    over = wagered if found.wagered != 1 else ""
    yield "edge", say_odds("sum-of-nets", edge=edge, net=net, over=over)
    if found.vig:
        outlay = -found.net / (found.wagered + found.vig)
        yield "", say_odds("of-outlay-sum", edge=show_exact(outlay), vig=show_exact(found.vig))
    if found.mirrored:
        yield "note", MIRRORED_NOTE
