"""Whose bet is this, and where does it go: ``positions``."""

from __future__ import annotations

from typing import Any

import msgspec

from passline.felt import lie_of
from passline.felt.areas import FeltArea, area_of
from passline.layout import Spot
from passline.layout.amounts import bounds
from passline.school.busy import lying_spots, pick_spot
from passline.school.drawing import Draws
from passline.school.drills.terms import mark_choice
from passline.school.placing import measures_of, place_cites, where_words
from passline.school.questions import Desk, Drill, Mark, NotAskedError, Question
from passline.school.scenes import seated, with_point
from passline.table import Table
from passline.table.opening import PLACES
from passline.talk.says import money_words
from passline.words.wagers import layout_name

#: In which order the parts of the felt are learned.
_BY_LEVEL: dict[int, tuple[FeltArea, ...]] = {
    1: ("pass", "dont-pass", "pass-odds", "come", "field", "place"),
    2: ("pass-odds", "dont-pass-odds", "come", "dont-come", "place", "box", "behind", "hard"),
}
#: Parts of the felt in which everybody has a share, so that it tells whose a bet is.
_SHARED: tuple[FeltArea, ...] = ("place", "pass", "dont-pass", "come", "field", "box")
_CHOICES = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}
_FELT_LEVEL = 2
#: One question in so many is of a side wager, where the house has any.
_SIDES = 8


def _pose(desk: Desk, draws: Draws) -> Question:
    if desk.level >= _FELT_LEVEL and draws.one_in(2):
        return _whose(desk, draws)
    return _where(desk, draws)


def _where(desk: Desk, draws: Draws) -> Question:
    """A wager and a place at the rail: where on the felt it goes."""
    layout = desk.layout
    areas = _BY_LEVEL.get(desk.level)
    sides = [s for s in layout.spots.values() if s.tiers]  # fire and bonus spots
    every = [*lying_spots(layout), *sides]
    spots = [s for s in every if areas is None or area_of(layout, s) in areas]
    if sides and areas is None and draws.one_in(_SIDES):
        spots = sides
    if not spots:
        raise NotAskedError(f"{desk.house.book.id} has no felt to ask about")
    spot, place = pick_spot(spots, draws), draws.between(1, PLACES)
    right = where_words(layout, spot, place)
    others = _elsewhere(desk, spot, place, right, draws)
    choices = draws.shuffled([right, *others[: _CHOICES[desk.level] - 1]])
    end = measures_of(layout).frame(place).name
    return Question(
        drill="positions",
        ask=f"Where does the {layout_name(spot.slug)} of the player at place {place} go?",
        given={"wager": spot.slug, "place": place, "end": end, "choices": choices},
        answer={"choice": choices.index(right)},
        explain=(f"{layout_name(spot.slug)} of place {place}, {end} end: {right}", _mirrors()),
        cite=desk.cites(*place_cites(layout, spot)),
    )


def _mirrors() -> str:
    return (
        "a bet lies where its player stands: along the stick's side in front, round the end "
        "behind, the nearest to the center first"
    )


def _elsewhere(desk: Desk, spot: Spot, place: int, right: str, draws: Draws) -> list[str]:
    """Where it does not go: the same wager of somebody else's, other wagers of this player."""
    layout = desk.layout
    end = measures_of(layout).frame(place)
    beside = [p for p in range(end.first, end.last + 1) if p != place]
    found = [where_words(layout, spot, other) for other in draws.shuffled(beside)]
    areas = _BY_LEVEL.get(desk.level, _BY_LEVEL[2])
    more = [s for s in layout.spots.values() if area_of(layout, s) in areas]
    found += [where_words(layout, other, place) for other in draws.shuffled(more)]
    kept = [words for words in dict.fromkeys(found) if words != right]
    mine, others = kept[: len(kept) // 2], kept[len(kept) // 2 :]
    both = [words for pair in zip(mine, others, strict=False) for words in pair]
    return both or kept


def _whose(desk: Desk, draws: Draws) -> Question:
    """The felt as it lies: whose is the stack that is pointed at?"""
    layout = desk.layout
    scene, names = seated(desk, draws.between(3, 4 if desk.level < 4 else 6), draws)
    spots = [s for s in layout.spots.values() if area_of(layout, s) in _SHARED]
    with_point(scene, names[0], draws.pick(tuple(desk.house.book.points.value)), draws)
    spots = draws.shuffled(spots)
    for spot in spots:
        least = bounds(layout, spot, 0, {}).least
        wager = f"{spot.slug} for {money_words(least)}"
        up = [name for name in names[1:] if scene.says(name, wager)]
        if len(up) > 1:
            return _pointed_at(desk, scene.table, spot, draws.pick(up), draws)
    raise NotAskedError("nobody's bets lie side by side here")


def _pointed_at(desk: Desk, table: Table, spot: Spot, owner: str, draws: Draws) -> Question:
    lie = lie_of(table)
    stacks = draws.shuffled(lie.stacks)
    marked = next(
        n for n, stack in enumerate(stacks) if stack.slug == spot.slug and stack.player == owner
    )
    names = [seat.id for seat in table.seats]
    shown = [msgspec.to_builtins(stack) for stack in stacks]
    for stack in shown:
        del stack["player"]
    plates = [
        {"player": plate.player, "place": plate.place, "end": plate.end, "at": plate.at}
        for plate in lie.plates
    ]
    place = table.seat(owner).place
    where = where_words(desk.layout, spot, place)
    return Question(
        drill="positions",
        ask=f"Whose {layout_name(spot.slug)} is the stack that is marked?",
        given={
            "felt": {"stacks": shown, "players": msgspec.to_builtins(plates)},
            "marked": marked,
            "place": where,
            "end": measures_of(desk.layout).frame(place).name,
            "choices": [f"{seat.id}, at place {seat.place}" for seat in table.seats],
        },
        answer={"choice": names.index(owner)},
        explain=(f"{owner} stands at place {place}: {where}", _mirrors()),
        cite=desk.cites(*place_cites(desk.layout, spot)),
    )


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    return mark_choice(question, answer)


DRILL = Drill(
    name="positions",
    trains="whose bet is this, and where does it go",
    pose=_pose,
    mark=_mark,
)
