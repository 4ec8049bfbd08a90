"""Decide about the set of dice: inspection, recall, exchange, cancellation, lost and found dice.

If a command does not say who acts, it is the first of the roles that the book allows.
"""

from __future__ import annotations

from collections.abc import Iterator

from passline.game.law.book import Ground
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import dice_custody, posts
from passline.game.table import events as ev
from passline.game.table.dice_custody import is_automated
from passline.game.table.events import Answer
from passline.game.table.posts import find_absence, present_roles
from passline.game.table.state import Fault, Table


def _ground_cite(grounds: tuple[Ground, ...], name: str, custom: str) -> str:
    """Return the clause that lists the reason ``name``, or the ``custom`` text if none does."""
    found = next((ground for ground in grounds if ground.name == name), None)
    return found.cite if found is not None else f"custom: {custom}"


def allowed_inspectors(table: Table) -> tuple[tuple[str, ...], str]:
    """Return (roles that may inspect the dice now, clause).

    A die that left the table may have other inspectors.
    """
    rules, bar = table.house.book.inspection, table.dice.bar
    rule = rules.down_by if bar is not None and bar.why == "down" else rules.by
    return present_roles(table.house, rule.value), rule.cite


def _in_play_examiners(table: Table, by: str) -> tuple[tuple[str, ...], str] | None:
    """Return (roles, clause): who else, besides the inspectors, may examine the dice in play.

    Return None if the role ``by`` is not one of them or does not work in this game, or if the dice
    are restricted.
    """
    rule = table.house.book.inspection.in_play_by
    if rule is None or table.dice.bar is not None or find_absence(table.house, by) is not None:
        return None
    return (rule.value, rule.cite) if by in rule.value else None


def inspect_dice(table: Table, command: cmd.InspectDice) -> Answer:
    """Return the event of an inspection, which lists the faults found, or a refusal.

    The dice in play are inspected, or a set that is about to come in.
    """
    serial = command.serials[0] if command.serials else ""
    in_play = serial in ("", table.dice.serial)
    allowed, cite = allowed_inspectors(table)
    if in_play and command.by not in allowed:
        allowed, cite = _in_play_examiners(table, command.by) or (allowed, cite)
    if command.by not in allowed:
        return refuse("not-theirs-to-inspect", cite, allowed, by=command.by)
    refused = _check_in_reach(table) if in_play else _check_incoming_set(table, command, serial)
    faults = tuple(_find_faults(table, command))
    if not (in_play and faults):  # A single unfit die is enough to stop the set in play.
        refused = refused or _check_all_measured(table, command)
    shown = "" if in_play else serial
    return refused or (ev.DiceInspected(command.by, shown, faults=faults, cite=cite),)


def _check_in_reach(table: Table) -> Refusal | None:
    if not table.dice.out:
        return None
    custom = "custom: dice are inspected where the officials can reach them"
    return refuse("drawn-back-first", custom)


def _check_incoming_set(table: Table, command: cmd.InspectDice, serial: str) -> Refusal | None:
    """Return a refusal if the incoming set was canceled, or must be measured and was not."""
    rules = table.house.book.inspection
    if serial in table.dice.cancelled:
        return refuse("set-cancelled", rules.cancelled_on.cite, serial=serial)
    if command.sizes or not rules.measured.value:
        return None
    return refuse("measure-each", rules.measured.cite)


def _check_all_measured(table: Table, command: cmd.InspectDice) -> Refusal | None:
    size = dice_custody.dice_set_size(table)
    if len(command.sizes) in (0, size):
        return None
    cite = table.house.book.dice.set_of.cite
    return refuse("measure-all", cite, size=size, measured=len(command.sizes))


def _find_faults(table: Table, command: cmd.InspectDice) -> Iterator[Fault]:
    """Yield the faults of the dice: visible flaws, then wrong sizes, then wrong serial numbers."""
    rules = table.house.book.inspection
    for flaw in command.flaws:
        cite = _ground_cite(rules.flaws, flaw, "no die is played that is not perfect")
        yield Fault(what="flaw", cite=cite, flaw=flaw)
    for die, size in enumerate(command.sizes, 1):
        if rules.least is not None and size < rules.least.value:
            least = rules.least
            yield Fault(what="undersize", cite=least.cite, die=die, size=size, limit=least.value)
        if rules.most is not None and size > rules.most.value:
            most = rules.most
            yield Fault(what="oversize", cite=most.cite, die=die, size=size, limit=most.value)
    one = rules.one_serial
    if one.value and len(set(command.serials)) > 1:
        yield Fault(what="serials", cite=one.cite)


def recall_dice(table: Table, command: cmd.RecallDice) -> Answer:
    """Return the event that calls the dice in until they are inspected, or a refusal."""
    grounds = table.house.book.inspection.recall
    custom = "the house may have the dice looked over at any time"
    recalled = ev.DiceRecalled(command.reason, _ground_cite(grounds, command.reason, custom))
    # Dice in the air cannot be recalled: the throw could never be called.
    return dice_custody.check_dice_in_air(table) or (recalled,)


def bring_in_new_set(table: Table, command: cmd.NewDice) -> Answer:
    """Return the event that brings in a new set of dice, or a refusal.

    A reason that the book does not list is cited as a custom.
    """
    refused = _check_exchange_time(table)
    if refused := refused or _check_set_playable(table, command.serial):
        return refused
    grounds = table.house.book.dice.new_set
    cite = _ground_cite(grounds, command.reason, "the house may always bring in a new set")
    return (ev.DiceChanged(command.reason, cite, command.serial),)


def _check_exchange_time(table: Table) -> Refusal | None:
    """Return a refusal if the dice are out and the book exchanges sets only between throws."""
    rule = table.house.book.inspection.exchange
    if not table.dice.out or rule.value == "any-time":
        return None
    return refuse("exchange-waits", rule.cite)


def _check_set_playable(table: Table, serial: str) -> Refusal | None:
    """Return a refusal if the set of dice with this serial number may not be put in play.

    An empty serial number means that the set is not known; it is always allowed.
    """
    dice, rules = table.dice, table.house.book.inspection
    if not serial:
        return None
    if serial == dice.serial:
        custom = "custom: a set is exchanged for another one"
        return refuse("set-in-play", custom, serial=serial)
    if serial in dice.cancelled:
        return refuse("set-cancelled", rules.cancelled_on.cite, serial=serial)
    if not rules.first.value or serial in dice.ready:
        return None
    return refuse("set-not-inspected", rules.first.cite, serial=serial)


def cancel_set(table: Table, command: cmd.CancelDice) -> Answer:
    """Return the event that cancels every die of a set that came off the table, or a refusal."""
    rules, dice = table.house.book.inspection, table.dice
    allowed, cite = present_roles(table.house, rules.by.value), rules.cancelled_on.cite
    if command.by not in allowed:
        return refuse("not-theirs-to-cancel", cite, allowed, by=command.by)
    if command.serial == dice.serial:
        return refuse("set-still-in-play", cite, serial=command.serial)
    if command.serial not in dice.retired:
        return refuse("no-such-set", cite, serial=command.serial)
    face = rules.cancelled_on.value or command.face
    if command.face not in (0, face):
        return refuse("cancel-face", cite, [face], face=command.face, on=face)
    return (ev.SetCancelled(command.serial, face, cite),)


_DICE_PER_THROW = 2


def lose_die(table: Table, command: cmd.LoseDie) -> Answer:
    """Return the event that a die is not found, or a refusal.

    The event says whether the game goes on or waits for a new set.
    """
    if not table.off_table:
        return refuse("no-die-left", "custom: a die that is here is not lost")
    if table.strayed == _DICE_PER_THROW:
        return refuse("both-lost", "custom: two dice are thrown, and no more can be lost")
    left = dice_custody.dice_set_size(table) - table.dice.lost - 1
    if left < _DICE_PER_THROW:
        return refuse("no-two-left", "custom: the game is played with two dice")
    rule = table.house.book.inspection.lost
    return (ev.DieLost(left, rule.value == "play-on", rule.cite),)


def find_die(table: Table, command: cmd.FindDie) -> Answer:
    """Return the event that a die was brought back, or a refusal.

    The event says whether the die must be inspected first.
    """
    if not table.off_table and not table.dice.lost:
        return refuse("no-die-left", "custom: there is no die to be found")
    rule = table.house.book.inspection.down_by
    return (ev.DieFound(bool(rule.value), rule.cite),)


def default_no_roll_caller(table: Table, ground: str) -> str:
    """Return the role that calls "no roll" for the reason ``ground`` if a command names no role.

    The first of these counts: the role that the reason lists, the house's choice, the book's first
    role, the stickperson.
    """
    rules, house = table.house.book.throw, table.house
    own = next((g.by.get(house.game) for g in rules.grounds if g.name == ground), None)
    if own:
        return own[0]
    if house.game in rules.designate and house.no_roll_by:
        return house.no_roll_by[0]
    callers = rules.callers.get(house.game)
    return callers.value[0] if callers is not None else "stickperson"


def default_inspector(table: Table) -> str:
    """Return the role that inspects or cancels the dice if a command names no role.

    It is the first that the book names and the game has, or else the role that watches the bank.
    """
    if is_automated(table):
        return "supervisor"  # A machine has no dice to inspect; the command is refused later.
    return next(iter(allowed_inspectors(table)[0]), posts.bank_post(table.house).who)
