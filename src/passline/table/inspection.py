"""The set of dice: looked over, called in, exchanged and cancelled."""

from __future__ import annotations

from collections.abc import Iterator

from passline.law.book import Ground
from passline.layout import Refusal
from passline.table import commands as cmd
from passline.table import custody
from passline.table import events as ev
from passline.table.events import Answer
from passline.table.posts import absent, officials
from passline.table.state import DOWN, Table

_LOOKS = "custom: an official of the table looks the dice over"


def inches(size: int) -> str:
    """A measurement as a micrometer shows it.

    >>> inches(7502)
    '0.7502'
    """
    return f"{size // 10_000}.{size % 10_000:04d}"


def _named(grounds: tuple[Ground, ...], name: str, custom: str) -> str:
    """What a ground is cited by, where the book has it."""
    found = next((ground for ground in grounds if ground.name == name), None)
    return found.cite if found is not None else f"custom: {custom}"


def _inspectors(table: Table, in_play: bool) -> tuple[dict[str, str], str]:
    """Who may inspect, each by which clause, and the clause that names them: for a die that was
    down it may be somebody else. Dice in play that nobody called in others may examine too."""
    rules, bar = table.house.book.inspection, table.dice.bar
    rule = rules.down_by if bar is not None and bar.why == DOWN else rules.by
    if rule is None:
        return dict.fromkeys(officials(table.house), _LOOKS), _LOOKS
    found: dict[str, str] = dict.fromkeys(rule.value, rule.cite)
    also = rules.in_play_by
    if also is not None and found and in_play and bar is None:
        here = [role for role in also.value if absent(table.house, role) is None]
        found |= {role: also.cite for role in here if role not in found}
    return found, rule.cite


def inspect(table: Table, ask: cmd.InspectDice) -> Answer:
    """A set is looked over: the one in play, or one that is to come in."""
    if custody.automated(table):
        return custody.no_dice(table)
    serial = ask.serials[0] if ask.serials else ""
    in_play = serial in ("", table.dice.serial)
    allowed, cite = _inspectors(table, in_play)
    by = ask.by or next(iter(allowed), "")
    if by not in allowed:
        return Refusal(f"the {by} does not inspect the dice: {' or '.join(allowed)} does", cite)
    refused = _brought_in(table) if in_play else _to_come(table, ask, serial)
    faults = tuple(_faults(table, ask))
    if not (in_play and faults):  # one die that is not fit is enough to stop the set in play
        refused = refused or _whole(table, ask)
    if refused is not None:
        return refused
    return (ev.DiceInspected(by, "" if in_play else serial, faults, allowed[by]),)


def _brought_in(table: Table) -> Refusal | None:
    if not table.dice.out:
        return None
    return Refusal(
        "the dice are out: they are drawn back first",
        "custom: dice are inspected where the officials can reach them",
    )


def _to_come(table: Table, ask: cmd.InspectDice, serial: str) -> Refusal | None:
    """A set that is to come in must not be cancelled, and is measured where the book says so."""
    rules = table.house.book.inspection
    if serial in table.dice.cancelled:
        return Refusal(f"set {serial} is cancelled", _cancelled(table))
    if ask.sizes or rules.measured is None or not rules.measured.value:
        return None
    return Refusal("a set that is to come in is measured, die by die", rules.measured.cite)


def _whole(table: Table, ask: cmd.InspectDice) -> Refusal | None:
    """A set is not found fit by some of its dice only, in play or not."""
    size = custody.set_size(table)
    if len(ask.sizes) in (0, size):
        return None
    cite = table.house.book.dice.set_of.cite
    return Refusal(f"a set has {size} dice, and {len(ask.sizes)} were measured", cite)


def _faults(table: Table, ask: cmd.InspectDice) -> Iterator[ev.Fault]:
    """What is wrong with the dice: what is seen, then what is measured, then their numbers."""
    rules = table.house.book.inspection
    for flaw in ask.flaws:
        yield ev.Fault(flaw, _named(rules.flaws, flaw, "no die is played that is not perfect"))
    for number, size in enumerate(ask.sizes, 1):
        for limit, wrong in ((rules.least, "under"), (rules.most, "over")):
            if limit is None or limit.value == size or (size < limit.value) != (wrong == "under"):
                continue
            words = f"die {number} measures {inches(size)}, {wrong} {inches(limit.value)}"
            yield ev.Fault(words, limit.cite)
    one = rules.one_serial
    if one is not None and one.value and len(set(ask.serials)) > 1:
        yield ev.Fault("the serial numbers differ", one.cite)


def recall(table: Table, ask: cmd.RecallDice) -> Answer:
    """The dice are called in, and stay in until somebody has looked them over."""
    if custody.automated(table):
        return custody.no_dice(table)
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
    if not table.dice.out or (rule is not None and rule.value == "any-time"):
        return None
    cite = rule.cite if rule else "custom: a set is exchanged only while the dice are in"
    return Refusal("the dice are out: a set is exchanged once the roll is over", cite)


def _playable(table: Table, serial: str) -> Refusal | None:
    """Whether a set that goes by its number may be played."""
    dice, first = table.dice, table.house.book.inspection.first
    if serial == dice.serial:
        return Refusal(f"set {serial} is in play", "custom: a set is exchanged for another one")
    if serial in dice.cancelled:
        return Refusal(f"set {serial} is cancelled", _cancelled(table))
    if first is None or not first.value or serial in dice.ready:
        return None
    return Refusal(f"set {serial} has not passed an inspection", first.cite)


def _cancelled(table: Table) -> str:
    rule = table.house.book.inspection.cancelled_on
    return rule.cite if rule else "custom: a cancelled set is never played again"


def cancel(table: Table, ask: cmd.CancelDice) -> Answer:
    """Every die of a set that came off the table is cancelled, on the face that the book has."""
    if custody.automated(table):
        return custody.no_dice(table)
    rules, dice, cite = table.house.book.inspection, table.dice, _cancelled(table)
    allowed = rules.by.value if rules.by is not None else officials(table.house)
    by = ask.by or next(iter(allowed), "")
    if by not in allowed:
        return Refusal(f"the {by} does not cancel dice: {' or '.join(allowed)} does", cite)
    if ask.serial == dice.serial:
        return Refusal(f"set {ask.serial} is in play: it comes off the table first", cite)
    if ask.serial not in dice.retired:
        return Refusal(f"no set {ask.serial} came off this table", cite)
    face = rules.cancelled_on.value if rules.cancelled_on is not None else ask.face
    if ask.face not in (0, face):
        return Refusal(f"dice are cancelled on the {face}, not on the {ask.face}", cite)
    return (ev.SetCancelled(ask.serial, face, cite),)
