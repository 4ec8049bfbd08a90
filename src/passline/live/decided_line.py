"""A line that the engine has decided: what the answer says, and what the log gets. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.state import Table
from passline.live.live_table import MACHINE
from passline.live.log_entries import Draft
from passline.live.schema import LineDecision
from passline.talk.canonical import format_command


class DecidedLine(Struct, frozen=True):
    """A line as the engine decided it: a decision for each command, and what the log gets.

    The log gets ``line``, with only the accepted commands, and their ``events``. Both are empty if
    every command was refused.
    """

    decisions: tuple[LineDecision, ...]
    line: str = ""
    events: tuple[ev.AnyEvent, ...] = ()
    #: The table after the events, if deciding the line computed it.
    table_after: Table | None = None
    #: Further fields of the entry: ``corrects`` and ``repeats`` of a correction.
    more: Mapping[str, Any] = {}


def make_machine_line(
    command: cmd.Bet | cmd.TakeDown, events: tuple[ev.AnyEvent, ...]
) -> DecidedLine:
    """Return a command and its events as a decided line, to be written by the auto dealer."""
    words = format_command(command)
    return DecidedLine((LineDecision(words, words, None),), f"{command.player}: {words}", events)


def make_machine_draft(decided: DecidedLine) -> Draft:
    """Return the draft of an auto dealer's entry: a decided line with its events."""
    events = [codec.event_to_builtins(event) for event in decided.events]
    return Draft(role=MACHINE, by=MACHINE, line=decided.line, events=events)
