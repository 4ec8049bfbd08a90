"""What the crew does between throws: wagers booked, chips changed, dice offered and sent.

One event of the table in, the tasks of it out; the words and clauses stand in ``errands.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from passline.crew import ends
from passline.crew.announcements import Moment, announcements
from passline.crew.sequence import CUSTOM
from passline.crew.tasks import DROP, TOKES, VIG, Move, Pot, Task, Verb
from passline.crew.wording import chip_words, cut
from passline.money import show_dollars
from passline.table import Table, evolve
from passline.table import events as ev
from passline.table.state import DEALERS, NOBODY
from passline.words.events import fault_words

Who = Literal["stick", "base", "box", "supervisor", "inspector", "incoming", "outgoing"]


class Errand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of an errand: who does what, in words with names to fill in, and its clause."""

    by: Who
    do: Verb
    words: str
    cite: dict[str, str] = {}
    only: tuple[str, ...] = ()
    #: The step at which the money moves.
    moves: bool = False
    #: The event's own clause is the one to name.
    by_event: bool = False

    def cited(self, book: str) -> str:
        """The book's clause, or the custom by which it is done so."""
        if book in self.cite:
            return self.cite[book]
        if CUSTOM in self.cite:
            return f"custom: as {CUSTOM} {self.cite[CUSTOM]} has it"
        return "custom: as the manuals have it"


@cache
def errands() -> dict[str, tuple[Errand, ...]]:
    """The steps of every errand, by name."""
    text = resources.files("passline.crew").joinpath("errands.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=dict[str, tuple[Errand, ...]])


def errand_tasks(table: Table, event: ev.AnyEvent) -> tuple[Task, ...]:
    """What the crew does on an event that is no throw. ``table`` is the table before it."""
    return tuple(_tasks(table, event))


def _tasks(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    match event:
        case ev.BoughtIn(player, amount):
            moves = (Move(DROP, Pot("rail", player), amount),)
            yield from _run(table, "buy-in", player, amount, moves)
        case ev.Wagered():
            yield from _booked(table, event)
        case ev.Changed():
            yield from _changed(table, event)
        case ev.Called(player, wager, on):
            yield from _called(table, player, wager, on)
        case ev.Toked(player, amount):
            moves = (Move(Pot("rail", player), TOKES, amount),)
            yield from _run(table, "toke", player, amount, moves)
        case ev.TokeMade(player, wager, amount):
            moves = (Move(Pot("rail", player), Pot("rail", DEALERS), amount),)
            yield from _run(table, "toke-bet", player, amount, moves, wager=wager)
        case ev.TokesDropped(amount):
            moves = (Move(Pot("rail", DEALERS), TOKES, amount),)
            yield from _run(table, "tokes-dropped", "", amount, moves)
        case ev.ChequesChanged(player, amount, colour, count):
            given = f"{count} {colour}"
            yield from _run(table, "cheque-change", player, amount, given=given)
        case ev.ColouredUp(player):
            rail = table.seat(player).rail
            yield from _run(table, "colour-up", player, rail)
        case _:
            yield from _dice(table, event)


def _booked(table: Table, event: ev.Wagered) -> Iterator[Task]:
    """A wager set up: props by the stick, everything else by the base dealer."""
    player, wager = event.player, event.wager
    rail = Pot("rail", player)
    moves = (Move(rail, Pot("layout", player, wager), event.amount), Move(rail, VIG, event.vig))
    spot = table.layout.spots[wager]
    name = {"place-win": "place", "buy": "buy", "lay": "lay"}.get(spot.family, "wager")
    if spot.rule.area == "center":
        name = "late-prop" if table.dice.out else "prop"
    vig = f", vigorish {show_dollars(event.vig)}" if event.vig else ""
    yield from _run(table, name, player, event.amount, moves, wager=wager, vig=vig)


def _changed(table: Table, event: ev.Changed) -> Iterator[Task]:
    if event.now == event.was:  # said again, and nothing to do
        return
    player, wager, rail = event.player, event.wager, Pot("rail", event.player)
    spot, more = Pot("layout", player, wager), event.now - event.was
    up = Move(rail, spot, more) if more > 0 else Move(spot, rail, -more)
    vig = Move(rail, VIG, event.vig) if event.vig > 0 else Move(VIG, rail, -event.vig)
    name = "press" if more > 0 else "reduce" if event.now else "down"
    yield from _run(table, name, player, abs(more), (up, vig), wager=wager, now=event.now)


def _called(table: Table, player: str, wager: str, on: bool | None) -> Iterator[Task]:
    center = table.layout.spots[wager].rule.area == "center"
    name = "prop-button" if center else "button"
    word = "takes the button off" if on is None else f"puts an {'on' if on else 'off'} button on"
    yield from _run(table, name, player, 0, wager=wager, button=word)


def said(table: Table, moment: Moment, after: str = "") -> Iterator[Task]:
    """What the stick announces at a moment, a task for each line."""
    for line in announcements(table, moment, after=after):
        words = f"says: {line.words}"
        yield Task(by=ends.stick(table), do="announce", words=words, cite=line.cite)


def _last_shooter(table: Table) -> str:
    return "" if table.last_shooter == NOBODY else table.seat(table.last_shooter).name


def _dice(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    match event:
        case ev.DiceTaken(player, offered):
            yield from _run(table, "dice-taken", player, 0, offered=offered, left=offered - 2)
            if not table.puck:
                yield from said(evolve(table, event), "coming-out", after=_last_shooter(table))
        case ev.DicePassed(player):
            yield from _run(table, "dice-passed", player, 0)
            if event.to_another:
                yield from _run(table, "handed-over", player, 0)
        case ev.DiceAsked(player, same):
            yield from _run(table, "same-dice" if same else "new-dice", player, 0)
        case ev.DiceChanged(reason):
            yield from _run(table, "dice-changed", "", 0, reason=reason)
        case ev.NoRoll(ground):
            off = ground == "off-table"
            yield from _run(table, "die-off" if off else "no-roll", "", 0, reason=ground)
        case ev.LimitsTold(player, wager, least, most, cite):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            yield from _run(table, "limits", player, 0, wager=wager, limits=limits, cite=cite)
        case _:
            yield from _floor(table, event)


def _floor(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """The set of dice, reliefs, and games that die."""
    match event:
        case ev.DiceSent(player):
            yield from _run(table, "sent-point" if table.puck else "sent-come-out", player, 0)
            yield from said(table, "dice-out")
        case ev.DiceDrawnBack():
            yield from _run(table, "dice-back", "", 0)
        case ev.DiceInspected(by, serial, faults, cite):
            verdict = "; ".join(fault_words(fault) for fault in faults) or "nothing is wrong"
            name = "inspect-set" if serial else "inspect-dice"
            yield from _run(
                table, name, "", 0, inspector=by, cite=cite, verdict=verdict, serial=serial
            )
            if serial and not faults:
                yield from _run(table, "set-ready", "", 0, inspector=by, serial=serial)
        case ev.DiceRecalled(reason, cite):
            yield from _run(table, "recalled", "", 0, reason=reason, cite=cite)
        case ev.SetCancelled(serial, face):
            on = f" on the {face}" if face else ""
            yield from _run(table, "cancelled", "", 0, serial=serial, on=on)
        case ev.DieLost(left):
            yield from _run(table, "die-lost", "", 0, left=left)
        case ev.DieFound():
            yield from _run(table, "die-found", "", 0)
        case ev.Relieved(name, post):
            yield from _relieved(table, name, post)
        case ev.DiceOkayed():
            yield from _run(table, "okayed", "", 0)
        case ev.GameDied(dice):
            yield from _run(table, "dead-game", "", 0, dice=dice)
        case ev.BowlDumped(player):
            yield from _run(table, "bowl-dumped", player, 0)
        case _:
            return


def _relieved(table: Table, name: str, post: str) -> Iterator[Task]:
    """Whoever goes tells whoever comes what must be known."""
    kind = post if post in {"stickperson", "boxperson"} else "base dealer"
    shooter = "nobody" if table.shooter == NOBODY else table.seat(table.shooter).name
    donts = [
        seat.name
        for seat in table.seats
        if any(slug.startswith(("dont-", "lay-", "place-lose-")) for slug in seat.wagers)
        and post.split()[0] in {"base", ends.end_of(table, seat.name)}
    ]
    yield from _run(
        table,
        f"relieve {kind}",
        "",
        0,
        incoming=name,
        outgoing=table.crew.get(post, post),
        shooter=shooter,
        donts=", ".join(donts) or "nobody",
    )


def _run(
    table: Table,
    name: str,
    player: str,
    amount: int,
    moves: tuple[Move, ...] = (),
    **words: object,
) -> Iterator[Task]:
    book = table.house.book.id
    end = ends.end_of(table, player) if player else "left"
    who = {
        "stick": ends.stick(table),
        "base": ends.base_at(table, end),
        "box": ends.box(table),
        "supervisor": "supervisor",
        **{role: str(words.get(role, "")) for role in ("inspector", "incoming", "outgoing")},
    }
    chips = cut(table.house.rack, amount) if amount else ()
    names = {
        "player": player,
        "amount": show_dollars(amount),
        "chips": chip_words(chips),
        "box": ends.box(table),
        "vig": "",
        **words,
    }
    for step in errands()[name]:
        if step.only and book not in step.only:
            continue
        yield Task(
            by=who[step.by],
            do=step.do,
            words=step.words.format(**names).replace(f"{DEALERS}'s", f"{DEALERS}'"),
            cite=str(words["cite"]) if step.by_event else step.cited(book),
            player=player,
            wager=str(words.get("wager", "")),
            amount=amount,
            chips=chips if step.moves else (),
            moves=tuple(move for move in moves if move.amount) if step.moves else (),
        )
