"""The felt as text: the plan on a grid of characters, with the total bet in each zone."""

from __future__ import annotations

from collections.abc import Iterator

from passline.felt.geometry import Point, Rectangle
from passline.felt.layout_contents import LayoutContents
from passline.felt.layout_zones import PrintedText, Zone
from passline.felt.plan import FeltPlan
from passline.game.money.amounts import from_dollars, show_dollars
from passline.text import escape_unprintable

#: The neighbors to which a line continues.
_UP, _RIGHT, _DOWN, _LEFT = 1, 2, 4, 8
_BOX_CHARACTERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
#: Kinds of zones that are too small for a grid of characters.
_SKIPPED_ZONES = ("circles", "fire", "fire-box", "bonus-button", "hop", "pass-odds", "head")
#: The width of a character relative to its height, and the columns of each view.
_CHARACTER_ASPECT = 0.7
_VIEW_COLUMNS = {"whole": 156, "center": 60}
_END_COLUMNS = 88


class _CharacterGrid:
    """A grid of characters with words and lines, which shows the rectangle `view` of the felt.

    With `flipped` it is turned by half a circle: left and right change places, and top and bottom.
    Words stay upright.
    """

    def __init__(self, view: Rectangle, columns: int, flipped: bool = False) -> None:
        self.view = view
        self.flipped = flipped
        self.columns = columns
        self.rows = max(8, round(columns * view.height / view.width * _CHARACTER_ASPECT))
        self.lines = [[0] * columns for _ in range(self.rows)]
        self.words: dict[tuple[int, int], str] = {}

    def cell(self, point: Point) -> tuple[int, int]:
        """Return (row, column) of a point of the felt."""
        view = self.view
        across = (point.x - view.left) / view.width * (self.columns - 1)
        down = (point.y - view.top) / view.height * (self.rows - 1)
        if self.flipped:
            across, down = self.columns - 1 - across, self.rows - 1 - down
        return round(down), round(across)

    def line(self, one: Point, two: Point) -> None:
        """Draw a horizontal or vertical line between two points; do nothing for any other line."""
        (top, left), (bottom, right) = sorted((self.cell(one), self.cell(two)))
        if top == bottom:
            for column in range(left, right + 1):
                links = _RIGHT * (column < right) | _LEFT * (column > left)
                self._link(top, column, links)
        elif left == right:
            for row in range(top, bottom + 1):
                self._link(row, left, _DOWN * (row < bottom) | _UP * (row > top))

    def _link(self, row: int, column: int, links: int) -> None:
        if 0 <= row < self.rows and 0 <= column < self.columns:
            self.lines[row][column] |= links

    def write(self, words: str, at: Point, room: Rectangle, down: bool = False) -> bool:
        """Write words into the grid around a point, cut to `room`; with `down`, vertically.

        Write nothing and return False if a figure would be cut off, or other words or lines are in
        the way.
        """
        corners = self.cell(Point(*room[:2])), self.cell(Point(*room[2:]))
        (top, left), (bottom, right) = sorted(corners)
        row, column = self.cell(at)
        free = max((bottom - top if down else right - left) - 1, 0)
        if len(words) > free and any(char.isdigit() for char in words):
            return False  # Never cut off a figure.
        words = words[:free]
        if down:
            cells = [(row - len(words) // 2 + n, column) for n in range(len(words))]
        else:
            start = min(max(column - len(words) // 2, left + 1), right - len(words))
            cells = [(row, start + n) for n in range(len(words))]
        if not all(self._free(*cell) for cell in cells):
            return False
        self.words.update(zip(cells, words, strict=True))
        return True

    def _free(self, row: int, column: int) -> bool:
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return inside and (row, column) not in self.words and not self.lines[row][column]

    def text(self) -> Iterator[str]:
        """Yield the rows of the grid as lines of text."""
        for row, links in enumerate(self.lines):
            shown = [
                self.words.get((row, n)) or _BOX_CHARACTERS[link] for n, link in enumerate(links)
            ]
            yield "".join(shown).rstrip()


def _list_printed_texts(zone: Zone) -> list[PrintedText]:
    """Return what is printed in a zone, without the small print. Dice become text such as "3-3"."""
    words = [words for words in zone.prints if words.kind != "fine"]
    return words + [
        PrintedText(text=f"{pips.first}-{pips.second}", at=pips.at, size=pips.size, kind="number")
        for pips in zone.pips
    ]


def draw_text(
    plan: FeltPlan,
    contents: LayoutContents,
    view: str = "whole",
    most: int = 0,
    flipped: bool = False,
) -> str:
    """Return the felt in characters, with a list of each player's wagers under it.

    `view` names a view of the plan, such as "end:left". `most` is the most columns; 0 means no
    limit. With `flipped` the felt is drawn as the base dealers see it.
    """
    columns = _VIEW_COLUMNS.get(view, _END_COLUMNS)
    grid = _CharacterGrid(plan.views[view], min(columns, most) if most else columns, flipped)
    end = view.rpartition(":")[2]
    zones = [z for z in plan.zones if z.kind not in _SKIPPED_ZONES and end in ("whole", z.end)]
    for zone in zones:
        for one, two in zone.shape.edges():
            grid.line(one, two)
    for zone in zones:
        printed = sorted(_list_printed_texts(zone), key=lambda words: -words.size)
        for index, words in enumerate(printed):
            grid.write(words.text, words.at, zone.shape.bounding_box, bool(words.turn))
            if index == 0:  # The amount goes before all but the largest words.
                _write_sum(grid, zone, contents)
        if not printed:
            _write_sum(grid, zone, contents)
    for puck in contents.pucks:
        grid.write("ON" if puck.on else "OFF", puck.at, puck.at.surround(60, 60))
    for plate in contents.plates:
        room = plate.at.surround(60, 60)
        grid.write(escape_unprintable(plate.name), plate.at, room, bool(plate.turn))
    picture = "\n".join(grid.text()).strip("\n")
    return "\n".join([picture, *list_stacks(contents)]) + "\n"


def _write_sum(grid: _CharacterGrid, zone: Zone, contents: LayoutContents) -> None:
    """Write the total of the bets in a zone into the grid, unless there are none."""
    there = [s for s in contents.stacks if s.slug in zone.slugs and zone.shape.contains(s.at)]
    if cents := sum(from_dollars(stack.amount) for stack in there):
        box, shown = zone.shape.bounding_box, show_dollars(cents)
        if not grid.write(shown, _find_sum_point(zone), box):
            grid.write(shown, box.center, box)  # Such as in a strip that is one row high.


def list_stacks(contents: LayoutContents) -> Iterator[str]:
    """Yield a line for each player that lists the player's wagers."""
    by_player: dict[str, list[str]] = {}
    for stack in contents.stacks:
        amount = show_dollars(from_dollars(stack.amount))
        state = "" if stack.working else " off"
        by_player.setdefault(stack.player, []).append(f"{stack.name} {amount}{state}")
    for player, wagers in by_player.items():
        yield escape_unprintable(f"{player}: {', '.join(wagers)}")


def _find_sum_point(zone: Zone) -> Point:
    """Return where to write the total bet in a zone: below its words."""
    box = zone.shape.bounding_box
    if len(zone.shape.points) == 4:
        return Point(box.center.x, box.top + box.height * 0.72)
    inner = zone.shape.points[-1 if zone.end == "left" else 2]
    return Point(
        box.left + box.width * (0.1 if zone.end == "left" else 0.9), (inner.y + box.bottom) / 2
    )
