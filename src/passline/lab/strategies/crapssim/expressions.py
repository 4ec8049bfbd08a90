"""Read the name of a crapssim strategy, such as ``crapssim:IronCross(5)``.

The text is an expression of literals, known names, calls of them, and ``+``, and nothing else.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import operator
from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from typing import Any

from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import show_shortened
from passline.lab.strategies.built_in import UNIT
from passline.lab.strategies.crapssim.adapter import CrapssimStrategy, is_crapssim_strategy
from passline.optional_packages import missing_extra

CRAPSSIM_PREFIX = "crapssim:"
_STRATEGY_MODULES = ("tools", "odds", "single_bet", "examples")
_MAX_LENGTH = 1_000  # characters


def load_crapssim_strategy(text: str) -> tuple[str, CrapssimStrategy]:
    """Return (full name, strategy) for the text after ``crapssim:``.

    An amount that a constructor requires and the text omits is $10, as in the built-in strategies.
    Raise StrategyError (message of one line) for a strategy that cannot be found or made.
    Raise MissingExtra if crapssim is not installed.
    """
    wanted = text.removeprefix(CRAPSSIM_PREFIX).strip()
    names = list_crapssim_names()
    if wanted.isidentifier() and wanted in names:
        wanted += f"({', '.join(_default_amounts(names[wanted], wanted))})"
    found = evaluate_expression(wanted, names, CRAPSSIM_PREFIX)
    if not is_crapssim_strategy(found) or isinstance(found, type):
        raise StrategyError(f"{CRAPSSIM_PREFIX}{wanted} is not a crapssim strategy")
    name = CRAPSSIM_PREFIX + ast.unparse(ast.parse(wanted, mode="eval"))
    return name, CrapssimStrategy(found, name)


def list_crapssim_names() -> dict[str, Any]:
    """Return a dict from name to class of every strategy, bet and mode of crapssim.

    Raise MissingExtra if crapssim is not installed.
    """
    try:
        homes = [import_module(f"crapssim.strategy.{home}") for home in _STRATEGY_MODULES]
        homes.append(import_module("crapssim.bet"))
    except ModuleNotFoundError as error:
        raise missing_extra(error, "a strategy of crapssim's") or error from None
    return {
        name: thing
        for home in homes
        for name, thing in vars(home).items()
        if isinstance(thing, type)
        and thing.__module__ == home.__name__
        and not name.startswith("_")
    }


def evaluate_expression(text: str, names: Mapping[str, Any], where: str) -> Any:
    """Return the value of an expression that may use only ``names``.

    Raise StrategyError, with a message that begins with ``where``, if the expression is not allowed
    or fails.

    >>> evaluate_expression("dict(six=[12, -1])", {"dict": dict}, "own.py:")
    {'six': [12, -1]}
    >>> evaluate_expression("open('x')", {}, "own.py:")
    Traceback (most recent call last):
    passline.lab.machines.bettor.StrategyError: own.py:open('x'): there is no 'open'
    """
    title = f"{where}{text[:80]}"
    try:
        if len(text) > _MAX_LENGTH:
            raise ValueError
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise StrategyError(f"{title}: expected NAME or NAME(ARGUMENT, ...)") from None
    try:
        return _evaluate(tree, names)
    except StrategyError as error:
        raise StrategyError(f"{title}: {error}") from None
    except Exception as error:  # A constructor may raise anything.
        why = show_shortened(error) or type(error).__name__
        raise StrategyError(f"{title} cannot be made: {why}") from None


def _evaluate(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Call):
        made = _evaluate(node.func, names)
        arguments = [_evaluate(one, names) for one in node.args]
        named = {key.arg: _evaluate(key.value, names) for key in node.keywords if key.arg}
        if len(named) < len(node.keywords) or not callable(made):
            raise StrategyError("expected NAME(ARGUMENT, ...)")
        return made(*arguments, **named)
    if isinstance(node, ast.Name):
        return _look_up(node.id, names)
    if isinstance(node, ast.Attribute):
        kind = _evaluate(node.value, names)  # a mode, such as StrategyMode.REPLACE
        if isinstance(kind, type) and issubclass(kind, Enum) and node.attr in kind.__members__:
            return kind[node.attr]
        raise StrategyError(f"there is no {node.attr!r}")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return operator.add(_evaluate(node.left, names), _evaluate(node.right, names))
    if isinstance(node, ast.Dict) and None not in node.keys:
        keys = [_evaluate(key, names) for key in node.keys if key is not None]
        return dict(zip(keys, [_evaluate(value, names) for value in node.values], strict=True))
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        made = [_evaluate(one, names) for one in node.elts]
        return {ast.List: list, ast.Tuple: tuple, ast.Set: set}[type(node)](made)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise StrategyError(f"{ast.unparse(node)[:40]!r} is more than a name or a value") from None


def _look_up(name: str, names: Mapping[str, Any]) -> Any:
    if name in names and not name.startswith("_"):
        return names[name]
    near = difflib.get_close_matches(name, names, 1, 0.6)
    hint = f": did you mean {near[0]}?" if near else ""
    raise StrategyError(f"there is no {name!r}{hint}")


def _default_amounts(maker: Any, name: str) -> list[str]:
    """Return a list with "10" for each amount that the constructor ``maker`` requires.

    Raise StrategyError if it requires anything other than amounts.
    """
    needed = [
        parameter.name
        for parameter in inspect.signature(maker).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind is not parameter.VAR_POSITIONAL
        and parameter.kind is not parameter.VAR_KEYWORD
    ]
    if all(one.endswith("amount") for one in needed):
        return [f"{UNIT}" for _ in needed]
    raise StrategyError(
        f"{CRAPSSIM_PREFIX}{name} needs {', '.join(needed)}: say {CRAPSSIM_PREFIX}{name}(...)"
    )
