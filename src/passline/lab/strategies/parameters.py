"""The parameters of a strategy function: its keyword arguments, such as ``unit``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import Any

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import Strategy

#: What a parameter may be set to.
ParameterValue = int | float | bool | str


def bind_parameters(
    strategy: Strategy, values: Mapping[str, ParameterValue], name: str
) -> Strategy:
    """Return the strategy with these values for its keyword arguments.

    Raise StrategyError, which lists the parameters that the strategy has, for any other name.
    ``name`` is the strategy's name in that message.

    >>> from passline.lab.strategies.built_in import field
    >>> bind_parameters(field, {"stake": 5}, "field")
    Traceback (most recent call last):
    passline.lab.machines.bettor.StrategyError: field has no parameter 'stake': it has unit
    """
    if not values:
        return strategy
    takes, names = _find_parameters(strategy)
    for each in values:
        if each not in names and not takes:
            has = f"it has {', '.join(names)}" if names else "it takes a View and nothing else"
            raise StrategyError(f"{name} has no parameter {each!r}: {has}")
    return partial(strategy, **values)


def _find_parameters(strategy: Strategy) -> tuple[bool, list[str]]:
    """Return (any, names): whether a strategy takes any keyword, and the keywords that it names."""
    try:
        found: list[Any] = list(inspect.signature(strategy).parameters.values())
    except (TypeError, ValueError):
        return False, []
    keywords = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    names = [each.name for each in found if each.kind in keywords]
    positional = bool(found) and found[0].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    any_keyword = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in found)
    return any_keyword, names[1:] if positional else names


def describe_parameters(values: Mapping[str, ParameterValue]) -> str:
    """Return the values as a call shows them, such as "(unit=5)"; "" for none."""
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
