"""Pucks and buttons, and who is told: what the crew does after the money."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from passline.crew import ends
from passline.crew.facts import Occasion
from passline.crew.tasks import Task, TaskVerb
from passline.law.wagers import Collect
from passline.table import Table
from passline.table.custody import automated
from passline.table.events import Rolled


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A marker's clause by rulebook, and a count where one is given."""

    cite: dict[str, str]
    also: dict[str, tuple[str, ...]] = {}
    at: dict[str, int] = {}
    custom: str = ""

    def cited(self, book: str) -> str:
        """The book's clause, or the custom."""
        return self.cite.get(book, f"custom: {self.custom}")


@cache
def notes() -> dict[str, Note]:
    """What ``markers.toml`` has, by name."""
    text = resources.files("passline.crew").joinpath("markers.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, Note])


def marker_tasks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """Pucks first, then the buttons of side wagers, then the dice on their way."""
    yield from _pucks(table, rolled, occasion)
    yield from _fire(table, rolled)
    yield from _bonus(table, rolled)
    yield from _shootout(table, rolled, occasion)


def _task(
    table: Table, post: str, name: str, do: TaskVerb, words: str, end: ends.End | None = None
) -> Task:
    return Task(
        by=ends.named(table, post, end or "left"),
        post=post,
        end=end or "",
        do=do,
        words=words,
        cite=notes()[name].cited(table.house.book.id),
    )


def _pucks(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    both = ends.ENDS[:1] if automated(table) or ends.count_bases(table) == 1 else ends.ENDS
    if occasion == "established":
        for end in both:
            yield _task(table, "base", "puck-on", "mark", f"puts the puck ON {rolled.puck}", end)
        what = "both pucks stand" if len(both) > 1 else "the puck stands"
        words = f"checks that {what} on {rolled.puck}"
        yield _task(table, "stick", "puck-check", "verify", words)
    elif occasion in {"made", "seven-out"}:
        for end in both:
            words = f"takes the puck off {rolled.was} and turns it OFF"
            yield _task(table, "base", "puck-off", "mark", words, end)
    elif rolled.special:
        words = f"keeps the puck OFF before {rolled.shooter}: only come wagers are decided"
        yield _task(
            table, "base", "puck-special", "mark", words, ends.end_of(table, rolled.shooter)
        )


def _riding(table: Table, counts: str) -> bool:
    """Whether a side wager is up that gathers such things."""
    rules = [table.layout.spots[slug].rule for _, wagers in table.everybody() for slug in wagers]
    return any(isinstance(rule, Collect) and rule.counts.value == counts for rule in rules)


def _fire(table: Table, rolled: Rolled) -> Iterator[Task]:
    """A marker with the running count on each new point; surveillance at the book's count."""
    if not _riding(table, "points-made"):
        return
    book = table.house.book.id
    new = set(rolled.made) - table.made
    for point in sorted(new):
        count = len(table.made | {point})
        words = f"puts fire marker {count} on the {point}"
        yield _task(table, "base", "fire-marker", "button", words)
        if count == notes()["surveillance"].at.get(book):
            words = f"tells surveillance: {count} points made, fire wagers up"
            yield _task(table, "box", "surveillance", "notify", words)
    if table.made and not rolled.made:
        yield _task(table, "base", "fire-clear", "clear", "takes the fire markers in")


def _bonus(table: Table, rolled: Rolled) -> Iterator[Task]:
    """A button on each new total; all of them off on a seven."""
    if not _riding(table, "totals-thrown"):
        return
    total = rolled.first + rolled.second
    if total in rolled.thrown and total not in table.thrown:
        words = f"puts the bonus button on the {total}"
        yield _task(table, "base", "bonus-button", "button", words)
    elif table.thrown and not rolled.thrown:
        yield _task(table, "base", "bonus-clear", "clear", "clears the bonus buttons")


def _shootout(table: Table, rolled: Rolled, occasion: Occasion) -> Iterator[Task]:
    """The promotion's own buttons; when all are up a supervisor verifies and inspects the dice."""
    state, rules = table.shootout, table.house.book.shootout
    if state is None or rules is None or occasion != "made" or not state.open:
        return
    words = f"marks the {rolled.was} as made"
    yield _task(table, "base", "shootout-button", "button", words)
    if (state.made | {rolled.was}).issuperset(rules.points.value):
        words = "is called to verify that all points were made"
        yield _task(table, "supervisor", "shootout-verify", "verify", words)
        words = "stops the game and inspects the dice"
        yield _task(table, "supervisor", "shootout-inspect", "inspect", words)
