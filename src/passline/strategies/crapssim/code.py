"""What a strategy's own code may look at, and whether it hears of throws: read from its classes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

#: Modules whose functions are nobody's strategy; crapssim's classes tell for themselves.
_NOT_OWN = sys.stdlib_module_names | {"crapssim"}


def parts_of(strategy: Any) -> list[Any]:
    """A strategy and everything of its own that it is made of, each object once."""
    found: dict[int, Any] = {}
    waiting = [strategy]
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, str | bytes | int | float | type | None):
            continue
        found[id(thing)] = thing
        if isinstance(thing, dict):
            waiting += [*thing.keys(), *thing.values()]
        elif isinstance(thing, list | tuple | set | frozenset):
            waiting += thing
        elif hasattr(thing, "__dict__") and not isinstance(thing, FunctionType):
            waiting += vars(thing).values()
    return list(found.values())


def names_used(strategy: Any) -> frozenset[str]:
    """Every name that the code of a strategy, or of the files that it comes from, looks up."""
    names: set[str] = set()
    for code in _codes(parts_of(strategy)):
        names.update(code.co_names)
        names.update(word for word in code.co_consts if isinstance(word, str))
    return frozenset(names)


def hears_throws(strategy: Any) -> bool:
    """Whether any part of a strategy does something when the dice have fallen."""
    tools = sys.modules["crapssim.strategy.tools"]
    silent = {tools.Strategy.after_roll, tools.AggregateStrategy.after_roll}
    return any(
        type(part).after_roll not in silent
        for part in parts_of(strategy)
        if isinstance(part, tools.Strategy)
    )


def _codes(parts: list[Any]) -> Iterator[CodeType]:
    seen: set[CodeType] = set()
    waiting = [code for part in parts for code in _own(part)]
    while waiting:
        code = waiting.pop()
        if code not in seen:
            seen.add(code)
            waiting += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
            yield code


def _own(part: Any) -> Iterator[CodeType]:
    """The code of a function, of an object's classes, and of what stands beside them."""
    homes: list[Any] = []
    if isinstance(part, FunctionType):
        yield part.__code__
        homes.append(sys.modules.get(part.__module__))
    for kind in type(part).__mro__:
        homes += [kind, sys.modules.get(kind.__module__)]
    for home in homes:
        if home is None or (not isinstance(home, type) and _package_of(home) in _NOT_OWN):
            continue
        for thing in vars(home).values():
            for function in (thing, getattr(thing, "fget", None), getattr(thing, "__func__", None)):
                if isinstance(function, FunctionType):
                    yield function.__code__


def _package_of(module: Any) -> str:
    return str(module.__name__).partition(".")[0]
