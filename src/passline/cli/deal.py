"""``passline deal``: deal a record and print what happened, as text or JSON.

The text has a block for each roll. With ``--crew`` it lists the crew's work, grouped by dealer and
player so that a busy roll fits a page; the exact order is in ``--json``.

The JSON is one object, which may be too large for memory. The final state comes first in it, and
nothing is printed if the record can't be read to its end. So rolls and refusals wait in temporary
files.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from tempfile import TemporaryFile
from typing import IO

import click
from msgspec.structs import replace

from passline.cli.common import complete_file, example_epilog, fail, house_title
from passline.cli.files import open_record_file
from passline.crew.report import TaskFilter, list_line_tasks
from passline.crew.stick import list_style_names, make_stick_call
from passline.crew.tasks import Task
from passline.game.house.house import House
from passline.game.layout.stakes import Settlement, Wagers
from passline.game.money.amounts import show_dollars
from passline.game.table.events import CommandDropped, Rolled
from passline.game.table.evolve import evolve
from passline.game.table.state import DEALERS, Seat, Table
from passline.game.words.crew import format_chips
from passline.game.words.events import RollCaller, describe_event, describe_result
from passline.game.words.refusals import describe_refusal
from passline.game.words.wagers import layout_name
from passline.record.deal import (
    RecordEntry,
    SinceThrow,
    deal_line,
    deal_lines,
    deal_record,
    load_record_house,
    open_record_table,
)
from passline.record.read import Record, RecordLine, read_lines
from passline.record.report import add_roll, crew_json, entry_json, refused_entry_tasks, table_json
from passline.record.write import write_record
from passline.talk.same_bet import BetMemory
from passline.text import show_name


@click.command(
    epilog=example_epilog(
        "printf 'rulebook: iowa\\nplayer: ann 100\\nann: pass for 10\\nroll 4 3\\n' | "
        "passline deal -"
    )
)
@click.argument("file", metavar="FILE|-", shell_complete=complete_file)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--strict", is_flag=True, help="Exit with status 1 if anything is refused.")
@click.option("--crew", is_flag=True, help="Show what the crew does on every roll, step by step.")
@click.option(
    "--post",
    type=click.Choice(["stick", "box", "base", "left-base", "right-base", "supervisor"]),
    help="With --crew: show the work of one post only.",
)
@click.option(
    "--end",
    type=click.Choice(["left", "right"]),
    help="With --crew: show the work at one end only.",
)
@click.option(
    "--style",
    metavar="STYLE",
    help="How the stick calls: school-a, school-b or iowa (default: by rulebook).",
)
@click.option("--canonical", is_flag=True, help="Print the record in canonical form instead.")
def command(
    file: str,
    as_json: bool,
    strict: bool,
    crew: bool,
    post: str | None,
    end: str | None,
    style: str | None,
    canonical: bool,
) -> None:
    """Deal the table record in FILE (- for standard input).

    Every payout and refusal names the clause behind it.
    """
    if canonical and (as_json or crew):
        fail(f"--canonical and {'--json' if as_json else '--crew'} can't be used together")
    if (post or end) and not crew:
        fail(f"{'--post' if post else '--end'} needs --crew")
    if style is not None and style not in list_style_names():
        fail(f"there is no style {style}: choose one of {', '.join(list_style_names())}")
    tasks = TaskFilter.parse(post or "", end or "") if crew else None
    call = partial(make_stick_call, style=style)
    with open_record_file(file) as (texts, _, folder):
        record, lines = read_lines(texts)
        house = load_record_house(record, folder)
        if canonical or (as_json and tasks is not None):
            dealt = deal_record(replace(record, lines=tuple(lines)), house)
            refused = bool(dealt.refusals)
            if tasks is None:
                click.echo(write_record(dealt), nl=False)
            else:
                click.echo(json.dumps(crew_json(dealt, call, tasks), indent=1))
        elif as_json:
            refused = print_dealt_json(record, lines, house, call)
        else:
            refused = print_dealt_text(record, lines, house, call, tasks)
    sys.exit(1 if strict and refused else 0)


#: Tasks that are part of a payoff in a player's line.
_STAGE_OF_TASK = {"bring out": "pay", "hand off": "pay", "announce": "pay"}
#: Stages with one line for all players: no chips go to a player.
_ONE_LINE_STAGES = {("stick", "take"), ("base", "push"), ("stick", "keep"), ("base", "keep")}
_NAME_WIDTH = 24


def errand_lines(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield a line for each task of the crew between rolls.

    A person's name is printed only in the first of several lines in a row.
    """
    for by, run in groupby(tasks, key=lambda task: task.by):
        name = by
        for task in run:
            yield f"      {name:<{_NAME_WIDTH}}{task.words}  [{task.cite}]"
            name = ""


def roll_task_lines(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield the lines for the crew's tasks on a roll, players' bets grouped by dealer."""
    for with_money, run in groupby(
        tasks, key=lambda task: bool(task.player) and task.do != "button"
    ):
        block = list(run)
        yield from _player_task_lines(block) if with_money else _table_task_lines(block)


def _task_row(by: str, words: str, tasks: list[Task]) -> str:
    """Return one line: who (``by``), what (``words``), and the citations of these tasks.

    A custom is cited without its reason.
    """
    cites = ", ".join(dict.fromkeys(task.cite.partition(": ")[0] for task in tasks))
    return f"      {by:<{_NAME_WIDTH}}{words}" + (f"  [{cites}]" if tasks else "")


def _table_task_lines(tasks: list[Task]) -> Iterator[str]:
    """Yield the lines for tasks that concern the whole table.

    Tasks in a row by one person share a line. The stick's call gets a line of its own.
    """
    for (by, _), run in groupby(tasks, key=lambda task: (task.by, task.do == "call")):
        same = list(run)
        said = [task.said for task in same if task.said]
        done = [task.words for task in same if not task.said]
        spoken = [f"says: {', '.join(said)}"] if said else []
        yield _task_row(by, "; ".join((*spoken, *done)), same)


def _player_task_lines(tasks: list[Task]) -> Iterator[str]:
    """Yield the lines for taking and paying players' bets, dealer by dealer.

    An announcement is printed with the payoff that it belongs to.
    """
    spoken = {(task.player, task.wager): task for task in tasks if task.do == "announce"}
    done = [task for task in tasks if task.do != "announce"]
    paid = {(task.player, task.wager) for task in done}
    alone = [task for of, task in spoken.items() if of not in paid]
    for _, run in groupby(done, key=lambda task: task.post):
        section = list(run)
        for by in dict.fromkeys(task.by for task in section):
            yield from _dealer_task_lines(by, [task for task in section if task.by == by], spoken)
    yield from errand_lines(alone)  # With --post, announcements may have no payoff to join.


def _dealer_task_lines(
    by: str, tasks: list[Task], spoken: dict[tuple[str, str], Task]
) -> Iterator[str]:
    """Yield the lines for one dealer's tasks, such as take and pay, with a line for each player.

    Tasks that give no chips to a player, such as the stick's taking, share one line. ``by`` is the
    dealer's name. ``spoken`` has the announcements by (player, wager), which are cited with the
    payoff.
    """
    for stage, run in groupby(tasks, key=lambda task: _STAGE_OF_TASK.get(task.do, task.do)):
        mine = list(run)
        cited = [*mine, *(s for t in mine if (s := spoken.get((t.player, t.wager))))]
        names = dict.fromkeys(task.player for task in mine)
        lines = [
            f"{show_name(name)}: "
            + ", ".join(dict.fromkeys(_wager_words(t) for t in mine if t.player == name))
            for name in names
        ]
        if (mine[0].post, stage) in _ONE_LINE_STAGES:
            lines = ["; ".join(lines)]
        for line in lines:
            yield _task_row(by, f"{stage:<7}{line}", cited)
            by, stage, cited = "", "", []


def _wager_words(task: Task) -> str:
    """Return one bet of a task in words, with its amount, chips and vigorish."""
    name, amount = layout_name(task.wager), show_dollars(task.amount)
    match task.do:
        case "pay":
            vig = sum(move.amount for move in task.moves if move.target.kind == "vig")
            asks = f", asks {show_dollars(vig)} vigorish" if vig else ""
            chips = f" ({format_chips(task.chips)})"
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


_RESULT_COLORS = {"win": "green", "lose": "red", "travel": "cyan"}


def print_dealt_text(
    record: Record,
    lines: Iterable[RecordLine],
    house: House,
    call: RollCaller = make_stick_call,
    crew: TaskFilter | None = None,
) -> bool:
    """Deal line by line, print each result at once, and return whether anything was refused.

    ``call`` words the stick's calls. ``crew`` selects the crew's tasks to list; None lists none. If
    a line can't be read, everything before it is printed.
    """
    table = open_record_table(record, house)
    click.echo(house_title(house))
    click.echo(" · ".join(f"{show_name(p.name)} {show_dollars(p.amount)}" for p in record.players))
    click.echo()
    refused = False
    memory: BetMemory = {}
    since = SinceThrow()
    for line in lines:
        played: list[tuple[RecordEntry, Table]] = []
        try:
            played.extend(deal_line(table, line, memory, since))
        finally:
            for text in _record_line_output(table, played, call, crew):
                click.echo(text)
        refused |= any(entry.refusal is not None for entry, _ in played)
        table = played[-1][1] if played else table
    click.echo()
    for text in _closing_lines(table):
        click.echo(text)
    return refused


def _record_line_output(
    before: Table,
    played: list[tuple[RecordEntry, Table]],
    call: RollCaller,
    crew: TaskFilter | None,
) -> Iterator[str]:
    """Yield the results of one record line, with the crew's work after each event.

    ``before`` is the table before the line, and ``played`` its entries, each with the table after
    it.
    """
    events = [event for entry, _ in played for event in entry.events]
    work = iter(list_line_tasks(before, events, call)) if crew is not None else iter(())
    for entry, after in played:
        number = f"{entry.line:>4}  "
        if entry.refusal is not None:
            who = f"{show_name(entry.player)}: " if entry.player else ""
            yield number + click.style(f"{who}{entry.said}: refused", fg="red", bold=True)
            yield f"      {describe_refusal(entry.refusal)}  [{entry.refusal.cite}]"
            if crew is not None:
                yield from errand_lines(filter(crew.matches, refused_entry_tasks(before, entry)))
        for event in entry.events:
            if isinstance(event, CommandDropped):
                pass  # It follows as a refused entry of its own.
            elif isinstance(event, Rolled):
                yield from _roll_lines(number, event, call(before, event), after, crew is not None)
            else:
                yield number + describe_event(event)
            if crew is not None:
                tasks = filter(crew.matches, next(work)[1])
                yield from (roll_task_lines if isinstance(event, Rolled) else errand_lines)(tasks)
            before = evolve(before, event)
            number = " " * 6


def _roll_lines(
    number: str, rolled: Rolled, called: str, table: Table, crew: bool
) -> Iterator[str]:
    """Yield the lines for one roll: the dice, the puck and each settled bet.

    ``number`` is the line's number in the record, ``called`` the stick's call, and ``table`` the
    table after the roll. With ``crew``, only the first line, since the crew's task list covers the
    bets.
    """
    shooter = f"  {show_name(rolled.shooter)} shoots" if rolled.shooter else ""
    puck = f"puck ON {rolled.puck}" if rolled.puck else "puck OFF"
    dice = click.style(f"[{rolled.first}][{rolled.second}]", bold=True)
    yield ""
    yield f"{number}{dice} {called}  ({puck}{shooter})"
    if crew:
        return
    names = dict.fromkeys(s.player for s in rolled.settlements)
    widths = (
        max((8, *map(len, names))),
        max((16, *(len(layout_name(s.wager)) for s in rolled.settlements))),
        max((28, *(len(describe_result(s)) for s in rolled.settlements))),
    )
    for done in rolled.settlements:
        yield _settlement_line(done, widths)
    for name in names:
        yield f"      {_dealers_line(table) if name == DEALERS else _seat_line(table.seat(name))}"


def _settlement_line(done: Settlement, widths: tuple[int, int, int]) -> str:
    """Return the line of a settled bet. ``widths`` are those of player, wager and result."""
    player, wager, result = [
        f"{text:<{width}}"
        for text, width in zip(
            (show_name(done.player), layout_name(done.wager), describe_result(done)),
            widths,
            strict=True,
        )
    ]
    result = click.style(result, fg=_RESULT_COLORS.get(done.result, "yellow"))
    return f"      {player} {wager} {show_dollars(done.stake):>8}  {result} [{done.cite}]"


def _wager_list(wagers: Wagers) -> str:
    return ", ".join(f"{layout_name(slug)} {show_dollars(s.amount)}" for slug, s in wagers.items())


def _dealers_line(table: Table) -> str:
    """Return a line with the dealers' bets. Dealers have no rail: their wins go to the toke box."""
    return f"{DEALERS}: {f'up: {_wager_list(table.dealers)}' if table.dealers else 'nothing up'}"


def _seat_line(seat: Seat) -> str:
    """Return a line with a player's rail and bets."""
    up = _wager_list(seat.wagers)
    return f"{show_name(seat.name)}: rail {show_dollars(seat.rail)}" + (f"; up: {up}" if up else "")


def _closing_lines(table: Table) -> Iterator[str]:
    for seat in table.seats:
        change = seat.rail + sum(s.amount for s in seat.wagers.values()) - seat.bought_in
        yield f"{_seat_line(seat)}  ({show_dollars(change, plus=True)})"
    # The dealers never buy in, so a change of their chips would not show what they won.
    if table.dealers:
        yield _dealers_line(table)
    vig = f", vigorish {show_dollars(table.vig)}" if table.vig else ""
    promo = f" (promotions cost {show_dollars(table.promo)} of it)" if table.promo else ""
    tokes = f", tokes {show_dollars(table.tokes)}" if table.tokes else ""
    win = f"{show_dollars(table.win)}{promo}"
    yield f"house: win {win}{vig}{tokes}, drop {show_dollars(table.drop)}"


_CHUNK_CHARS = 1 << 16


class _JsonListFile:
    """A JSON list that is written to a temporary file item by item, and printed later."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.size = 0

    def add(self, value: object) -> None:
        """Append a value to the file, indented as it will be in the whole JSON object."""
        lead = ",\n  " if self.size else "\n  "
        self.file.write(lead + json.dumps(value, indent=1).replace("\n", "\n  "))
        self.size += 1

    def print(self, name: str) -> None:
        click.echo(f',\n "{name}": [', nl=False)
        self.file.seek(0)
        while chunk := self.file.read(_CHUNK_CHARS):
            click.echo(chunk, nl=False)
        click.echo("\n ]" if self.size else "]", nl=False)


def print_dealt_json(
    record: Record, lines: Iterable[RecordLine], house: House, call: RollCaller
) -> bool:
    """Deal the whole record, then print one JSON object. Return whether anything was refused."""
    table = open_record_table(record, house)
    with ExitStack() as stack:
        lists = {
            name: _JsonListFile(stack.enter_context(TemporaryFile("w+", encoding="ascii")))
            for name in ("rolls", "refusals")
        }
        last: list[dict[str, object]] = []  # The last throw waits, since it may be corrected.
        for entry, before, after in deal_lines(table, lines):
            for name, value in entry_json(entry, before, call):
                if name == "rolls":
                    add_roll(last, value)
                    if len(last) > 1:
                        lists[name].add(last.pop(0))
                else:
                    lists[name].add(value)
            table = after
        for roll in last:
            lists["rolls"].add(roll)
        standing = json.dumps(table_json(table), indent=1)
        click.echo(standing.removesuffix("\n}"), nl=False)
        for name, whole in lists.items():
            whole.print(name)
        click.echo("\n}")
        return lists["refusals"].size > 0
