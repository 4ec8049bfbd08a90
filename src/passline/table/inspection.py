"""The set of dice: looked over, called in, exchanged and cancelled."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.book import Ground
from passline.layout import Refusal, refuse
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.posts import absent, at_work
from passline.table.state import Fault, Table


def _named(grounds: tuple[Ground, ...], name: str, custom: str) -> str:
    """What a ground is cited by, where the book has it."""
    found = next((ground for ground in grounds if ground.name == name), None)
    return found.cite if found is not None else f"custom: {custom}"


def inspectors(table: Table) -> tuple[tuple[str, ...], str]:
    """Who may inspect, and by which clause: for a die that was down it may be somebody else."""
    rules, bar = table.house.book.inspection, table.dice.bar
    rule = rules.down_by if bar is not None and bar.why == "down" else rules.by
    return at_work(table.house, rule.value), rule.cite


def _examiners(table: Table, by: str) -> tuple[tuple[str, ...], str] | None:
    """Who besides may examine dice in play that nobody called in; None: not somebody here."""
    rule = table.house.book.inspection.in_play_by
    if rule is None or table.dice.bar is not None or absent(table.house, by) is not None:
        return None
    return (rule.value, rule.cite) if by in rule.value else None


def inspect(table: Table, ask: cmd.InspectDice) -> Answer:
    """A set is looked over: the one in play, or one that is to come in."""
    if custody.automated(table):
        return custody.no_dice(table)
    serial = ask.serials[0] if ask.serials else ""
    in_play = serial in ("", table.dice.serial)
    allowed, cite = inspectors(table)
    if in_play and ask.by not in allowed:
        allowed, cite = _examiners(table, ask.by) or (allowed, cite)
    if ask.by not in allowed:
        return refuse("not-theirs-to-inspect", cite, allowed, by=ask.by)
    refused = _brought_in(table) if in_play else _to_come(table, ask, serial)
    faults = tuple(_faults(table, ask))
    if not (in_play and faults):  # one die that is not fit is enough to stop the set in play
        refused = refused or _whole(table, ask)
    if refused is not None:
        return refused
    return (
        ev.DiceInspected(by=ask.by, serial="" if in_play else serial, faults=faults, cite=cite),
    )


def _brought_in(table: Table) -> Refusal | None:
    if not table.dice.out:
        return None
    custom = "custom: dice are inspected where the officials can reach them"
    return refuse("drawn-back-first", custom)


def _to_come(table: Table, ask: cmd.InspectDice, serial: str) -> Refusal | None:
    """A set that is to come in must not be cancelled, and is measured where the book says so."""
    rules = table.house.book.inspection
    if serial in table.dice.cancelled:
        return refuse("set-cancelled", rules.cancelled_on.cite, serial=serial)
    if ask.sizes or not rules.measured.value:
        return None
    return refuse("measure-each", rules.measured.cite)


def _whole(table: Table, ask: cmd.InspectDice) -> Refusal | None:
    """A set is not found fit by some of its dice only, in play or not."""
    size = custody.set_size(table)
    if len(ask.sizes) in (0, size):
        return None
    cite = table.house.book.dice.set_of.cite
    return refuse("measure-all", cite, size=size, measured=len(ask.sizes))


def _faults(table: Table, ask: cmd.InspectDice) -> Iterator[Fault]:
    """What is wrong with the dice: what is seen, then what is measured, then their numbers."""
    rules = table.house.book.inspection
    for flaw in ask.flaws:
        cite = _named(rules.flaws, flaw, "no die is played that is not perfect")
        yield Fault(what="flaw", cite=cite, flaw=flaw)
    for die, size in enumerate(ask.sizes, 1):
        if rules.least is not None and size < rules.least.value:
            least = rules.least
            yield Fault(what="undersize", cite=least.cite, die=die, size=size, limit=least.value)
        if rules.most is not None and size > rules.most.value:
            most = rules.most
            yield Fault(what="oversize", cite=most.cite, die=die, size=size, limit=most.value)
    one = rules.one_serial
    if one.value and len(set(ask.serials)) > 1:
        yield Fault(what="serials", cite=one.cite)


def recall(table: Table, ask: cmd.RecallDice) -> Answer:
    """The dice are called in, and stay in until somebody has looked them over."""
    if custody.automated(table):
        return custody.no_dice(table)
    refused = custody.check_in_air(
        table
    )  # they would lie there for ever, and nobody could call them
    if refused is not None:
        return refused
    grounds = table.house.book.inspection.recall
    cite = _named(grounds, ask.reason, "the house may have the dice looked over at any time")
    return (ev.DiceRecalled(ask.reason, cite),)


def new_dice(table: Table, ask: cmd.NewDice) -> Answer:
    """A new set of dice, for a reason the book has."""
    if custody.automated(table):
        return custody.no_dice(table)
    refused = _exchanged(table) or (_playable(table, ask.serial) if ask.serial else None)
    if refused is not None:
        return refused
    grounds = table.house.book.dice.new_set
    cite = _named(grounds, ask.reason, "the house may always bring in a new set")
    return (ev.DiceChanged(ask.reason, cite, ask.serial),)


def _exchanged(table: Table) -> Refusal | None:
    """Sets are exchanged between throws: after one is settled, before the dice go out again."""
    rule = table.house.book.inspection.exchange
    if not table.dice.out or rule.value == "any-time":
        return None
    return refuse("exchange-waits", rule.cite)


def _playable(table: Table, serial: str) -> Refusal | None:
    """Whether a set that goes by its number may be played."""
    dice, rules = table.dice, table.house.book.inspection
    if serial == dice.serial:
        custom = "custom: a set is exchanged for another one"
        return refuse("set-in-play", custom, serial=serial)
    if serial in dice.cancelled:
        return refuse("set-cancelled", rules.cancelled_on.cite, serial=serial)
    if not rules.first.value or serial in dice.ready:
        return None
    return refuse("set-not-inspected", rules.first.cite, serial=serial)


def cancel(table: Table, ask: cmd.CancelDice) -> Answer:
    """Every die of a set that came off the table is cancelled, on the face that the book has."""
    if custody.automated(table):
        return custody.no_dice(table)
    rules, dice = table.house.book.inspection, table.dice
    allowed, cite = at_work(table.house, rules.by.value), rules.cancelled_on.cite
    if ask.by not in allowed:
        return refuse("not-theirs-to-cancel", cite, allowed, by=ask.by)
    if ask.serial == dice.serial:
        return refuse("set-still-in-play", cite, serial=ask.serial)
    if ask.serial not in dice.retired:
        return refuse("no-such-set", cite, serial=ask.serial)
    face = rules.cancelled_on.value or ask.face
    if ask.face not in (0, face):
        return refuse("cancel-face", cite, [face], face=ask.face, on=face)
    return (ev.SetCancelled(ask.serial, face, cite),)
