"""A dealt record for people: a block per throw, as a player would follow it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import click

from passline.cli.crew_view import errand_lines, roll_lines
from passline.crew.report import WantedTasks, line_tasks
from passline.crew.stick import call
from passline.house import House
from passline.layout import Settlement, Wagers
from passline.money import show_dollars
from passline.record.crew_report import refused_work
from passline.record.deal import RecordEntry, open_record, play_line
from passline.record.read import Record, RecordLine
from passline.table import Table, evolve
from passline.table.events import Rolled
from passline.table.state import DEALERS, Seat
from passline.talk.same_bet import Memory
from passline.words.calls import Caller
from passline.words.events import event_words
from passline.words.refusals import refusal_words

_COLOURS = {"win": "green", "lose": "red", "push": "yellow", "return": "yellow", "travel": "cyan"}
_DONE = {"win": "wins", "lose": "loses", "push": "pushes", "return": "comes back"}


def show_dealt(
    record: Record,
    lines: Iterable[RecordLine],
    house: House,
    crew: WantedTasks | None = None,
    style: str | None = None,
) -> bool:
    """Deal and print as we go, so that nothing is lost if a later line cannot be read."""
    table = open_record(record, house)
    click.echo(f"{house.name}: {house.game} under {house.book.id}")
    click.echo(" · ".join(f"{p.name} {show_dollars(p.amount)}" for p in record.players))
    click.echo()
    refused = False
    memory: Memory = {}
    called = partial(call, style=style)
    for line in lines:
        played: list[tuple[RecordEntry, Table]] = []
        try:
            played.extend(play_line(table, line, memory))
        finally:
            for text in _line(table, played, called, crew):
                click.echo(text)
        refused |= any(entry.refusal is not None for entry, _ in played)
        table = played[-1][1] if played else table
    click.echo()
    for text in _standing(table):
        click.echo(text)
    return refused


def _line(
    before: Table, played: list[tuple[RecordEntry, Table]], called: Caller, crew: WantedTasks | None
) -> Iterator[str]:
    """What one line of the record did. Work that spans several says is shown at the last."""
    events = [event for entry, _ in played for event in entry.events]
    work = iter(line_tasks(before, events, called)) if crew is not None else iter(())
    for entry, after in played:
        number = f"{entry.line:>4}  "
        if entry.refusal is not None:
            who = f"{entry.player}: " if entry.player else ""
            yield number + click.style(f"{who}{entry.said}: refused", fg="red", bold=True)
            yield f"      {refusal_words(entry.refusal)}  [{entry.refusal.cite}]"
            if crew is not None:
                yield from errand_lines(filter(crew.has, refused_work(before, entry)))
        for event in entry.events:
            if isinstance(event, Rolled):
                yield from _throw(number, event, called(before, event), after, crew is not None)
            else:
                yield number + event_words(event)
            if crew is not None:
                tasks = filter(crew.has, next(work)[1])
                yield from (roll_lines if isinstance(event, Rolled) else errand_lines)(tasks)
            before = evolve(before, event)
            number = " " * 6


def _throw(number: str, rolled: Rolled, called: str, table: Table, crew: bool) -> Iterator[str]:
    """A throw and what it settled; the crew's list says what becomes of every wager by itself."""
    shooter = f"  {rolled.shooter} shoots" if rolled.shooter else ""
    puck = f"puck ON {rolled.puck}" if rolled.puck else "puck OFF"
    dice = click.style(f"[{rolled.first}][{rolled.second}]", bold=True)
    yield ""
    yield f"{number}{dice} {called}  ({puck}{shooter})"
    if crew:
        return
    names = dict.fromkeys(s.player for s in rolled.settlements)
    width = max((8, *map(len, names)))
    for done in rolled.settlements:
        yield _settlement(done, width)
    for name in names:
        yield f"      {_dealers(table) if name == DEALERS else _rail(table.seat(name))}"


def _settlement(done: Settlement, width: int) -> str:
    if done.result == "travel":
        what = f"travels to {done.to}"
    elif done.result == "win":
        what = f"wins {show_dollars(done.paid)}" + (f" at {done.odds}" if done.odds else "")
        what += f", vigorish {show_dollars(done.vig)}" if done.vig else ""
    elif done.result == "lose" and done.left:
        what = "loses out of the win, stays up"
    elif done.result == "lose" and done.back:
        what = f"loses, {show_dollars(done.back)} back"
    else:
        what = _DONE[done.result]
    words = f"{done.player:<{width}} {done.wager:<16} {show_dollars(done.stake):>8}  "
    return f"      {words}{click.style(f'{what:<28}', fg=_COLOURS[done.result])} [{done.cite}]"


def _up(wagers: Wagers) -> str:
    return ", ".join(f"{slug} {show_dollars(s.amount)}" for slug, s in wagers.items())


def _dealers(table: Table) -> str:
    """The dealers have no rail: what they win is in the toke box."""
    return f"{DEALERS}: {f'up: {_up(table.dealers)}' if table.dealers else 'nothing up'}"


def _rail(seat: Seat) -> str:
    """What is whose."""
    up = _up(seat.wagers)
    return f"{seat.name}: rail {show_dollars(seat.rail)}" + (f"; up: {up}" if up else "")


def _standing(table: Table) -> Iterator[str]:
    for seat in table.seats:
        change = seat.rail + sum(s.amount for s in seat.wagers.values()) - seat.bought_in
        sign = "+" if change > 0 else ""
        yield f"{_rail(seat)}  ({sign}{show_dollars(change)})"
    # The dealers bought in for nothing: a change would not say what they won.
    if table.dealers:
        yield _dealers(table)
    vig = f", vigorish {show_dollars(table.vig)}" if table.vig else ""
    promo = f" (promotions cost {show_dollars(table.promo)} of it)" if table.promo else ""
    tokes = f", tokes {show_dollars(table.tokes)}" if table.tokes else ""
    win = f"{show_dollars(table.win)}{promo}"
    yield f"house: win {win}{vig}{tokes}, drop {show_dollars(table.drop)}"
