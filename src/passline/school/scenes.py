"""Tables to ask about: players seated, wagers made, dice thrown, all of it a record that deals."""

from __future__ import annotations

from collections.abc import Sequence

from passline.dice import OUTCOMES
from passline.house.terms import elections_of
from passline.law.wagers import Line
from passline.layout import Spot
from passline.layout.amounts import bounds
from passline.record.deal import play_line
from passline.record.read import RecordLine
from passline.school.drawing import Draws
from passline.school.questions import Desk, NotAskedError
from passline.table import Table, evolve
from passline.table.events import Rolled
from passline.table.opening import PLACES, tell_opening
from passline.talk.same_bet import Memory
from passline.talk.says import money_words

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "joe")
#: Every player has so many times the table's minimum, and no less than this, in cents.
_RAIL_TIMES, _LEAST_RAIL = 400, 500_000


class Scene:
    """A game as it is made up: each line is dealt as it is said, and only what is taken is kept."""

    def __init__(self, desk: Desk) -> None:
        house = desk.house
        self.desk = desk
        self.table = evolve(Table(layout=desk.layout), tell_opening(house))
        self._memory: Memory = {}
        self._lines: list[str] = []
        self._header = [f"rulebook: {house.book.id}", f"game: {house.game}"]
        self._header += [f"house.{key}: {value}" for key, value in elections_of(house).items()]

    @property
    def text(self) -> str:
        """The record: dealing it gives this table."""
        return "\n".join([*self._header, "", *self._lines]) + "\n"

    def seat(self, name: str, place: int) -> None:
        """A player comes up to the table, with chips for any wager of the house."""
        rail = max(self.desk.house.minimum * _RAIL_TIMES, _LEAST_RAIL)
        rail += -rail % self.desk.house.chip
        if not self.happens(f"{name} joins for {money_words(rail)} at {place}"):
            raise NotAskedError("nobody is seated here")

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
        for entry, after in play_line(table, line, memory):
            if entry.refusal is not None:
                return False
            table = after
        self.table, self._memory = table, memory
        self._lines.append(line.text)
        return True

    def rolled(self, first: int, second: int) -> tuple[Table, Rolled]:
        """What a throw would do now: the table as it stands before it, and the throw."""
        before = self.table
        for entry, _ in play_line(before, RecordLine(number=0, text=f"roll {first} {second}"), {}):
            for event in entry.events:
                if isinstance(event, Rolled):
                    return before, event
                before = evolve(before, event)
        raise NotAskedError("nobody could throw here")


def line_spot(desk: Desk, right: bool = True) -> Spot:
    """The line wager of a side: pass, or don't pass."""
    wins = "number" if right else "seven"
    for spot in desk.layout.spots.values():
        if isinstance(spot.rule, Line) and spot.rule.wins.value == wins:
            return spot
    raise NotAskedError(f"{desk.house.book.id} has no such line")


def faces_of(total: int, draws: Draws) -> tuple[int, int]:
    """Two dice that make a total."""
    return draws.pick([faces for faces in OUTCOMES if sum(faces) == total])


def with_point(scene: Scene, shooter: str, point: int, draws: Draws) -> None:
    """The shooter bets the line, and the point is thrown."""
    spot = line_spot(scene.desk)
    least = bounds(scene.desk.layout, spot, 0, {}).least
    if not scene.says(shooter, f"{spot.slug} for {money_words(least)}"):
        raise NotAskedError("the shooter's line wager is not taken")
    if not scene.throw(*faces_of(point, draws)):
        raise NotAskedError("nobody could throw here")


def table_with(desk: Desk, puck: int | None, name: str = "ann", place: int = 3) -> Table:
    """A table with one player at a place, who has the line; its puck on a number, or off."""
    scene = Scene(desk)
    scene.seat(name, place)
    if puck:
        with_point(scene, name, puck, Draws("point"))
    return scene.table


def seated(desk: Desk, count: int, draws: Draws) -> tuple[Scene, Sequence[str]]:
    """A table with so many players at places drawn: at the left end alone up to the second level,
    at both ends above; in the order of their places."""
    last = PLACES if desk.level > 2 else PLACES // 2
    places = sorted(draws.some(range(1, last + 1), count))
    if desk.level > 2 and count > 1 and places[0] > PLACES // 2:
        places[0] = draws.between(1, PLACES // 2)
    scene, names = Scene(desk), NAMES[:count]
    for name, place in zip(names, places, strict=True):
        scene.seat(name, place)
    return scene, names
