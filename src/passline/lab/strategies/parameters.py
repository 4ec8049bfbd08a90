"""The parameters of a strategy function: its keyword arguments, such as ``unit``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import Strategy

#: What a parameter may be set to.
ParameterValue = int | float | bool | str

#: A call with keyword arguments alone, such as ``pass(unit=5)``, and one of its arguments.
_ARGUMENT = r"\s*([A-Za-z_]\w*)\s*=([^(),=]*[^(),=\s][^(),=]*)"
_KEYWORD_CALL = re.compile(rf"([^()]+)\({_ARGUMENT}(,{_ARGUMENT})*\)")


def split_call(text: str) -> tuple[str, dict[str, ParameterValue]]:
    """Return (name, parameters) of a call with keyword arguments; (text, {}) for any other text.

    >>> split_call("pass(unit=5, own=true)"), split_call("pass(5)")
    (('pass', {'unit': 5, 'own': True}), ('pass(5)', {}))
    """
    if _KEYWORD_CALL.fullmatch(text) is None:
        return text, {}
    name, _, arguments = text.partition("(")
    return name, {key: parse_parameter(value) for key, value in re.findall(_ARGUMENT, arguments)}


def parse_parameter(text: str) -> ParameterValue:
    """Return the value that a user typed: true or false, a number, or else text.

    >>> parse_parameter("5"), parse_parameter("2.5"), parse_parameter("True"), parse_parameter("x")
    (5, 2.5, True, 'x')
    """
    text = text.strip()
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if re.fullmatch(r"[+-]?[0-9]{1,15}", text):
        return int(text)
    if re.fullmatch(r"[+-]?[0-9]{1,15}\.[0-9]{1,15}", text):
        return float(text)
    quoted = re.fullmatch(r"(['\"])(.*)\1", text)
    return quoted[2] if quoted else text


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
    """Return (any, names): whether a strategy takes any keyword, and the keywords that it names.

    Return (False, []) for a strategy without a readable signature.
    """
    try:
        found: list[Any] = list(inspect.signature(strategy).parameters.values())
    except (TypeError, ValueError):
        return False, []
    keywords = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    names = [each.name for each in found if each.kind in keywords]
    positional = bool(found) and found[0].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    any_keyword = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in found)
    return any_keyword, names[1:] if positional else names


def takes_view_and_keywords(maker: object, values: Mapping[str, ParameterValue]) -> bool:
    """Return whether ``maker`` is a function that requires one argument besides these keywords.

    It must be the first argument: the View of a strategy with parameters. If the result is false,
    the user means a call that makes a strategy.
    """
    if not inspect.isfunction(maker):
        return False
    signature = inspect.signature(maker)
    needed = [
        name
        for name, each in signature.parameters.items()
        if each.default is each.empty
        and each.kind in (each.POSITIONAL_OR_KEYWORD, each.POSITIONAL_ONLY)
        and name not in values
    ]
    return needed == list(signature.parameters)[:1]


def describe_parameters(values: Mapping[str, ParameterValue]) -> str:
    """Return the values as a call shows them, such as "(unit=5)"; "" for none."""
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
