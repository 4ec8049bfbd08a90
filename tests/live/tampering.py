"""Ways to tamper with a log: every leaf of an entry made another, and hashes made good again."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from typing import Any

from passline.live.audit.audit import Audit, AuditResult, Receipt
from passline.live.hash_chain import hash_body
from passline.live.log_entries import encode_canonical

Fields = dict[str, Any]
Place = tuple[str | int, ...]


def fields_of(log: bytes) -> list[Fields]:
    return [json.loads(line) for line in log.splitlines()]


def text_of(entries: list[Fields]) -> list[bytes]:
    return [encode_canonical(entry) for entry in entries]


def leaves(value: Any, path: Place = ()) -> Iterator[Place]:
    """Where every value in an entry stands, empty lists and objects too."""
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.items()
    elif isinstance(value, list):
        parts = enumerate(value)
    if not parts:
        yield path
    for key, part in parts:
        yield from leaves(part, (*path, key))


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        if len(value) == 64 and value[-1] in "0123456789abcdef":
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        return f"{value[:-1]}{chr(ord(value[-1]) ^ 1)}" if value else "x"
    return {"x": 1} if isinstance(value, dict) else [1] if isinstance(value, list) else "x"


def changed(entries: list[Fields], number: int, path: Place) -> list[Fields]:
    """The same log, one value of one entry made another."""
    found = list(entries)
    found[number] = copy.deepcopy(found[number])
    place = found[number]
    for key in path[:-1]:
        place = place[key]  # type: ignore[index]
    place[path[-1]] = other(place[path[-1]])  # type: ignore[index]
    return found


def mended(entries: list[Fields], start: int = 0) -> list[Fields]:
    """The same log with its hashes made good from an entry on, as a forger would."""
    found = entries[:start]
    prev = found[-1]["hash"] if found else ""
    for entry in entries[start:]:
        body = {**entry, "prev": prev}
        body.pop("hash", None)
        prev = hash_body(encode_canonical(body))
        found.append({**body, "hash": prev})
    return found


def audited(lines: Iterable[bytes], *receipts: Receipt, table: str = "") -> AuditResult:
    audit = Audit(table, receipts)
    audit.add_lines(lines)
    return audit.end()
