"""What the crew does between throws: wagers booked, changed and called, chips changed.

One event of the table in, the tasks of it out; the words and clauses stand in ``errands.toml``.
What is done with the dice stands in ``dice_errands``.
"""

from __future__ import annotations

from collections.abc import Iterator

from passline.crew.buttons import Moved, button_kind, buttons_moved, buttons_of
from passline.crew.dice_errands import dice_tasks
from passline.crew.errand_steps import Named, run
from passline.crew.placing import prop_place
from passline.crew.shooting import comes_true
from passline.crew.tasks import DROP, TOKES, VIG, Move, Pot, Task
from passline.money import show_dollars
from passline.table import Table, evolve
from passline.table import commands as cmd
from passline.table import events as ev
from passline.table.state import DEALERS

_ALL = {"numbers": "all of {player}'s bets on the numbers are {on}"} | {
    "hardways": "all of {player}'s hardways are {on}"
}


def errand_tasks(table: Table, event: ev.AnyEvent) -> tuple[Task, ...]:
    """What the crew does on an event that is no throw. ``table`` is the table before it."""
    after = evolve(table, event)
    found = tuple(_tasks(table, event, after))
    return (*found, *comes_true(table, after, found))


def called_tasks(before: Table, after: Table, player: str) -> tuple[Task, ...]:
    """What is done once a player has called one wager or several, on or off."""
    moved = buttons_moved(before, after, player)
    return tuple(task for one in moved for task in _button(after, before, player, one))


def _all_still(before: Table, after: Table, player: str) -> Iterator[Task]:
    """One button that stood for all stands so no longer where a wager came or went; or does now."""
    if player != DEALERS and buttons_of(before, player):
        yield from called_tasks(before, after, player)


def refused_tasks(table: Table, command: cmd.AnyCommand | None) -> tuple[Task, ...]:
    """What the crew does about something that was refused: a wager refused aloud is called so."""
    if isinstance(command, cmd.Bet) and command.no_bet:
        return tuple(run(table, "no-bet", Named(player=command.player, wager=command.wager)))
    return ()


def _tasks(table: Table, event: ev.AnyEvent, after: Table) -> Iterator[Task]:
    match event:
        case ev.BoughtIn(player, amount):
            moves = (Move(DROP, Pot("rail", player), amount),)
            # Only cash behind a spoken wager is taken while the dice are out.
            name = "cash-bet-out" if table.dice.out else "buy-in"
            yield from run(table, name, Named(player=player, amount=amount, moves=moves))
        case ev.Wagered(player):
            yield from _booked(table, event)
            yield from _all_still(table, after, player)
        case ev.Changed(player):
            yield from _changed(table, event)
            yield from _all_still(table, after, player)
        case ev.Called(player):
            yield from called_tasks(table, after, player)
        case ev.Undone():
            yield from _undone(table, event, after)
        case ev.Toked(player, amount):
            moves = (Move(Pot("rail", player), TOKES, amount),)
            yield from run(table, "toke", Named(player=player, amount=amount, moves=moves))
        case ev.TokeMade(player, wager, amount):
            moves = (Move(Pot("rail", player), Pot("rail", DEALERS), amount),)
            about = Named(player=player, wager=wager, amount=amount, moves=moves)
            yield from run(table, "toke-bet", about)
        case ev.TokesDropped(amount):
            moves = (Move(Pot("rail", DEALERS), TOKES, amount),)
            yield from run(table, "tokes-dropped", Named(amount=amount, moves=moves))
        case ev.ChequesChanged() | ev.ColourCalled() | ev.ColourPermitted() | ev.ColouredUp():
            yield from _colour(table, event)
        case ev.LimitsTold(player, wager, least, most, cite, under):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            name = "under-minimum" if under else "over-maximum"
            words: dict[str, object] = {"limits": limits}
            yield from run(table, name, Named(player=player, wager=wager, cite=cite, words=words))
        case _:
            yield from dice_tasks(table, event, after)


def _colour(table: Table, event: ev.AnyEvent) -> Iterator[Task]:
    """Chips for chips. A colour change is called and permitted first, in one breath or in three."""
    match event:
        case ev.ChequesChanged(player, amount, colour, count):
            words: dict[str, object] = {"given": f"{count} {colour}"}
            yield from run(table, "cheque-change", Named(player=player, amount=amount, words=words))
        case ev.ColourCalled(player):
            yield from run(table, "colour-called", Named(player=player))
        case ev.ColourPermitted(player, by):
            yield from run(table, "colour-permitted", Named(player=player, who={"supervisor": by}))
        case ev.ColouredUp(player):
            if player not in table.colour:
                yield from run(table, "colour-called", Named(player=player))
                yield from run(table, "colour-permitted", Named(player=player))
            yield from run(table, "colour-up", Named(player=player, amount=table.seat(player).rail))


def _booked(table: Table, event: ev.Wagered) -> Iterator[Task]:
    """A wager set up: props by the stick, everything else by the base dealer."""
    player, wager = event.player, event.wager
    rail, spot = Pot("rail", player), table.layout.spots[wager]
    moves = (Move(rail, Pot("layout", player, wager), event.amount), Move(rail, VIG, event.vig))
    vig = f", vigorish {show_dollars(event.vig)}" if event.vig else ""
    put = prop_place(table, spot, player)
    about = Named(
        player=player,
        wager=wager,
        amount=event.amount,
        moves=moves,
        cite=put.cite,
        where=put.where,
        words={"vig": vig},
    )
    if spot.rule.area == "center":
        yield from run(table, "late-prop" if table.dice.out else "prop", about)
        return
    name = spot.vig or ("place" if spot.kind == "place-win" else "wager")
    yield from run(table, "unnoticed" if event.unnoticed else name, about)
    if spot.vig and wager not in table.wagers_of(player):
        yield from run(table, f"{name}-button", Named(player=player, wager=wager))


def _changed(table: Table, event: ev.Changed) -> Iterator[Task]:
    """Raised, reduced or down: vigorish goes with it, and is named."""
    if event.now == event.was:  # said again, and nothing to do
        return
    player, wager, rail = event.player, event.wager, Pot("rail", event.player)
    spot, more = Pot("layout", player, wager), event.now - event.was
    up = Move(rail, spot, more) if more > 0 else Move(spot, rail, -more)
    vig = Move(rail, VIG, event.vig) if event.vig > 0 else Move(VIG, rail, -event.vig)
    lies = table.layout.spots[wager]
    own = "prop" if lies.rule.area == "center" else lies.vig
    name = "press" if more > 0 else "down" if not event.now else "reduce"
    name = f"{name}-{own}" if own else name
    back = f", {show_dollars(-event.vig)} of it vigorish" if event.vig < 0 else ""
    charge = f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else ""
    about = Named(
        player=player,
        wager=wager,
        amount=abs(more) + max(-event.vig, 0),
        moves=(up, vig),
        cite=event.cite,
        words={"now": show_dollars(event.now), "vig": charge, "of_it": back},
    )
    yield from run(table, "called-off" if event.called_off else name, about)


def _undone(table: Table, event: ev.Undone, after: Table) -> Iterator[Task]:
    """What was said is taken back: the wagers lie again as they lay before it."""
    player, rail, now = event.player, Pot("rail", event.player), dict(event.wagers)
    up = table.wagers_of(player)
    back = [Move(VIG, rail, event.vig)]
    out = [Move(rail, VIG, -event.vig)]
    for slug in {**up, **now}:
        more = (now[slug].amount if slug in now else 0) - (up[slug].amount if slug in up else 0)
        spot = Pot("layout", player, slug)
        back.append(Move(spot, rail, -more))
        out.append(Move(rail, spot, more))
    moves = tuple(move for move in (*back, *out) if move.amount > 0)
    yield from run(table, "undone", Named(player=player, amount=abs(event.moved), moves=moves))
    yield from called_tasks(table, after, player)


def _button(after: Table, before: Table, player: str, moved: Moved) -> Iterator[Task]:
    wager, button = moved
    spot, was = after.layout.spots[wager], buttons_of(before, player).get(wager)
    center, words = spot.rule.area == "center", {"all": ""}
    shown = button or was
    name = "on-button" if shown is not None and shown.on else "off-button"
    name = "prop-button" if center else f"{name}-buy" if spot.vig == "buy" else name
    if button is None:
        said = "takes the button off"
    else:
        on = "on" if button.on else "off"
        there = was is not None and was.on == button.on
        said = f"leaves the {on} button on" if there else f"puts an {on} button on"
        if button.all:
            kind = button_kind(after, wager)
            words["all"] = _ALL[kind].format(player=player, on="on" if button.on else "off")
            own = [s for s in after.wagers_of(player) if button_kind(after, s) == kind]
            buys = all(after.layout.spots[slug].vig == "buy" for slug in own)
            name = "one-prop-button" if center else "one-button-buy" if buys else "one-button"
    about = Named(player=player, wager=wager, words={"button": said, **words})
    yield from run(before, name, about)
