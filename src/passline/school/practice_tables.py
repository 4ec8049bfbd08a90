"""Practice tables: games that are made up for questions, with players, bets, stacks and throws.

The engine plays every table from record lines, so replaying its record gives the same table. All
randomness comes from the ``SeededRandom`` that is passed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import msgspec
from msgspec.structs import replace

from passline.crew.cut_payoff import MAX_UNBROKEN_CHIPS
from passline.crew.learner_steps import CrewWork, list_crew_work
from passline.game.dice.dice import OUTCOMES, SEVEN
from passline.game.house.house import describe_elections
from passline.game.layout.odds_limits import find_odds_price
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.stakes import Settlement, Wagers
from passline.game.layout.wager_checks import check_amount, find_bounds, find_stake_step
from passline.game.money.chips import Chips
from passline.game.table.bets import split_composite
from passline.game.table.events import Rolled
from passline.game.table.evolve import evolve
from passline.game.table.open_close import opening_event
from passline.game.table.options import bet_option
from passline.game.table.state import Table
from passline.game.table.table_ends import PLACES, list_places_at
from passline.record.deal import deal_line
from passline.record.read import RecordLine
from passline.school.practice_players import bet_propositions, bet_round, make_players
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.seeded_random import SeededRandom
from passline.talk.canonical import format_amount
from passline.talk.same_bet import BetMemory

PLAYER_NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe")
#: Players buy in for this many table minimums, and at least this many cents; more at high levels.
_RAIL_MINIMUMS, _MIN_RAIL = 400, 500_000
_HIGH_ROLLERS_LEVEL, _HIGH_ROLLER_TIMES = 4, 8


class PracticeTable:
    """A game played line by line. Its record leaves out lines that the engine refuses."""

    def __init__(self, setup: DrillSetup) -> None:
        house = setup.house
        self.setup = setup
        self.table = evolve(Table(layout=setup.layout), opening_event(house))
        self._memory: BetMemory = {}
        self._lines: list[str] = []
        self._header = [f"rulebook: {house.book.id}", f"game: {house.game}"]
        self._header += [
            f"house.{key}: {value}" for key, value in describe_elections(house).items()
        ]

    @property
    def record_text(self) -> str:
        """Return the text of the game's record. Replaying the record gives this table again."""
        return "\n".join([*self._header, "", *self._lines]) + "\n"

    def seat(self, name: str, place: int) -> None:
        """Seat a player at rail position ``place`` with chips for any usual wager of the house.

        Raise NoQuestionError if the table refuses.
        """
        rail = max(self.setup.house.minimum * _RAIL_MINIMUMS, _MIN_RAIL)
        rail *= _HIGH_ROLLER_TIMES if self.setup.level >= _HIGH_ROLLERS_LEVEL else 1
        rail += -rail % self.setup.house.chip
        if not self.play_line(f"{name} joins for {format_amount(rail)} at {place}"):
            raise NoQuestionError("none.seats")

    def say(self, name: str, said: str) -> bool:
        """Play a player's statement. If any part is refused, change nothing and return False."""
        line = RecordLine(number=0, text=f"{name}: {said}", player=name, says=(said,))
        return self._deal(line)

    def play_line(self, text: str) -> bool:
        """Play a line that no player says, such as a throw. Return whether it was accepted."""
        return self._deal(RecordLine(number=0, text=text))

    def throw(self, first: int, second: int) -> bool:
        """Throw the dice and return whether the throw was accepted."""
        return self.play_line(f"roll {first} {second}")

    def _deal(self, line: RecordLine) -> bool:
        table, memory = self.table, dict(self._memory)
        for entry, after in deal_line(table, line, memory):
            if entry.refusal is not None:
                return False
            table = after
        self.table, self._memory = table, memory
        self._lines.append(line.text)
        return True

    def preview_throw(self, first: int, second: int) -> tuple[Table, Rolled]:
        """Return (table before the roll, roll) for these dice, without playing them.

        Raise NoQuestionError if the table accepts no throw.
        """
        before = self.table
        for entry, _ in deal_line(before, RecordLine(number=0, text=f"roll {first} {second}"), {}):
            for event in entry.events:
                if isinstance(event, Rolled):
                    return before, event
                before = evolve(before, event)
        raise NoQuestionError("none.throw")


def find_line_spot(setup: DrillSetup, right: bool = True) -> Spot:
    """Return the pass line, or the don't pass line if ``right`` is False.

    Raise NoQuestionError if the house has none.
    """
    for spot in setup.layout.spots.values():
        if spot.rule.is_line and spot.rule.wins_on_seven != right:
            return spot
    raise NoQuestionError("none.line", book=setup.house.book.title)


def pick_dice_for_total(total: int, random: SeededRandom) -> tuple[int, int]:
    """Return the faces of two dice that make a total."""
    return random.pick([faces for faces in OUTCOMES if sum(faces) == total])


def establish_point(
    practice: PracticeTable, shooter: str, point: int, random: SeededRandom
) -> None:
    """Make a pass bet for the shooter, then throw dice that set the point; ``practice`` changes.

    Raise NoQuestionError if the table refuses either.
    """
    spot = find_line_spot(practice.setup)
    span = find_bounds(practice.setup.layout, spot, 0, {})
    times = _HIGH_FLAT_TIMES[0] if practice.setup.level >= _HIGH_ROLLERS_LEVEL else 1
    if not practice.say(
        shooter, f"{spot.slug} for {format_amount(min(span.least * times, span.most))}"
    ):
        raise NoQuestionError("none.line-taken")
    if not practice.throw(*pick_dice_for_total(point, random)):
        raise NoQuestionError("none.throw")


def make_table(setup: DrillSetup, puck: int | None, name: str = "ann", place: int = 3) -> Table:
    """Return a table with one player, who shoots, at rail position ``place``.

    ``puck`` is the point; None means off.
    """
    return make_practice(setup, puck, name, place).table


def make_practice(setup: DrillSetup, puck: int | None, name: str, place: int) -> PracticeTable:
    """Return a game with one player, who shoots. ``puck`` is the point; None means off."""
    practice = PracticeTable(setup)
    practice.seat(name, place)
    if puck:
        establish_point(practice, name, puck, SeededRandom("point"))
    return practice


def seat_players(
    setup: DrillSetup, count: int, random: SeededRandom
) -> tuple[PracticeTable, Sequence[str]]:
    """Return (table, names) with ``count`` players at random rail positions.

    Up to level 2, all are at the left end of the table.
    """
    left = list_places_at("left")
    last = PLACES if setup.level > 2 else left[-1]
    places = sorted(random.sample(range(1, last + 1), count))
    if setup.level > 2 and count > 1 and places[0] not in left:
        places[0] = random.between(left[0], left[-1])
    practice, names = PracticeTable(setup), PLAYER_NAMES[:count]
    for name, place in zip(names, places, strict=True):
        practice.seat(name, place)
    return practice, names


#: The most chips in a stack of one color, and the largest stake in minimums of the wager.
_MAX_STACK_HEIGHT = 8
_MAX_MINIMUMS = 60
#: The largest odds, in times of their flat bet.
_MAX_ODDS_TIMES = 5
_UNEVEN_STAKES_LEVEL = 4


def list_stakes(
    setup: DrillSetup, spot: Spot, pays: Fraction, puck: int = 0, wagers: Wagers | None = None
) -> list[int]:
    """Return the amounts in cents that the house accepts on a wager and that fit the level.

    ``pays`` is the payoff as a multiple of the stake, ``puck`` the point or 0, and ``wagers`` the
    player's other bets. Level 1 gives amounts for a stack of one color, levels 2 and 3 for mixed
    stacks, level 4 those that don't pay in whole chips, and level 5 both of the latter. If none of
    these is accepted, return other amounts, if any.
    """
    own, chip = wagers or {}, setup.house.chip
    span = find_bounds(setup.layout, spot, puck, own)
    flat = own[spot.flat].amount if spot.flat in own else 0
    most = min(span.most, max(span.least * _MAX_MINIMUMS, flat * _MAX_ODDS_TIMES))
    heights = range(1, _MAX_STACK_HEIGHT + 1)
    found = {color.value * height for color in setup.rack.chips for height in heights}
    found |= {flat * times for times in range(1, _MAX_ODDS_TIMES + 1)}
    for step in (span.step, chip if setup.level >= _UNEVEN_STAKES_LEVEL else span.step):
        found |= {max(span.least, flat) + step * more for more in range(_MAX_MINIMUMS)}
    taken = [
        amount
        for amount in sorted(found)
        if span.least <= amount <= most
        and check_amount(setup.layout, spot, puck, own, amount) is None
    ]
    usual = [amount for amount in taken if amount >= max(setup.house.minimum, flat)]
    if spot.rule.area == "table" and usual:  # Odds below the minimum or the flat bet are rare.
        taken = usual
    even = [amount for amount in taken if (amount * pays) % chip == 0]
    return _select_stakes_for_level(setup, taken, even) or even or taken


def _select_stakes_for_level(setup: DrillSetup, taken: list[int], even: list[int]) -> list[int]:
    if setup.level == 1:
        return [amount for amount in even if _make_single_color_stacks(setup, amount)]
    mixed = [amount for amount in even if not setup.rack.divide(amount)[0].one_color]
    if setup.level < _UNEVEN_STAKES_LEVEL:
        return mixed
    odd = sorted(set(taken) - set(even))
    return odd if setup.level == _UNEVEN_STAKES_LEVEL else [*odd, *mixed]


def _make_single_color_stacks(setup: DrillSetup, amount: int) -> list[Chips]:
    """Return the stacks of one color, at most eight chips high, that make an amount."""
    return [
        Chips.of({chip: amount // chip.value})
        for chip in setup.rack.chips
        if amount % chip.value == 0 and amount // chip.value <= _MAX_STACK_HEIGHT
    ]


def make_stack(setup: DrillSetup, amount: int, random: SeededRandom) -> Chips:
    """Return chips worth ``amount`` cents, stacked at random as players stack them.

    Level 1 uses one color if possible. From level 3, one chip is sometimes changed into smaller
    ones.
    """
    single = _make_single_color_stacks(setup, amount)
    if single and (setup.level == 1 or random.one_in(3)):
        return random.pick(single)
    chips, _ = setup.rack.divide(amount)
    if setup.level >= 3 and random.one_in(2):
        chips = _change_one_chip(setup, chips, random)
    return chips


def _change_one_chip(setup: DrillSetup, chips: Chips, random: SeededRandom) -> Chips:
    """Return the same amount with one chip changed into a few of a smaller color, if possible."""
    chip, _ = random.pick(chips.piles)
    for other in setup.rack.chips:
        count, rest = divmod(chip.value, other.value)
        if other.value < chip.value and not rest and count <= MAX_UNBROKEN_CHIPS:
            return chips - Chips.of({chip: 1}) + Chips.of({other: count})
    return chips


#: Flat bets at the higher levels, in minimums.
_HIGH_FLAT_TIMES = (5, 6, 8, 10, 15, 20)


def pick_flat_stake(setup: DrillSetup, spot: Spot, random: SeededRandom) -> int:
    """Return a usual amount for a line or come bet, in cents."""
    span = find_bounds(setup.layout, spot, 0, {})
    high = setup.level >= _UNEVEN_STAKES_LEVEL
    times: tuple[int, ...] = (1, 2, 3, 5) if setup.level < 3 else (1, 2, 3, 4, 5, 6, 8, 10)
    times = _HIGH_FLAT_TIMES if high else times
    sizes = [span.least * many for many in times]
    if high:
        sizes += [span.least * times[0] + span.step * more for more in (1, 2, 7)]
    return random.pick([size for size in sizes if size <= span.most] or [span.least])


#: By level: the fewest and the most players.
_PLAYERS_BY_LEVEL = {1: (1, 1), 2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5)}
_COME_BETS_LEVEL, _UNEVEN_BETS_LEVEL = 3, 4
_THROWS_TRIED, _SEVEN_ONE_IN, _ANY_THROW_ONE_IN = 5, 5, 2


def pick_spot(spots: Sequence[Spot], random: SeededRandom) -> Spot:
    """Return a random wager, each kind equally likely: all hops together count as one kind."""
    by_kind: dict[str, list[Spot]] = {}
    for spot in spots:
        kind = "hop" if spot.slug.startswith("hop-") else spot.family
        by_kind.setdefault(kind, []).append(spot)
    return random.pick(random.pick(list(by_kind.values())))


def list_plain_spots(layout: Layout) -> list[Spot]:
    """Return the wagers of a layout, without side bets of several tiers and combined bets.

    A combined bet, such as a horn bet, is booked as several others.
    """
    spots = layout.spots.values()
    return [s for s in spots if not s.tiers and not split_composite(layout, s, find_stake_step(s))]


#: Chances, one in so many: that no point is on, and that another number was thrown after it.
_COME_OUT_ONE_IN, _NUMBER_ONE_IN = 4, 2


def make_busy_table(setup: DrillSetup, random: SeededRandom) -> PracticeTable:
    """Return a table in mid-game. The level decides how many players there are, and their bets.

    Raise NoQuestionError if the shooter has no line bet.
    """
    practice, names = seat_players(setup, random.between(*_PLAYERS_BY_LEVEL[setup.level]), random)
    players = make_players(practice, names, random)
    bet_round(practice, players, random)
    if not practice.table.seat(names[0]).wagers:
        raise NoQuestionError("none.line-taken")
    if setup.level == 1 or not random.one_in(_COME_OUT_ONE_IN):
        _throw_number(practice, random)
        bet_round(practice, players, random)
        if setup.level >= _COME_BETS_LEVEL and random.one_in(_NUMBER_ONE_IN):
            _throw_number(practice, random)
            bet_round(practice, players, random)
    bet_propositions(practice, players, random)
    return practice


def _throw_number(practice: PracticeTable, random: SeededRandom) -> None:
    """Throw a point number that is not the point; ``practice`` changes.

    Raise NoQuestionError if the table accepts no throw.
    """
    numbers = [n for n in practice.setup.house.book.points.value if n != practice.table.point]
    if not practice.throw(*random.pick([faces for faces in OUTCOMES if sum(faces) in numbers])):
        raise NoQuestionError("none.throw")


def make_bet(practice: PracticeTable, name: str, spot: Spot, random: SeededRandom) -> bool:
    """Make a bet of one to four times a usual minimum. Return whether the table accepted it.

    Below level 4 the amount pays in whole chips; from there on it is five to ten minimums.
    """
    option, house = bet_option(practice.table, name, spot.slug), practice.setup.house
    if option.bar is not None:
        return False
    unit = option.step
    if practice.setup.level < _UNEVEN_BETS_LEVEL:
        unit = lcm(unit, find_odds_price(spot, practice.table.point).step(house.chip))
    usual = house.minimum if spot.rule.area == "table" else 0
    least = -(-max(option.least, usual) // unit) * unit
    if least > option.most:
        least = option.least
    high = practice.setup.level >= _HIGH_ROLLERS_LEVEL
    amount = least * random.pick((5, 6, 8, 10) if high else (1, 1, 2, 3, 4))
    amount = amount if amount <= option.most else least
    return practice.say(name, f"{spot.slug} for {format_amount(amount)}")


def find_busy_throw(
    practice: PracticeTable, random: SeededRandom, least: int, usual: bool = False
) -> tuple[tuple[int, int], CrewWork]:
    """Return (dice, crew work) of a random throw with at least ``least`` steps that move money.

    Five throws are tried. Of those with enough steps, half of the time return the one with the most
    kinds of work, otherwise (and always if ``usual``) the first. Four times in five a seven is
    passed over if there is another. Raise NoQuestionError if none has enough steps.
    """
    found: list[tuple[int, tuple[int, int], CrewWork]] = []
    for faces in random.sample(OUTCOMES, _THROWS_TRIED):
        work = list_crew_work(*practice.preview_throw(*faces))
        if len(work.money) >= least:
            found.append((len({(step.act, step.kind) for step in work.money}), faces, work))
    if not found:
        raise NoQuestionError("none.busy-throw")
    if not random.one_in(_SEVEN_ONE_IN):  # A seven has the most work, but there are others.
        found = [one for one in found if sum(one[1]) != SEVEN] or found
    any_will_do = usual or random.one_in(_ANY_THROW_ONE_IN)
    _, faces, work = found[0] if any_will_do else max(found, key=lambda one: one[0])
    return faces, work


class TableThrow(msgspec.Struct, frozen=True, kw_only=True):
    """A throw at a practice table: the game before it, the dice, the roll and the crew's work.

    ``random`` draws what questions about the throw need.
    """

    practice: PracticeTable
    faces: tuple[int, int]
    rolled: Rolled
    work: CrewWork
    random: SeededRandom

    @property
    def setup(self) -> DrillSetup:
        """Return the setup of the practice table."""
        return self.practice.setup

    @property
    def puck(self) -> int:
        """Return the point before the throw, or 0 on a come-out roll."""
        return self.work.table.point

    def list_wins(self) -> list[Settlement]:
        """Return the settlements of the bets that won, in the engine's order."""
        spots = self.setup.layout.spots
        won = (done for done in self.rolled.settlements if done.result == "win" and done.paid)
        return [done for done in won if done.wager in spots]

    def make_stack(self, cents: int) -> Chips:
        """Return the chips of an amount as a player might stack them."""
        return make_stack(self.setup, cents, self.random)

    def add_player(self, question: Question, player: str) -> Question:
        """Return the question with the player's name and rail position added to ``given``."""
        place = self.work.table.seat(player).place
        return replace(question, given={"player": player, "place": place, **question.given})
