"""Tables to ask about: players seated, wagers made, dice thrown, all of it a record that deals.

Stakes to ask about, by level: amounts that the house takes, in stacks as players build them.

Busy tables: players with wagers of every kind, and a throw that gives the crew work to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from passline.crew.payoffs import MAX_UNBROKEN_CHIPS
from passline.game.dice.dice import OUTCOMES
from passline.game.house.house import describe_elections
from passline.game.law.shapes.come import Come
from passline.game.law.shapes.line import Line
from passline.game.law.shapes.odds import OddsRule
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Wagers
from passline.game.layout.wager_checks import (
    AmountBounds,
    check_amount,
    find_bounds,
    find_odds_price,
    find_stake_step,
)
from passline.game.money.chips import Chips
from passline.game.table.bets import split_composite
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.opening import PLACES, opening_event
from passline.game.table.options import bet_option
from passline.game.table.state import Table
from passline.record.deal import deal_line
from passline.record.read import RecordLine
from passline.school.crew_work import CrewWork, list_crew_work
from passline.school.questions import DrillSetup, NoQuestionError
from passline.school.seeded_random import SeededRandom
from passline.talk.canonical import format_amount
from passline.talk.same_bet import BetMemory

PLAYER_NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe")
#: Every player has so many times the table's minimum, and no less than this, in cents.
_RAIL_MINIMUMS, _MIN_RAIL = 400, 500_000


class PracticeTable:
    """A game as it is made up: each line is dealt as it is said, and only what is taken is kept."""

    def __init__(self, desk: DrillSetup) -> None:
        house = desk.house
        self.desk = desk
        self.table = evolve(Table(layout=desk.layout), opening_event(house))
        self._memory: BetMemory = {}
        self._lines: list[str] = []
        self._header = [f"rulebook: {house.book.id}", f"game: {house.game}"]
        self._header += [
            f"house.{key}: {value}" for key, value in describe_elections(house).items()
        ]

    @property
    def text(self) -> str:
        """The record: dealing it gives this table."""
        return "\n".join([*self._header, "", *self._lines]) + "\n"

    def seat(self, name: str, place: int) -> None:
        """A player comes up to the table, with chips for any wager of the house."""
        rail = max(self.desk.house.minimum * _RAIL_MINIMUMS, _MIN_RAIL)
        rail += -rail % self.desk.house.chip
        if not self.happens(f"{name} joins for {format_amount(rail)} at {place}"):
            raise NoQuestionError("nobody is seated here")

    def says(self, name: str, said: str) -> bool:
        """What a player says; False, and nothing is done, where any of it is refused."""
        line = RecordLine(number=0, text=f"{name}: {said}", player=name, says=(said,))
        return self._deal(line)

    def happens(self, text: str) -> bool:
        """A line of the table's own: a throw, a player who joins."""
        return self._deal(RecordLine(number=0, text=text))

    def throw(self, first: int, second: int) -> bool:
        """A throw that counts."""
        return self.happens(f"roll {first} {second}")

    def _deal(self, line: RecordLine) -> bool:
        table, memory = self.table, dict(self._memory)
        for entry, after in deal_line(table, line, memory):
            if entry.refusal is not None:
                return False
            table = after
        self.table, self._memory = table, memory
        self._lines.append(line.text)
        return True

    def rolled(self, first: int, second: int) -> tuple[Table, Rolled]:
        """What a throw would do now: the table as it stands before it, and the throw."""
        before = self.table
        for entry, _ in deal_line(before, RecordLine(number=0, text=f"roll {first} {second}"), {}):
            for event in entry.events:
                if isinstance(event, Rolled):
                    return before, event
                before = evolve(before, event)
        raise NoQuestionError("nobody could throw here")


def find_line_spot(desk: DrillSetup, right: bool = True) -> Spot:
    """The line wager of a side: pass, or don't pass."""
    wins = "number" if right else "seven"
    for spot in desk.layout.spots.values():
        if isinstance(spot.rule, Line) and spot.rule.wins.value == wins:
            return spot
    raise NoQuestionError(f"{desk.house.book.id} has no such line")


def pick_dice_for_total(total: int, draws: SeededRandom) -> tuple[int, int]:
    """Two dice that make a total."""
    return draws.pick([faces for faces in OUTCOMES if sum(faces) == total])


def establish_point(scene: PracticeTable, shooter: str, point: int, draws: SeededRandom) -> None:
    """The shooter bets the line, and the point is thrown."""
    spot = find_line_spot(scene.desk)
    least = find_bounds(scene.desk.layout, spot, 0, {}).least
    if not scene.says(shooter, f"{spot.slug} for {format_amount(least)}"):
        raise NoQuestionError("the shooter's line wager is not taken")
    if not scene.throw(*pick_dice_for_total(point, draws)):
        raise NoQuestionError("nobody could throw here")


def make_table(desk: DrillSetup, puck: int | None, name: str = "ann", place: int = 3) -> Table:
    """A table with one player at a place, who has the line; its puck on a number, or off."""
    scene = PracticeTable(desk)
    scene.seat(name, place)
    if puck:
        establish_point(scene, name, puck, SeededRandom("point"))
    return scene.table


def seat_players(
    desk: DrillSetup, count: int, draws: SeededRandom
) -> tuple[PracticeTable, Sequence[str]]:
    """A table with so many players at places drawn: at the left end alone up to the second level,
    at both ends above; in the order of their places."""
    last = PLACES if desk.level > 2 else PLACES // 2
    places = sorted(draws.some(range(1, last + 1), count))
    if desk.level > 2 and count > 1 and places[0] > PLACES // 2:
        places[0] = draws.between(1, PLACES // 2)
    scene, names = PracticeTable(desk), PLAYER_NAMES[:count]
    for name, place in zip(names, places, strict=True):
        scene.seat(name, place)
    return scene, names


#: Stacks of one colour have no more cheques than this, and no stake is larger than so many least.
_MAX_STACK_HEIGHT = 8
_MAX_MINIMUMS = 60
_UNEVEN_STAKES_LEVEL = 4


def list_stakes(
    desk: DrillSetup, spot: Spot, pays: Fraction, puck: int = 0, wagers: Wagers | None = None
) -> list[int]:
    """Amounts that a wager may hold and that fit the level, in cents; none: it is not asked.

    One colour at first; then stacks of several; from the fourth level amounts whose pay does not
    come out in whole chips too, where the house takes them and rounds.
    """
    own = wagers or {}
    span = find_bounds(desk.layout, spot, puck, own)
    rack, chip = desk.rack, desk.house.chip
    found: set[int] = set()
    most = min(span.most, span.least * _MAX_MINIMUMS)
    for colour in rack.chips:
        for count in range(1, _MAX_STACK_HEIGHT + 1):
            found.add(colour.value * count)
    found |= {span.least + step * span.step for step in range(_MAX_MINIMUMS)}
    step = desk.house.chip if desk.level >= _UNEVEN_STAKES_LEVEL else span.step
    found |= {span.least + more * step for more in range(_MAX_MINIMUMS)}
    taken = [
        amount
        for amount in sorted(found)
        if span.least <= amount <= most
        and check_amount(desk.layout, spot, puck, own, amount) is None
    ]
    usual = [amount for amount in taken if amount >= desk.house.minimum]
    if spot.rule.area == "table" and usual:  # odds may be less, and seldom are
        taken = usual
    even = [amount for amount in taken if _pays_whole_chips(amount, pays, chip)]
    return _select_stakes_for_level(desk, taken, even) or even or taken


def _pays_whole_chips(amount: int, pays: Fraction, chip: int) -> bool:
    return (amount * pays) % chip == 0


def _select_stakes_for_level(desk: DrillSetup, taken: list[int], even: list[int]) -> list[int]:
    if desk.level == 1:
        return [amount for amount in even if _make_single_color_stacks(desk, amount)]
    mixed = [amount for amount in even if not desk.rack.divide(amount)[0].one_color]
    if desk.level < _UNEVEN_STAKES_LEVEL:
        return mixed
    odd = sorted(set(taken) - set(even))
    return odd if desk.level == _UNEVEN_STAKES_LEVEL else [*odd, *mixed]


def _make_single_color_stacks(desk: DrillSetup, amount: int) -> list[Chips]:
    """The stacks of one colour and no more than eight cheques that make an amount."""
    return [
        Chips.of({chip: amount // chip.value})
        for chip in desk.rack.chips
        if amount % chip.value == 0 and amount // chip.value <= _MAX_STACK_HEIGHT
    ]


def make_stack(desk: DrillSetup, amount: int, draws: SeededRandom) -> Chips:
    """An amount as a player stacks it: in one colour at the first level, else the largest colours
    underneath, with now and then one chip changed into smaller ones."""
    single = _make_single_color_stacks(desk, amount)
    if single and (desk.level == 1 or draws.one_in(3)):
        return draws.pick(single)
    chips, _ = desk.rack.divide(amount)
    if desk.level >= 3 and draws.one_in(2):
        chips = _change_one_chip(desk, chips, draws)
    return chips


def _change_one_chip(desk: DrillSetup, chips: Chips, draws: SeededRandom) -> Chips:
    """The same amount with one of its chips in the next colours, if that makes no tower."""
    chip, _ = draws.pick(chips.piles)
    smaller = [other for other in desk.rack.chips if other.value < chip.value]
    for other in smaller:
        if chip.value % other.value == 0 and chip.value // other.value <= MAX_UNBROKEN_CHIPS:
            one = Chips.of({chip: 1})
            return chips - one + Chips.of({other: chip.value // other.value})
    return chips


def pick_flat_stake(desk: DrillSetup, spot: Spot, draws: SeededRandom) -> int:
    """A line or come wager of a usual size, in whole steps from its least."""
    span: AmountBounds = find_bounds(desk.layout, spot, 0, {})
    times = (1, 2, 3, 5) if desk.level < 3 else (1, 2, 3, 4, 5, 6, 8, 10)
    least = span.least
    sizes = [least * many for many in times if least * many <= span.most]
    if desk.level >= _UNEVEN_STAKES_LEVEL:
        sizes += [
            least + span.step * more
            for more in (1, 2, 3, 7)
            if least + span.step * more <= span.most
        ]
    return draws.pick(sizes or [least])


#: By level: how many players, and how many wagers each.
_PLAYERS_BY_LEVEL = {1: (1, 1), 2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5)}
_WAGERS_BY_LEVEL = {1: (1, 2), 2: (2, 3), 3: (2, 3), 4: (2, 4), 5: (3, 4)}
_COME_BETS_LEVEL, _UNEVEN_BETS_LEVEL = 3, 4
_THROWS_TRIED = 5


def pick_spot(spots: Sequence[Spot], draws: SeededRandom) -> Spot:
    """One of these wagers: a kind first, so that hops are no more likely than the field."""
    kinds = list(dict.fromkeys(_find_spot_kind(spot) for spot in spots))
    kind = draws.pick(kinds)
    return draws.pick([spot for spot in spots if _find_spot_kind(spot) == kind])


def list_plain_spots(layout: Layout) -> list[Spot]:
    """The wagers that lie as they are called: no side wagers, none that is booked as its parts."""
    spots = layout.spots.values()
    return [s for s in spots if not s.tiers and not split_composite(layout, s, find_stake_step(s))]


def _find_spot_kind(spot: Spot) -> str:
    return spot.slug.partition("-")[0] if spot.slug.startswith("hop-") else spot.family


def make_busy_table(desk: DrillSetup, draws: SeededRandom) -> PracticeTable:
    """A table in the middle of a round, or on a come-out: what is up fits the level."""
    scene, names = seat_players(desk, draws.between(*_PLAYERS_BY_LEVEL[desk.level]), draws)
    point = draws.pick(tuple(desk.house.book.points.value))
    if desk.level == 1 or not draws.one_in(4):
        establish_point(scene, names[0], point, draws)
        if desk.level >= _COME_BETS_LEVEL and draws.one_in(2):
            _add_come_bets(scene, names, draws)
    else:
        make_random_bet(scene, names[0], scene.table.layout.spots, draws, line=True)
    for name in names:
        for _ in range(draws.between(*_WAGERS_BY_LEVEL[desk.level])):
            make_random_bet(scene, name, desk.layout.spots, draws)
        make_odds_bets(scene, name, draws)
    return scene


def _add_come_bets(scene: PracticeTable, names: Sequence[str], draws: SeededRandom) -> None:
    """Come and don't come bets, and a number for them to go to."""
    spots = [s for s in scene.desk.layout.spots.values() if isinstance(s.rule, Come)]
    for name in names:
        for spot in spots:
            if not spot.number and draws.one_in(2):
                make_bet(scene, name, spot, draws)
    totals = [n for n in scene.desk.house.book.points.value if n != scene.table.puck]
    faces = [pair for pair in OUTCOMES if sum(pair) in totals]
    scene.throw(*draws.pick(faces))


def make_random_bet(
    scene: PracticeTable, name: str, spots: dict[str, Spot], draws: SeededRandom, line: bool = False
) -> None:
    """A wager of this player's that the house takes now."""
    mine = scene.table.seat(name).wagers
    center = scene.desk.level > 1 and draws.one_in(3)
    open_ = [
        spot
        for spot in spots.values()
        if spot.slug not in mine
        and not spot.tiers
        and not isinstance(spot.rule, OddsRule)
        and not spot.only_travels
        and (not line or spot.slug == "pass")
        and (spot.rule.area == "table" or center)
    ]
    if open_:
        make_bet(scene, name, pick_spot(open_, draws), draws)


def make_bet(scene: PracticeTable, name: str, spot: Spot, draws: SeededRandom) -> bool:
    """A bet of a usual size: in units that are paid exactly, below the fourth level."""
    option = bet_option(scene.table, name, spot.slug)
    if option.bar is not None:
        return False
    puck = scene.table.puck
    unit = option.step
    if scene.desk.level < _UNEVEN_BETS_LEVEL:
        unit = lcm(option.step, find_odds_price(spot, puck).step(scene.desk.house.chip))
    least = -(-max(option.least, _find_usual_minimum(scene, spot)) // unit) * unit
    if least > option.most:
        least = option.least
    amount = least * draws.pick((1, 1, 2, 3, 4))
    amount = amount if amount <= option.most else least
    return scene.says(name, f"{spot.slug} for {format_amount(amount)}")


def _find_usual_minimum(scene: PracticeTable, spot: Spot) -> int:
    return scene.desk.house.minimum if spot.rule.area == "table" else 0


def make_odds_bets(scene: PracticeTable, name: str, draws: SeededRandom) -> None:
    """Odds behind whatever of this player's takes them, two times of three."""
    spots = scene.desk.layout.spots
    for slug in tuple(scene.table.seat(name).wagers):
        behind = spots[slug].behind
        if behind and not draws.one_in(3):
            make_bet(scene, name, spots[behind], draws)


def find_busy_throw(
    scene: PracticeTable, draws: SeededRandom, least: int
) -> tuple[tuple[int, int], CrewWork]:
    """A throw that gives the crew at least so many things to take, pay and place: of several the
    one with the most kinds of work."""
    found: list[tuple[int, tuple[int, int], CrewWork]] = []
    for faces in draws.some(OUTCOMES, _THROWS_TRIED):
        work = list_crew_work(*scene.rolled(*faces))
        if len(work.money) >= least:
            found.append((len({(step.act, step.kind) for step in work.money}), faces, work))
    if not found:
        raise NoQuestionError("nothing is decided at this table")
    _, faces, work = max(found, key=lambda one: one[0])
    return faces, work
