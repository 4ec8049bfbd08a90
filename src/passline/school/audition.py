"""The audition: a mixed game on one end of a busy table, and what is asked of its throws.

The engine plays the table; the seed decides who bets what and how the dice fall, and so every
question, whoever answers and however long it takes. Questions are the drills' own, posed on what
lies on that table.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from passline.dice import OUTCOMES
from passline.law.wagers import Line, OddsRule
from passline.layout import Layout, Settlement
from passline.money import dollars
from passline.money.chips import Chips
from passline.school.busy import odds_behind, wager_on
from passline.school.drawing import Draws
from passline.school.drills.calls import call_question
from passline.school.drills.errors import error_question
from passline.school.drills.lines import line_question
from passline.school.drills.order import order_question
from passline.school.drills.payoffs import payoff_question
from passline.school.drills.press import press_question
from passline.school.questions import Desk, NotAskedError, Question
from passline.school.scenes import NAMES, Scene
from passline.school.stakes import stack_for
from passline.school.work import Work, work_of
from passline.table.events import Rolled
from passline.table.opening import PLACES

#: Everything at once: chips as the manual pays them, and bets that do not come out even.
LEVEL = 4
#: What is asked, and how often: at the pace of a working dealer a quarter of an hour.
MIX = {"payoffs": 10, "lines": 4, "press": 4, "calls": 5, "order": 4, "errors": 3}
_PLAYERS, _UP = 5, 4
_A_THROW, _MOST_THROWS = 3, 60
_LEAST_WORK = 3


class Audition(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of a seed at a house, numbered from one."""

    seed: str
    rulebook: str
    house: str
    questions: tuple[Question, ...]

    @property
    def digest(self) -> str:
        """What tells this audition from any other: of all its questions with their answers."""
        text = json.dumps(msgspec.to_builtins(self), sort_keys=True)
        return sha256(text.encode()).hexdigest()


class _Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A throw at the table: what lay there, the dice, what happened and what the crew does."""

    desk: Desk
    scene: Scene
    record: str
    faces: tuple[int, int]
    rolled: Rolled
    work: Work
    draws: Draws

    @property
    def puck(self) -> int:
        """The point that was on before the throw; 0 on a come-out."""
        return self.work.table.puck

    def wins(self) -> list[Settlement]:
        """What won at a price, in the engine's order."""
        spots = self.desk.layout.spots
        return [
            done
            for done in self.rolled.settlements
            if done.result == "win" and done.paid and done.wager in spots
        ]

    def stack(self, cents: int) -> Chips:
        """An amount as its player stacked it."""
        return stack_for(self.desk, cents, self.draws)

    def of(self, question: Question, player: str) -> Question:
        """A question about one player's bet, who is named in it."""
        place = self.work.table.seat(player).place
        return replace(question, given={"player": player, "place": place, **question.given})


def hold_audition(felt: Layout, seed: str) -> Audition:
    """The audition of a seed at a house's table. NotAskedError where nothing can be asked there."""
    desk, draws = Desk(felt, LEVEL), Draws(seed, "audition")
    scene = Scene(desk)
    places = sorted(draws.some(range(1, PLACES // 2 + 1), _PLAYERS))
    names = NAMES[: len(places)]
    for name, place in zip(names, places, strict=True):
        scene.seat(name, place)
    wanted, found = Counter(MIX), list[Question]()
    for _ in range(_MOST_THROWS):
        if not wanted.total():
            break
        _bets(scene, draws)
        moment = _thrown(scene, draws)
        if moment is None:
            break
        found += _asked(moment, wanted)
        scene.throw(*moment.faces)
    if not found:
        raise NotAskedError(f"{felt.house.book.id} has nothing to ask at an audition")
    numbered = tuple(replace(question, n=n) for n, question in enumerate(found, 1))
    house = felt.house
    return Audition(seed=seed, rulebook=house.book.id, house=house.name, questions=numbered)


def _bets(scene: Scene, draws: Draws) -> None:
    """Everybody has something up: on a come-out a line bet, always a few others, with odds."""
    spots = scene.desk.layout.spots
    lines = {slug: spot for slug, spot in spots.items() if isinstance(spot.rule, Line)}
    for seat in scene.table.seats:
        if not scene.table.puck and not lines.keys() & seat.wagers.keys():
            first = seat.id == scene.table.shooter or not draws.one_in(4)
            wager_on(scene, seat.id, lines, draws, line=first)
        for _ in range(max(0, _UP - len(scene.table.seat(seat.id).wagers))):
            wager_on(scene, seat.id, spots, draws)
        odds_behind(scene, seat.id, draws)


def _thrown(scene: Scene, draws: Draws) -> _Moment | None:
    """The next throw; None where the house lets nobody throw."""
    faces = draws.pick(OUTCOMES)
    try:
        table, rolled = scene.rolled(*faces)
    except NotAskedError:
        return None
    return _Moment(
        desk=scene.desk,
        scene=scene,
        record=scene.text,
        faces=faces,
        rolled=rolled,
        work=work_of(table, rolled),
        draws=draws,
    )


def _asked(moment: _Moment, wanted: Counter[str]) -> Iterator[Question]:
    """What is asked of a throw: a few of the kinds that are still wanted, each once. A list of
    what somebody did would tell the order of work: of those two one is asked."""
    left, told = _A_THROW, False
    for kind in moment.draws.shuffled(list(_KINDS)):
        if not left or not wanted[kind] or (told and kind in _TELLING):
            continue
        try:
            question = next(_KINDS[kind](moment), None)
        except NotAskedError:
            continue
        if question is not None:
            wanted[kind] -= 1
            left -= 1
            told = told or kind in _TELLING
            yield question


def _payoffs(moment: _Moment) -> Iterator[Question]:
    layout, index = moment.desk.layout, OUTCOMES.index(moment.faces)
    for done in moment.draws.shuffled(moment.wins()):
        spot = layout.spots[done.wager]
        if not spot.tiers and not isinstance(spot.rule, Line):
            stack = moment.stack(done.stake)
            pose = partial(payoff_question, moment.desk, spot, stack, moment.puck, index)
            yield from _posed(moment, done.player, done.paid, pose)


def _lines(moment: _Moment) -> Iterator[Question]:
    layout, index = moment.desk.layout, OUTCOMES.index(moment.faces)
    won = {(done.player, done.wager): done for done in moment.wins()}
    for (player, slug), odds in won.items():
        spot = layout.spots[slug]
        flat = won.get((player, spot.flat)) if isinstance(spot.rule, OddsRule) else None
        if flat is None or not isinstance(layout.spots[flat.wager].rule, Line):
            continue
        stacks = (moment.stack(flat.stake), moment.stack(odds.stake))
        pose = partial(line_question, moment.desk, spot, stacks, moment.puck, index)
        yield from _posed(moment, player, flat.paid + odds.paid, pose)


def _posed(
    moment: _Moment, player: str, paid: int, pose: Callable[[], Question]
) -> Iterator[Question]:
    """A question of a payoff, where it is asked at all: it must be what this table pays."""
    try:
        question = pose()
    except NotAskedError:
        return
    if question.answer["paid"] == dollars(paid):
        yield moment.of(question, player)


def _presses(moment: _Moment) -> Iterator[Question]:
    """A place bet that won: pressed a unit, two, or doubled."""
    for done in moment.wins():
        spot = moment.desk.layout.spots[done.wager]
        if spot.slug != f"place-win-{spot.number}":
            continue
        unit = spot.odds.stake * max(100, moment.desk.house.chip)
        to = done.stake + moment.draws.pick((unit, 2 * unit, done.stake))
        try:
            question = press_question(moment.desk, (spot.number,), done.stake, to)
        except NotAskedError:
            continue
        yield moment.of(question, done.player)


def _calls(moment: _Moment) -> Iterator[Question]:
    if moment.work.steps:
        yield call_question(moment.desk, moment.scene, moment.faces, moment.work)


def _orders(moment: _Moment) -> Iterator[Question]:
    if len(moment.work.money) >= _LEAST_WORK:
        yield order_question(moment.desk, moment.record, moment.faces, moment.work)


def _errors(moment: _Moment) -> Iterator[Question]:
    if len(moment.work.money) >= _LEAST_WORK:
        yield error_question(moment.desk, moment.record, moment.faces, moment.work, moment.draws)


_KINDS: dict[str, Callable[[_Moment], Iterator[Question]]] = {
    "payoffs": _payoffs,
    "lines": _lines,
    "press": _presses,
    "calls": _calls,
    "order": _orders,
    "errors": _errors,
}
_TELLING = ("order", "errors")
