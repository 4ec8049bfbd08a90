"""Events in words, one line each, and the short call of a roll (full calls: ``crew``)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from passline.game.dice.dice import SEVEN
from passline.game.law.book import Book
from passline.game.law.wager_names import find_family
from passline.game.layout.stakes import Settlement
from passline.game.money.amounts import show_dollars
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.events import Rolled
from passline.game.table.state import Fault, ShootoutNote, Table
from passline.game.words.refusals import (
    describe_dice_restriction,
    describe_refusal,
    format_words,
    name_ground,
)
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
    """Return a short call of a roll, such as a stickperson's.

    ``book`` says which wager is the pass line; without it, the wager called ``pass`` is.

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
    """Return whether a bet on the pass line won on this roll."""
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


#: One sentence for each type of event, in the notation of ``refusals.format_sentence``.
EVENT_SENTENCES: dict[type[ev.Event], str] = {
    ev.Opened: "the table opens: {house.game} at {house.name}",
    ev.Joined: "{name} comes up to the table, to place {place}",
    ev.BoughtIn: "{player} buys in for {amount:$}",
    ev.LeftTable: "{player} leaves the table",
    ev.Seated: "{player} {standing:stands up|sits down}",
    ev.ColoredUp: "{player} colors up",
    ev.ColorUpRequested: "{player} asks to color up, and waits for permission [{cite}]",
    ev.ColorUpPermitted: "the {by} permits {player}'s color change [{cite}]",
    ev.ChequesChanged: "{player} changes {amount:$} to {count} {colour}",
    # Wagers and tips
    ev.Wagered: "{player}: {wager} for {amount:$}{vig:, vigorish {vig:$}|}"
    "{match:, match play {match:$}|}",
    ev.Changed: "{player}: {wager} {change}",
    ev.Called: "{player}: {wager} is {state}",
    ev.Undone: "{player} takes back the last statement",
    ev.LateCalled: "{player}: {wager} for {amount:$} in the air, for the {needs:and} to confirm "
    "[{cite}]",
    ev.LateConfirmed: "{player}: {wager}, confirmed by the {by} [{cite}]",
    ev.LateLapsed: "{player}: {wager}, called in the air and not confirmed, has no action [{cite}]",
    ev.LimitsTold: "the dealer tells {player} that {wager} takes {least:$} to {most:$} [{cite}]",
    ev.Toked: "{player} tokes the dealers {amount:$}, into the toke box [{cite}]",
    ev.TokeMade: "{player} has {wager} up for the dealers, {amount:$}, announced [{cite}]",
    ev.TokesDropped: "{amount:$} for the dealers, into the toke box [{cite}]",
    # The dice and the throw
    ev.DiceTaken: "{player} takes the dice: {offered} offered, 2 chosen, {others} put back",
    ev.DiceDeclined: "{player} declines the dice",
    ev.DicePassed: "{player} passes the dice, {pass_reason} [{cite}]",
    ev.DiceAsked: "{player} asks for {same:the same|new} dice [{cite}]",
    ev.DiceReleased: "the dice are in the air, from {player}",
    ev.DiceSent: "the dice are out, to {player}",
    ev.DiceDrawnBack: "the dice come back to the center",
    ev.NoRoll: "no roll, {ground}{side:, {fell}|}, called by the {by} [{cite}]",
    ev.Warned: "the {by} warns {player} for {ground} [{cite}]",
    ev.Rolled: "{call}",
    ev.ThrowCorrected: "the {by} corrects the throw: {first} and {second}, not {was:and} [{cite}]",
    ev.CommandDropped: "{player:{player}: |}{said} no longer holds: {reason}",
    ev.ShootoutMoved: "shootout {amount:$}, points made: {made:,}, "
    "{open:open|waits for a seven-out}{note:; log: {log}|}",
    ev.Clocked: "it is {when}",
    # The set of dice, the posts and the table
    ev.DiceChanged: "a new set of dice{serial: ({serial})|}: {reason} [{cite}]",
    ev.DiceInspected: "the {by} inspects {serial:set {serial}|the dice}: {verdict}",
    ev.DiceRecalled: "the dice are called in to be inspected: {reason} [{cite}]",
    ev.SetCancelled: "set {serial} is canceled{face: on the {face}|}, signed out and wrapped "
    "[{cite}]",
    ev.DieLost: "a die is not found: "
    "{plays_on:the game goes on with {left}|a new set is needed} [{cite}]",
    ev.DieFound: "a die is brought back{inspect:, to be inspected before it is thrown|} [{cite}]",
    ev.Relieved: "{name} relieves the {post}{holds:; the dice wait for the OK|} [{cite}]",
    ev.DiceOkayed: "the boxperson gives the OK: the dice may move [{cite}]",
    ev.GameDied: "the game is dead: {dice} dice in the bowl [{cite}]",
    ev.BowlDumped: "{player} comes up: the bowl is emptied [{cite}]",
    ev.TableClosed: "the table closes{fresh_dice:; it opens again with a new set|} [{cite}]",
    ev.TableOpened: "the table opens",
    ev.LimitsSet: "the limits{wager: of {wager}|} are {low:$} to {high:$} [{cite}]",
}


def describe_event(event: ev.AnyEvent) -> str:
    """Return an event as one plain line.

    >>> describe_event(ev.DiceTaken("ann", 5))
    'ann takes the dice: 5 offered, 2 chosen, 3 put back'
    """
    values = structs.asdict(event)
    names = {"wager": layout_name, "ground": name_ground, "reason": name_ground}
    values |= {key: name(values[key]) for key, name in names.items() if key in values}
    values |= _describe_parts(event)
    return format_words(EVENT_SENTENCES[type(event)], values)


def _describe_parts(event: ev.AnyEvent) -> dict[str, object]:
    """Return the values for an event's sentence that are not fields of the event, by name.

    They are computed from its fields, such as the call of a roll for ``{call}``.
    """
    match event:
        case ev.Changed():
            return {"change": _describe_change(event)}
        case ev.Called(_, _, on):
            return {"state": "working by the rules" if on is None else "on" if on else "off"}
        case ev.DiceTaken(_, offered):
            return {"others": offered - 2}
        case ev.DicePassed():
            return {"pass_reason": describe_pass_reason(event)}
        case ev.NoRoll(side=side):
            return {"fell": "both down" if side == "both" else f"one down {side}"}
        case ev.Rolled():
            return {"call": call_roll(event)}
        case ev.CommandDropped(command=command, refusal=refusal):
            reason = f"{describe_refusal(refusal)} [{refusal.cite}]"
            return {"said": describe_command(command), "reason": reason}
        case ev.ShootoutMoved(note=note):
            return {"log": describe_shootout_note(note) if note else ""}
        case ev.DiceInspected():
            found = "; ".join(f"{describe_fault(fault)} [{fault.cite}]" for fault in event.faults)
            return {"verdict": f"unfit: {found}" if found else f"fit [{event.cite}]"}
    return {}


def describe_command(command: cmd.AnyCommand) -> str:
    """Return a command in a few words, without the player.

    >>> describe_command(cmd.Bet("ann", "place-win-6", 1200)), describe_command(cmd.Leave("ann"))
    ('place 6 for $12', 'leave')
    """
    wager = layout_name(getattr(command, "wager", ""))
    match command:
        case cmd.Bet(amount=amount):
            return f"{wager} for {show_dollars(amount)}"
        case cmd.TokeBet(amount=amount):
            return f"{wager} for {show_dollars(amount)} for the dealers"
        case cmd.Change(to=to):
            return f"{wager} to {show_dollars(to)}"
        case cmd.TakeDown():
            return f"{wager} down"
        case cmd.TakeAllDown():
            return "all down"
        case cmd.Call(on=on):
            return f"{wager or 'all'} {'on' if on else 'off'}"
    return str(type(command).__struct_config__.tag).replace("-", " ").replace("colour", "color")


_PASS_REASONS = {
    "choice": "by choice",
    "declined": "declined",
    "seven": "on a loser seven",
    "no-line": "without a line wager",
    "dead": "the game is dead",
    "closed": "the table closes",
}


def describe_pass_reason(event: ev.DicePassed) -> str:
    """Return why the shooter passed the dice, as words that end a sentence: "by choice"."""
    if event.why == "order":
        return f"by order of the {event.by}, for {name_ground(event.ground)}"
    return _PASS_REASONS[event.why]


def describe_shootout_note(note: ShootoutNote) -> str:
    """Return an entry of the shootout's log as one line, with its time if it has one."""
    amount = show_dollars(note.amount)
    words = {
        "void": f"void for tampering, {amount} stands",
        "hit": f"hit for {amount}, {note.shares} shared",
        "grown": f"bonus {amount}",
    }[note.what]
    return f"{note.when}: {words}" if note.when else words


def describe_fault(fault: Fault) -> str:
    """Return in words what an inspection of the dice found wrong."""
    return describe_dice_restriction({"why": fault.what, **structs.asdict(fault)})


def _describe_change(event: ev.Changed) -> str:
    back = f", vigorish {show_dollars(-event.vig)} back" if event.vig < 0 else ""
    more = f", vigorish {show_dollars(event.vig)}" if event.vig > 0 else ""
    if not event.now:
        return f"down, {show_dollars(event.was)} back{back}"
    if event.now == event.was:
        return f"stays at {show_dollars(event.now)}"
    verb = "up" if event.now > event.was else "down"
    return f"{verb} to {show_dollars(event.now)}{back}{more}"
