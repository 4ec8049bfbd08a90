"""What happened, in a few plain words: one line an event."""

from __future__ import annotations

from typing import assert_never

from msgspec import structs

from passline.money import show_dollars
from passline.table import events as ev
from passline.table.state import Fault, ShootoutNote
from passline.words.calls import plain_call
from passline.words.refusals import barred_words


def event_words(event: ev.AnyEvent) -> str:
    """An event as a person would put it.

    >>> event_words(ev.DiceTaken("ann", 5))
    'ann takes the dice: 5 offered, 2 chosen, 3 put back'
    """
    match event:
        case ev.BoughtIn(player, amount):
            return f"{player} buys in for {show_dollars(amount)}"
        case ev.Wagered(player, wager, amount, vig, match):
            charged = f", vigorish {show_dollars(vig)}" if vig else ""
            coupon = f", match play {show_dollars(match)}" if match else ""
            return f"{player}: {wager} for {show_dollars(amount)}{charged}{coupon}"
        case ev.Changed():
            return _changed(event)
        case ev.Called(player, wager, on):
            word = "as the rulebook has it" if on is None else "on" if on else "off"
            return f"{player}: {wager} is {word}"
        case ev.Toked(player, amount, cite):
            return f"{player} tokes the dealers {show_dollars(amount)}, into the toke box [{cite}]"
        case ev.TokeMade(player, wager, amount, cite):
            sum_ = show_dollars(amount)
            return f"{player} has {wager} up for the dealers, {sum_}, announced [{cite}]"
        case ev.TokesDropped(amount, cite):
            return f"{show_dollars(amount)} for the dealers, into the toke box [{cite}]"
        case ev.ColouredUp(player):
            return f"{player} colours up"
        case ev.ColourCalled(player, cite):
            return f"{player} asks to colour up: it is called, and waits for leave [{cite}]"
        case ev.ColourPermitted(player, by, cite):
            return f"the {by} lets {player}'s colour change come in [{cite}]"
        case ev.ChequesChanged(player, amount, colour, count):
            return f"{player} changes {show_dollars(amount)} to {count} {colour}"
        case ev.LeftTable(player):
            return f"{player} leaves the table"
        case ev.Seated(player, standing):
            return f"{player} {'stands up' if standing else 'sits down'}"
        case ev.Opened():
            return f"the table opens: {event.house.game} at {event.house.name}"
        case ev.Joined():
            return f"{event.name} comes up to the table, to place {event.place}"
        case ev.Undone():
            return f"{event.player} takes back what was said last"
        case ev.LateCalled() | ev.LateConfirmed() | ev.LateLapsed():
            return _late_words(event)
        case ev.LimitsTold(player, wager, least, most, cite):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            return f"{player} is told that {wager} takes {limits} [{cite}]"
        case _:
            return _dice_words(event)


_PASSING = {
    "choice": "by choice",
    "declined": "declined",
    "seven": "on a loser seven",
    "no-line": "without a line wager",
    "dead": "the game is dead",
    "closed": "the table closes",
}


def passing_words(event: ev.DicePassed) -> str:
    """Why the dice were passed."""
    if event.why == "order":
        return f"by order of the {event.by}, for {event.ground}"
    return _PASSING[event.why]


def shootout_words(note: ShootoutNote) -> str:
    """A line of the shootout's log."""
    amount = show_dollars(note.amount)
    words = {
        "void": f"void for tampering, {amount} stands",
        "hit": f"hit for {amount}, {note.shares} shared",
        "grown": f"bonus {amount}",
    }[note.what]
    return f"{note.when}: {words}" if note.when else words


def fault_words(fault: Fault) -> str:
    """What an inspection found wrong."""
    return barred_words({"why": fault.what, **structs.asdict(fault)})


def _late_words(event: ev.LateCalled | ev.LateConfirmed | ev.LateLapsed) -> str:
    whose = f"{event.player}: {event.wager}"
    match event:
        case ev.LateCalled():
            amount, needs = show_dollars(event.amount), " and ".join(event.needs)
            return f"{whose} for {amount} in the air, for the {needs} to confirm [{event.cite}]"
        case ev.LateConfirmed():
            return f"{whose}, confirmed by the {event.by} [{event.cite}]"
        case ev.LateLapsed():
            return f"{whose}, called in the air and not confirmed, has no action [{event.cite}]"
        case _:
            assert_never(event)


def _changed(event: ev.Changed) -> str:
    back = f", vigorish {show_dollars(-event.vig)} back" if event.vig < 0 else ""
    more = f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else ""
    if not event.now:
        return f"{event.player}: {event.wager} down, {show_dollars(event.was)} back{back}"
    if event.now == event.was:
        return f"{event.player}: {event.wager} stays at {show_dollars(event.now)}"
    verb = "up" if event.now > event.was else "down"
    return f"{event.player}: {event.wager} {verb} to {show_dollars(event.now)}{back}{more}"


def _dice_words(event: ev.DiceEvent) -> str:
    match event:
        case ev.DiceTaken(player, offered):
            return f"{player} takes the dice: {offered} offered, 2 chosen, {offered - 2} put back"
        case ev.DiceDeclined(player):
            return f"{player} declines the dice"
        case ev.DicePassed():
            return f"{event.player} passes the dice, {passing_words(event)} [{event.cite}]"
        case ev.DiceAsked(player, same, cite):
            return f"{player} asks for {'the same' if same else 'new'} dice [{cite}]"
        case ev.DiceReleased(player):
            return f"the dice are in the air, from {player}"
        case ev.DiceSent(player):
            return f"the dice are out, to {player}"
        case ev.DiceDrawnBack():
            return "the dice come back to the center"
        case ev.NoRoll(ground, by, cite, side=side):
            down = "both down" if side == "both" else f"one down {side}"
            fell = f", {down}" if side else ""
            return f"no roll, {ground}{fell}, called by the {by} [{cite}]"
        case ev.Warned(player, ground, by, cite):
            return f"the {by} warns {player} for {ground} [{cite}]"
        case ev.Rolled():
            return plain_call(event)
        case ev.ShootoutMoved():
            run = ", ".join(map(str, sorted(event.made))) or "none"
            state = "open" if event.open else "waits for a seven-out"
            words = f"shootout {show_dollars(event.amount)}, points made: {run}, {state}"
            return f"{words}; log: {shootout_words(event.note)}" if event.note else words
        case ev.Clocked(when):
            return f"it is {when}"
        case _:
            return _set_words(event)


def _set_words(event: ev.SetEvent) -> str:
    match event:
        case ev.DiceChanged(reason, cite, serial):
            return f"a new set of dice{f' ({serial})' if serial else ''}: {reason} [{cite}]"
        case ev.DiceInspected():
            return _inspected(event)
        case ev.DiceRecalled(reason, cite):
            return f"the dice are called in to be inspected: {reason} [{cite}]"
        case ev.SetCancelled(serial, face, cite):
            on = f" on the {face}" if face else ""
            return f"set {serial} is cancelled{on}, signed out and wrapped [{cite}]"
        case ev.DieLost(left, plays_on, cite):
            then = f"the game goes on with {left}" if plays_on else "a new set is needed"
            return f"a die is not found: {then} [{cite}]"
        case ev.DieFound(inspect, cite):
            then = ", to be inspected before it is thrown" if inspect else ""
            return f"a die is brought back{then} [{cite}]"
        case ev.Relieved(name, post, holds, cite):
            then = "; the dice wait for the OK" if holds else ""
            return f"{name} relieves the {post}{then} [{cite}]"
        case _:
            return _idle_words(event)


def _inspected(event: ev.DiceInspected) -> str:
    which = f"set {event.serial}" if event.serial else "the dice"
    found = "; ".join(f"{fault_words(fault)} [{fault.cite}]" for fault in event.faults)
    verdict = f"unfit: {found}" if found else f"fit [{event.cite}]"
    return f"the {event.by} inspects {which}: {verdict}"


def _idle_words(event: ev.IdleEvent) -> str:
    match event:
        case ev.DiceOkayed(cite):
            return f"the boxperson gives the OK: the dice may move [{cite}]"
        case ev.GameDied(dice, cite):
            return f"the game is dead: {dice} dice in the bowl [{cite}]"
        case ev.BowlDumped(player, cite):
            return f"{player} comes up: the bowl is emptied [{cite}]"
        case ev.TableClosed(fresh, cite):
            then = "; it opens again with a new set" if fresh else ""
            return f"the table closes{then} [{cite}]"
        case ev.TableOpened():
            return "the table opens"
        case ev.LimitsSet(wager, low, high, cite):
            of = f" of {wager}" if wager else ""
            return f"the limits{of} are {show_dollars(low)} to {show_dollars(high)} [{cite}]"
        case _:
            assert_never(event)
