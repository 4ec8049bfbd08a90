"""The contract's JSON of a record as it is dealt: one object, however long, in flat memory.

What stands at the end of a game comes first in the object, and nothing is printed of a record that
cannot be read to its end. So throws and refusals wait in files that go away by themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO

import click

from passline.house import House
from passline.record.deal import deal_lines, open_record
from passline.record.read import Record, RecordLine
from passline.record.report import entry_json, standing_json
from passline.words.calls import Caller

_CHUNK = 1 << 16


class _List:
    """A list of the object that is written down as it grows, and printed when it is whole."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.size = 0

    def add(self, found: object) -> None:
        """One thing more, as far in as it stands in the object."""
        lead = ",\n  " if self.size else "\n  "
        self.file.write(lead + json.dumps(found, indent=1).replace("\n", "\n  "))
        self.size += 1

    def print(self, name: str) -> None:
        click.echo(f',\n "{name}": [', nl=False)
        self.file.seek(0)
        while chunk := self.file.read(_CHUNK):
            click.echo(chunk, nl=False)
        click.echo("\n ]" if self.size else "]", nl=False)


def print_dealt(record: Record, lines: Iterable[RecordLine], house: House, call: Caller) -> bool:
    """Deal, and print one JSON object on standard output; whether anything was refused."""
    table = open_record(record, house)
    with ExitStack() as stack:
        lists = {
            name: _List(stack.enter_context(TemporaryFile("w+", encoding="ascii")))
            for name in ("rolls", "refusals")
        }
        for entry, before, after in deal_lines(table, lines):
            for name, found in entry_json(entry, before, call):
                lists[name].add(found)
            table = after
        standing = json.dumps(standing_json(table), indent=1)
        click.echo(standing.removesuffix("\n}"), nl=False)
        for name, whole in lists.items():
            whole.print(name)
        click.echo("\n}")
        return lists["refusals"].size > 0
