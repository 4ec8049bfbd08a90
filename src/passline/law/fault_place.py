"""Where data is not of its type: the place by its keys, found by trying each part by itself.

msgspec gives the place of a fault in its message only, with the keys of tables left out. So nothing
is read from that: whatever is wrong is looked for further down, until no part of it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec.structs import fields

from passline.law.places import key_path


class DataFault(NamedTuple):
    """The place of a fault by its keys (empty: the whole), and what is wrong there, in words."""

    path: str
    reason: str

    def __str__(self) -> str:
        """The place first."""
        return f"{self.path}: {self.reason}" if self.path else self.reason


def find_fault(data: Any, kind: Any, path: str = "") -> DataFault | None:
    """The first part of some data that is not of its type; None: all of it is. A key that is not
    of its own type is a fault of its table.

    >>> str(find_fault({"points": {"4": 5, "six": "6"}}, dict[str, dict[str, int]]))
    'points.six: Expected `int`, got `str`'
    """
    try:
        msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as wrong:
        for key in data if isinstance(data, dict) and get_origin(kind) is dict else ():
            if (found := find_fault(key, get_args(kind)[0], path)) is not None:
                return found
        for key, part, below in _parts(data, kind):
            found = find_fault(part, below, key_path(path, key))
            if found is not None:
                return found
        return DataFault(path, str(wrong))
    return None


def _parts(data: Any, kind: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """The parts that some data of a type has: each by its key, with its own type."""
    origin, args = get_origin(kind) or kind, get_args(kind)
    if origin in (UnionType, Union):  # the latter of what has parameters: Cited[str] | None
        yield from _parts_of_one(data, args)
    elif isinstance(data, dict) and origin is dict:
        yield from ((key, part, args[1]) for key, part in data.items())
    elif isinstance(data, list) and origin is tuple:
        yield from ((at, part, args[0]) for at, part in enumerate(data))
    elif isinstance(data, dict) and hasattr(origin, "__struct_config__"):
        for field in fields(kind):
            if field.encode_name in data:
                yield field.encode_name, data[field.encode_name], field.type


def _parts_of_one(data: Any, members: tuple[Any, ...]) -> Iterator[tuple[str | int, Any, Any]]:
    """The parts of that member of a union which the data is meant to be: by its tag, or the one
    that can have parts."""
    structs = {m.__struct_config__.tag: m for m in members if hasattr(m, "__struct_config__")}
    tagged = [tag for tag in structs if tag is not None]
    if tagged and isinstance(data, dict):
        key = structs[tagged[0]].__struct_config__.tag_field
        if data.get(key) in tagged:
            yield from _parts(data, structs[data[key]])
        elif key in data:
            yield key, data[key], Literal[tuple(tagged)]
    else:
        for member in members:
            yield from _parts(data, member)
