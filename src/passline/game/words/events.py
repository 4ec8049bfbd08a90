"""Events in words, one line each, and the short call of a roll (full calls: ``crew``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from msgspec import structs

from passline.game.dice.dice import SEVEN
from passline.game.law.book import Book
from passline.game.law.wager_names import find_family
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.table import events as ev
from passline.game.table.events import Rolled
from passline.game.table.state import Fault, ShootoutNote, Table
from passline.game.words.refusals import describe_dice_restriction, name_ground
from passline.game.words.wagers import layout_name

#: Puts a throw in words, given the table as it stood before it.
RollCaller = Callable[[Table, Rolled], str]

#: What the floor calls the line wager that wins with the shooter.
_LINE_BET = "pass"
_TOTAL_NAMES = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "yo eleven",
    12: "twelve",
}


def call_roll(rolled: Rolled, book: Book | None = None) -> str:
    """Return a short call of a roll. ``book`` tells which wager is the pass line.

    >>> call_roll(Rolled(3, 3, "ann", 0, 6, ()))
    'six, hard six, mark the point'
    """
    total = rolled.first + rolled.second
    parts = [_TOTAL_NAMES[total]]
    if total in {4, 6, 8, 10}:
        way = "hard" if rolled.first == rolled.second else "easy"
        parts.append(f"{way} {_TOTAL_NAMES[total]}")
    if rolled.special:
        return ", ".join(parts)  # thrown for come wagers alone: the line has no part in it
    if rolled.was:
        if rolled.puck == 0:
            parts.append("out, line away" if total == SEVEN else "winner, front line winner")
    elif rolled.puck:
        parts.append("mark the point")
    elif total == SEVEN or _line_bet_won(rolled, book):
        parts.append("winner, front line winner")
    elif total in {2, 3, 12}:
        parts.append("craps, line away")
    return ", ".join(parts)


def _line_bet_won(rolled: Rolled, book: Book | None) -> bool:
    """Return whether the wager on the shooter's side of the line won."""
    line = find_family(book, _LINE_BET) if book is not None else _LINE_BET
    return any(done.wager == line and done.result == "win" for done in rolled.settlements)


_RESULT_WORDS = {"win": "wins", "lose": "loses", "push": "pushes", "return": "comes back"}


def describe_result(done: Settlement) -> str:
    """Return what became of a bet: ``wins $7 at 7 to 6``.

    >>> describe_result(Settlement("ann", "place-win-6", 600, "win", "7 to 6", 700, 0, "", 600, 0))
    'wins $7 at 7 to 6'
    """
    if done.result == "travel":
        return f"travels to {layout_name(done.to or '')}"
    if done.result == "win":
        odds = f" at {done.odds}" if done.odds else ""
        vig = f", vigorish {show_dollars(done.vig)}" if done.vig else ""
        return f"wins {show_dollars(done.paid)}{odds}{vig}"
    if done.result == "lose" and done.left:
        return "loses out of the win, stays up"
    if done.result == "lose" and done.back:
        return f"loses, {show_dollars(done.back)} back"
    return _RESULT_WORDS[done.result]


def describe_event(event: ev.AnyEvent) -> str:
    """Return an event as one plain line.

    >>> describe_event(ev.DiceTaken("ann", 5))
    'ann takes the dice: 5 offered, 2 chosen, 3 put back'
    """
    match event:
        case ev.BoughtIn(player, amount):
            return f"{player} buys in for {show_dollars(amount)}"
        case ev.Wagered(player, wager, amount, vig, match):
            charged = f", vigorish {show_dollars(vig)}" if vig else ""
            coupon = f", match play {show_dollars(match)}" if match else ""
            return f"{player}: {layout_name(wager)} for {show_dollars(amount)}{charged}{coupon}"
        case ev.Changed():
            return _describe_change(event)
        case ev.Called(player, wager, on):
            word = "working by the rules" if on is None else "on" if on else "off"
            return f"{player}: {layout_name(wager)} is {word}"
        case ev.Toked(player, amount, cite):
            return f"{player} tokes the dealers {show_dollars(amount)}, into the toke box [{cite}]"
        case ev.TokeMade(player, wager, amount, cite):
            bet = f"{layout_name(wager)} up for the dealers, {show_dollars(amount)}"
            return f"{player} has {bet}, announced [{cite}]"
        case ev.TokesDropped(amount, cite):
            return f"{show_dollars(amount)} for the dealers, into the toke box [{cite}]"
        case ev.ColoredUp(player):
            return f"{player} colors up"
        case ev.ColorUpRequested(player, cite):
            return f"{player} asks to color up, and waits for permission [{cite}]"
        case ev.ColorUpPermitted(player, by, cite):
            return f"the {by} permits {player}'s color change [{cite}]"
        case ev.ChequesChanged(player, amount, color, count):
            return f"{player} changes {show_dollars(amount)} to {count} {color}"
        case ev.LeftTable(player):
            return f"{player} leaves the table"
        case ev.Seated(player, standing):
            return f"{player} {'stands up' if standing else 'sits down'}"
        case ev.Opened():
            return f"the table opens: {event.house.game} at {event.house.name}"
        case ev.Joined():
            return f"{event.name} comes up to the table, to place {event.place}"
        case ev.Undone():
            return f"{event.player} takes back the last statement"
        case ev.LateCalled() | ev.LateConfirmed() | ev.LateLapsed():
            return _describe_late_bet(event)
        case ev.LimitsTold(player, wager, least, most, cite):
            limits = f"{show_dollars(least)} to {show_dollars(most)}"
            return f"the dealer tells {player} that {layout_name(wager)} takes {limits} [{cite}]"
        case _:
            return _describe_dice_event(event)


_PASS_REASONS = {
    "choice": "by choice",
    "declined": "declined",
    "seven": "on a loser seven",
    "no-line": "without a line wager",
    "dead": "the game is dead",
    "closed": "the table closes",
}


def describe_pass_reason(event: ev.DicePassed) -> str:
    """Return why the dice were passed."""
    if event.why == "order":
        return f"by order of the {event.by}, for {name_ground(event.ground)}"
    return _PASS_REASONS[event.why]


def describe_shootout_note(note: ShootoutNote) -> str:
    """Return a line of the shootout's log."""
    amount = show_dollars(note.amount)
    words = {
        "void": f"void for tampering, {amount} stands",
        "hit": f"hit for {amount}, {note.shares} shared",
        "grown": f"bonus {amount}",
    }[note.what]
    return f"{note.when}: {words}" if note.when else words


def describe_fault(fault: Fault) -> str:
    """Return what an inspection found wrong."""
    return describe_dice_restriction({"why": fault.what, **structs.asdict(fault)})


def _describe_late_bet(event: ev.LateCalled | ev.LateConfirmed | ev.LateLapsed) -> str:
    whose = f"{event.player}: {layout_name(event.wager)}"
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


def _describe_change(event: ev.Changed) -> str:
    whose = f"{event.player}: {layout_name(event.wager)}"
    back = f", vigorish {show_dollars(-event.vig)} back" if event.vig < 0 else ""
    more = f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else ""
    if not event.now:
        return f"{whose} down, {show_dollars(event.was)} back{back}"
    if event.now == event.was:
        return f"{whose} stays at {show_dollars(event.now)}"
    verb = "up" if event.now > event.was else "down"
    return f"{whose} {verb} to {show_dollars(event.now)}{back}{more}"


def _describe_dice_event(event: ev.DiceEvent) -> str:
    match event:
        case ev.DiceTaken(player, offered):
            return f"{player} takes the dice: {offered} offered, 2 chosen, {offered - 2} put back"
        case ev.DiceDeclined(player):
            return f"{player} declines the dice"
        case ev.DicePassed():
            return f"{event.player} passes the dice, {describe_pass_reason(event)} [{event.cite}]"
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
            return f"no roll, {name_ground(ground)}{fell}, called by the {by} [{cite}]"
        case ev.Warned(player, ground, by, cite):
            return f"the {by} warns {player} for {name_ground(ground)} [{cite}]"
        case ev.Rolled():
            return call_roll(event)
        case ev.ShootoutMoved():
            run = ", ".join(map(str, sorted(event.made))) or "none"
            state = "open" if event.open else "waits for a seven-out"
            words = f"shootout {show_dollars(event.amount)}, points made: {run}, {state}"
            return f"{words}; log: {describe_shootout_note(event.note)}" if event.note else words
        case ev.Clocked(when):
            return f"it is {when}"
        case _:
            return _describe_dice_set_event(event)


def _describe_dice_set_event(event: ev.DiceSetEvent) -> str:
    match event:
        case ev.DiceChanged(reason, cite, serial):
            which = f" ({serial})" if serial else ""
            return f"a new set of dice{which}: {name_ground(reason)} [{cite}]"
        case ev.DiceInspected():
            return _describe_inspection(event)
        case ev.DiceRecalled(reason, cite):
            return f"the dice are called in to be inspected: {name_ground(reason)} [{cite}]"
        case ev.SetCancelled(serial, face, cite):
            on = f" on the {face}" if face else ""
            return f"set {serial} is canceled{on}, signed out and wrapped [{cite}]"
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
            return _describe_idle_event(event)


def _describe_inspection(event: ev.DiceInspected) -> str:
    which = f"set {event.serial}" if event.serial else "the dice"
    found = "; ".join(f"{describe_fault(fault)} [{fault.cite}]" for fault in event.faults)
    verdict = f"unfit: {found}" if found else f"fit [{event.cite}]"
    return f"the {event.by} inspects {which}: {verdict}"


def _describe_idle_event(event: ev.IdleEvent) -> str:
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
            of = f" of {layout_name(wager)}" if wager else ""
            return f"the limits{of} are {show_dollars(low)} to {show_dollars(high)} [{cite}]"
        case _:
            assert_never(event)
