"""The drill ``positions``: where a player's bet goes on the layout, and whose bet a stack is."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec

from passline.felt.areas import find_area
from passline.felt.layout_contents import find_layout_contents
from passline.game.law.wagers import FeltArea
from passline.game.layout.spots import Layout, Spot
from passline.game.layout.wager_checks import find_bounds
from passline.game.table.state import Table
from passline.game.table.table_ends import PLACES
from passline.game.words.school import say_school
from passline.school.drill import Drill
from passline.school.explanations import describe_position, find_position_clauses, measure_layout
from passline.school.practice_players import is_worth_vig
from passline.school.practice_tables import (
    PLAYER_NAMES,
    PracticeTable,
    establish_point,
    list_plain_spots,
    pick_spot,
    seat_players,
)
from passline.school.question_types import (
    DrillSetup,
    NoQuestionError,
    Question,
    pick_wrong_choices,
)
from passline.school.seeded_random import SeededRandom
from passline.talk.canonical import format_amount

#: The parts of the layout that each level asks about; above level 2, all of them.
_AREAS_BY_LEVEL: dict[int, tuple[FeltArea, ...]] = {
    1: ("pass", "dont-pass", "pass-odds", "come", "field", "place"),
    2: ("pass-odds", "dont-pass-odds", "come", "dont-come", "place", "box", "behind", "hard"),
}
#: Parts of the layout in which every player has a share, so that the share shows whose bet it is.
_SHARED_AREAS: tuple[FeltArea, ...] = ("place", "pass", "dont-pass", "come", "field", "box")
_CHOICES_BY_LEVEL = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6}
_WHOSE_BET_LEVEL = 2
#: One question in this many is about a side wager, if the house has any.
_SIDE_WAGER_ONE_IN = 8


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    if setup.level >= _WHOSE_BET_LEVEL and random.one_in(2):
        return _make_whose_question(setup, random)
    return _make_where_question(setup, random)


def _make_where_question(setup: DrillSetup, random: SeededRandom) -> Question:
    """Return a question: where on the layout does the bet of a player at some rail position go?

    Raise NoQuestionError if the house has no fitting wager.
    """
    layout = setup.layout
    areas = _AREAS_BY_LEVEL.get(setup.level)
    sides = [s for s in layout.spots.values() if s.tiers]  # fire and bonus spots
    every = [*list_plain_spots(layout), *sides]
    spots = [s for s in every if areas is None or find_area(layout, s) in areas]
    if sides and areas is None and random.one_in(_SIDE_WAGER_ONE_IN):
        spots = sides
    if not spots:
        raise NoQuestionError("positions.none", book=setup.house.book.title)
    spot, place = pick_spot(spots, random), random.between(1, PLACES)
    right = describe_position(layout, spot, place)
    others = _list_wrong_positions(setup, spot, place, right, random)
    wrong = pick_wrong_choices(right, others, _CHOICES_BY_LEVEL[setup.level] - 1, random)
    same = [words for words in _describe_neighbors(layout, spot, place) if words != right]
    if same and not {*same} & {*wrong}:
        wrong[-1] = random.pick(same)  # Otherwise the name of the bet would tell.
    choices = random.shuffled([right, *wrong])
    end = measure_layout(layout).find_end(place).name
    seat: dict[str, Any] = {"wager": spot.slug, "place": place}
    practice = PracticeTable(setup)
    practice.seat(PLAYER_NAMES[0], place)
    return Question(
        drill="positions",
        ask=say_school("positions.ask-where", **seat),
        given={
            **seat,
            "end": end,
            "how": say_school("positions.how"),
            "record": practice.record_text,
            "choices": choices,
        },
        answer={"choice": choices.index(right)},
        explain=(
            say_school("positions.where", end=end, where=right, **seat),
            say_school("positions.rule"),
        ),
        cite=setup.cites(*find_position_clauses(layout, spot)),
    )


def _list_wrong_positions(
    setup: DrillSetup, spot: Spot, place: int, right: str, random: SeededRandom
) -> list[str]:
    """Return descriptions of wrong positions, to be offered beside the right one.

    They are the same bet of other players at this end, and other bets of the player at ``place``.
    """
    layout = setup.layout
    found = random.shuffled(_describe_neighbors(layout, spot, place))
    areas = _AREAS_BY_LEVEL.get(setup.level)
    plain = list_plain_spots(layout) if areas is None else layout.spots.values()
    more = [s for s in plain if areas is None or find_area(layout, s) in areas]
    found += [describe_position(layout, other, place) for other in random.shuffled(more)]
    kept = [words for words in dict.fromkeys(found) if words != right]
    mine, others = kept[: len(kept) // 2], kept[len(kept) // 2 :]
    both = [words for pair in zip(mine, others, strict=False) for words in pair]
    return both or kept


def _describe_neighbors(layout: Layout, spot: Spot, place: int) -> list[str]:
    """Return in words where the other players at this end have the same bet."""
    end = measure_layout(layout).find_end(place)
    beside = [p for p in range(end.first, end.last + 1) if p != place]
    return [describe_position(layout, spot, other) for other in beside]


def _make_whose_question(setup: DrillSetup, random: SeededRandom) -> Question:
    """Return a question: which player made the bet that a marked stack shows?

    Raise NoQuestionError if the house has no fitting wager.
    """
    layout = setup.layout
    practice, names = seat_players(setup, random.between(3, 4 if setup.level < 4 else 6), random)
    spots = [s for s in layout.spots.values() if find_area(layout, s) in _SHARED_AREAS]
    establish_point(practice, names[0], random.pick(tuple(setup.house.book.points.value)), random)
    spots = random.shuffled(spots)
    for spot in spots:
        least = find_bounds(layout, spot, 0, {}).least
        if not is_worth_vig(setup.house, spot, least):
            least = next(n * least for n in count(2) if is_worth_vig(setup.house, spot, n * least))
        wager = f"{spot.slug} for {format_amount(least)}"
        up = [name for name in names[1:] if practice.say(name, wager)]
        if len(up) > 1:
            return _make_marked_stack_question(setup, practice.table, spot, random.pick(up), random)
    raise NoQuestionError("positions.no-two")


def _make_marked_stack_question(
    setup: DrillSetup, table: Table, spot: Spot, owner: str, random: SeededRandom
) -> Question:
    lie = find_layout_contents(table)
    stacks = random.shuffled(lie.stacks)
    marked = next(
        n for n, stack in enumerate(stacks) if stack.slug == spot.slug and stack.player == owner
    )
    seats = random.shuffled(table.seats)
    names = [seat.id for seat in seats]
    shown = [msgspec.to_builtins(stack) for stack in stacks]
    for stack in shown:
        del stack["player"]
    plates = [
        {"player": plate.player, "place": plate.place, "end": plate.end, "at": plate.at}
        for plate in lie.plates
    ]
    place = table.seat(owner).place
    where = describe_position(setup.layout, spot, place)
    return Question(
        drill="positions",
        ask=say_school("positions.ask-whose", wager=spot.slug),
        given={
            "felt": {"stacks": shown, "players": msgspec.to_builtins(plates)},
            "marked": marked,
            "how": say_school("positions.how"),
            "place": where,
            "end": measure_layout(setup.layout).find_end(place).name,
            "choices": [
                say_school("positions.player", player=seat.id, place=seat.place) for seat in seats
            ],
        },
        answer={"choice": names.index(owner)},
        explain=(
            say_school("positions.whose", player=owner, place=place, where=where),
            say_school("positions.rule"),
        ),
        cite=setup.cites(*find_position_clauses(setup.layout, spot)),
    )


DRILL = Drill(
    name="positions",
    teaching_order=20,
    seconds=12,
    make_question=_make_question,
    ignored_when_compared=("choices", "record"),
)
