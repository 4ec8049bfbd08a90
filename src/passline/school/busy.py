"""Busy tables: players with wagers of every kind, and a throw that gives the crew work to do."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from passline.dice import OUTCOMES
from passline.law.wagers import Come, OddsRule
from passline.layout import Layout, Spot
from passline.layout.amounts import price_of, stake_step
from passline.school.drawing import Draws
from passline.school.questions import Desk, NotAskedError
from passline.school.scenes import Scene, seated, with_point
from passline.school.work import Work, work_of
from passline.table.betting import booked_as
from passline.table.options import may_bet
from passline.talk.says import money_words

#: By level: how many players, and how many wagers each.
_PLAYERS = {1: (1, 1), 2: (1, 2), 3: (2, 3), 4: (3, 4), 5: (4, 5)}
_WAGERS = {1: (1, 2), 2: (2, 3), 3: (2, 3), 4: (2, 4), 5: (3, 4)}
_COMES_LEVEL, _ODD_LEVEL = 3, 4
_THROWS = 5


def pick_spot(spots: Sequence[Spot], draws: Draws) -> Spot:
    """One of these wagers: a kind first, so that hops are no more likely than the field."""
    kinds = list(dict.fromkeys(_kind(spot) for spot in spots))
    kind = draws.pick(kinds)
    return draws.pick([spot for spot in spots if _kind(spot) == kind])


def lying_spots(layout: Layout) -> list[Spot]:
    """The wagers that lie as they are called: no side wagers, none that is booked as its parts."""
    spots = layout.spots.values()
    return [s for s in spots if not s.tiers and not booked_as(layout, s, stake_step(s))]


def _kind(spot: Spot) -> str:
    return spot.slug.partition("-")[0] if spot.slug.startswith("hop-") else spot.family


def busy_scene(desk: Desk, draws: Draws) -> Scene:
    """A table in the middle of a round, or on a come-out: what is up fits the level."""
    scene, names = seated(desk, draws.between(*_PLAYERS[desk.level]), draws)
    point = draws.pick(tuple(desk.house.book.points.value))
    if desk.level == 1 or not draws.one_in(4):
        with_point(scene, names[0], point, draws)
        if desk.level >= _COMES_LEVEL and draws.one_in(2):
            _come_and_go(scene, names, draws)
    else:
        wager_on(scene, names[0], scene.table.layout.spots, draws, line=True)
    for name in names:
        for _ in range(draws.between(*_WAGERS[desk.level])):
            wager_on(scene, name, desk.layout.spots, draws)
        odds_behind(scene, name, draws)
    return scene


def _come_and_go(scene: Scene, names: Sequence[str], draws: Draws) -> None:
    """Come and don't come bets, and a number for them to go to."""
    spots = [s for s in scene.desk.layout.spots.values() if isinstance(s.rule, Come)]
    for name in names:
        for spot in spots:
            if not spot.number and draws.one_in(2):
                make_bet(scene, name, spot, draws)
    totals = [n for n in scene.desk.house.book.points.value if n != scene.table.puck]
    faces = [pair for pair in OUTCOMES if sum(pair) in totals]
    scene.throw(*draws.pick(faces))


def wager_on(
    scene: Scene, name: str, spots: dict[str, Spot], draws: Draws, line: bool = False
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


def make_bet(scene: Scene, name: str, spot: Spot, draws: Draws) -> bool:
    """A bet of a usual size: in units that are paid exactly, below the fourth level."""
    option = may_bet(scene.table, name, spot.slug)
    if option.bar is not None:
        return False
    puck = scene.table.puck
    unit = option.step
    if scene.desk.level < _ODD_LEVEL:
        unit = lcm(option.step, price_of(spot, puck).step(scene.desk.house.chip))
    least = -(-max(option.least, _usual(scene, spot)) // unit) * unit
    if least > option.most:
        least = option.least
    amount = least * draws.pick((1, 1, 2, 3, 4))
    amount = amount if amount <= option.most else least
    return scene.says(name, f"{spot.slug} for {money_words(amount)}")


def _usual(scene: Scene, spot: Spot) -> int:
    return scene.desk.house.minimum if spot.rule.area == "table" else 0


def odds_behind(scene: Scene, name: str, draws: Draws) -> None:
    """Odds behind whatever of this player's takes them, two times of three."""
    spots = scene.desk.layout.spots
    for slug in tuple(scene.table.seat(name).wagers):
        behind = spots[slug].behind
        if behind and not draws.one_in(3):
            make_bet(scene, name, spots[behind], draws)


def throw_for(scene: Scene, draws: Draws, least: int) -> tuple[tuple[int, int], Work]:
    """A throw that gives the crew at least so many things to take, pay and place: of several the
    one with the most kinds of work."""
    found: list[tuple[int, tuple[int, int], Work]] = []
    for faces in draws.some(OUTCOMES, _THROWS):
        work = work_of(*scene.rolled(*faces))
        if len(work.money) >= least:
            found.append((len({(step.act, step.kind) for step in work.money}), faces, work))
    if not found:
        raise NotAskedError("nothing is decided at this table")
    _, faces, work = max(found, key=lambda one: one[0])
    return faces, work
