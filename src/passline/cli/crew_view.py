"""The crew's work list for people: a line a player, so that a busy throw fits a page.

Both base dealers work at once. What they do is gathered end by end, take by take and pay by pay;
the list in its very order is in ``--json``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from passline.crew.tasks import Task
from passline.crew.wording import chip_words
from passline.money import show_dollars
from passline.words.wagers import layout_name

#: What is one and the same piece of work in a player's line.
_STAGE = {"bring out": "pay", "hand off": "pay", "announce": "pay"}
#: What needs no line for each player: nothing is handed to anybody.
_TOGETHER = {("stick", "take"), ("base", "push"), ("stick", "keep"), ("base", "keep")}
_WHO = 24


def errand_lines(tasks: Iterable[Task]) -> Iterator[str]:
    """Tasks between throws, each member of the crew named once in a row."""
    last = ""
    for task in tasks:
        by = task.by if task.by != last else ""
        last = task.by
        yield f"      {by:<{_WHO}}{task.words}  [{task.cite}]"


def roll_lines(tasks: Iterable[Task]) -> Iterator[str]:
    """The work on a throw."""
    for with_money, run in groupby(
        tasks, key=lambda task: bool(task.player) and task.do != "button"
    ):
        block = list(run)
        yield from _players(block) if with_money else _plain(block)


def _row(by: str, words: str, tasks: list[Task]) -> str:
    """One line; whose custom it is, and why, is in ``--json``."""
    cites = ", ".join(dict.fromkeys(task.cite.partition(": ")[0] for task in tasks))
    return f"      {by:<{_WHO}}{words}" + (f"  [{cites}]" if tasks else "")


def _plain(tasks: list[Task]) -> Iterator[str]:
    """What is done once for the table: in one line what one person does in a row, but the call."""
    for (by, _), run in groupby(tasks, key=lambda task: (task.by, task.do == "call")):
        same = list(run)
        said = [task.said for task in same if task.said]
        done = [task.words for task in same if not task.said]
        spoken = [f"says: {', '.join(said)}"] if said else []
        yield _row(by, "; ".join((*spoken, *done)), same)


def _players(tasks: list[Task]) -> Iterator[str]:
    """Whose hands, and what they do; a line for each player. Announcements go with the payoffs."""
    spoken = {(task.player, task.wager): task for task in tasks if task.do == "announce"}
    done = [task for task in tasks if task.do != "announce"]
    paid = {(task.player, task.wager) for task in done}
    alone = [task for of, task in spoken.items() if of not in paid]
    for _, run in groupby(done, key=lambda task: task.post):
        section = list(run)
        for by in dict.fromkeys(task.by for task in section):
            yield from _hands(by, [task for task in section if task.by == by], spoken)
    yield from errand_lines(alone)  # of whoever speaks, where only that is wanted


def _hands(by: str, tasks: list[Task], spoken: dict[tuple[str, str], Task]) -> Iterator[str]:
    """One dealer's work, take after take and pay after pay."""
    for stage, run in groupby(tasks, key=lambda task: _STAGE.get(task.do, task.do)):
        mine = list(run)
        cited = [*mine, *(s for t in mine if (s := spoken.get((t.player, t.wager))))]
        names = dict.fromkeys(task.player for task in mine)
        lines = [f"{name}: {_line([t for t in mine if t.player == name])}" for name in names]
        if (mine[0].post, stage) in _TOGETHER:
            lines = ["; ".join(lines)]
        for line in lines:
            yield _row(by, f"{stage:<7}{line}", cited)
            by, stage, cited = "", "", []


def _line(tasks: list[Task]) -> str:
    """A player's wagers in order."""
    return ", ".join(dict.fromkeys(_item(task) for task in tasks))


def _item(task: Task) -> str:
    """One wager: what lies there, and what becomes of it."""
    name, amount = layout_name(task.wager), show_dollars(task.amount)
    match task.do:
        case "pay":
            vig = sum(move.amount for move in task.moves if move.target.kind == "vig")
            asks = f", asks {show_dollars(vig)} vigorish" if vig else ""
            chips = f" ({chip_words(task.chips)})"
            return f"{name} {amount}{chips}{asks}" if task.chips else f"{name} level"
        case "bring out":
            return f"{name} out to the come"
        case "hand off":
            return "handed off"
        case "place":
            to = next((move.target.wager for move in task.moves), "")
            return f"{name} {amount} to {layout_name(to)}"
        case _:
            return f"{name} {amount}"
