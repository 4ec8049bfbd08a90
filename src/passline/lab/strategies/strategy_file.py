"""Run a user's strategy file and find its function. Used in the child process only."""

from __future__ import annotations

import difflib
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType
from typing import Any, cast

from passline.lab.machines.bettor import StrategyError, View
from passline.lab.strategies.ask import Strategy, show_shortened
from passline.lab.strategies.crapssim.adapter import CrapssimStrategy, is_crapssim_strategy
from passline.lab.strategies.crapssim.expressions import evaluate_expression
from passline.lab.strategies.parameters import (
    ParameterValue,
    bind_parameters,
    split_call,
    takes_view_and_keywords,
)
from passline.optional_packages import missing_extra


def load_from_file(
    file: str,
    source: bytes,
    function: str,
    parameters: Mapping[str, ParameterValue] = MappingProxyType({}),
) -> tuple[str, Strategy]:
    """Run the source of a file, and return (name, strategy), with a name such as ``own.py:play``.

    ``function`` names the strategy function, or is a call that makes a strategy, such as
    ``Name(5)``. If it is empty, use the file's only public function. The function gets
    ``parameters`` as its keyword arguments. The file may import modules from its own folder;
    nothing is written there. Raise StrategyError (message of one line) if there is no such
    function.
    """
    path = Path(file)
    code = _compile_source(path, source)
    sys.path.insert(0, str(path.resolve().parent))
    sys.dont_write_bytecode = True
    name, found = _find_function(_run_module(code, path), path, function, parameters)
    return f"{path.name}:{name}", found


def _compile_source(path: Path, source: bytes) -> CodeType:
    try:
        return compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f"line {error.lineno}: " if error.lineno else ""
        raise StrategyError(f"{path} is not Python: {line}{error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise StrategyError(f"{path} is not Python: {show_shortened(error)}") from None


def _run_module(code: CodeType, path: Path) -> ModuleType:
    module = ModuleType(f"_strategy_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # Dataclasses look up their module here.
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        raise StrategyError(f"{path} cannot be loaded: {_describe_error(error, path)}") from None
    return module


def _describe_error(error: BaseException, path: Path) -> str:
    """Return an exception's type and text, with the line of the file where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    where = f"line {lines[-1]}: " if lines else ""
    missing = missing_extra(error, "it") if isinstance(error, ImportError) else None
    if missing:
        return f"{where}{missing}"
    text = show_shortened(error)
    return f"{where}{type(error).__name__}{': ' if text else ''}{text}"


def _find_function(
    module: ModuleType, path: Path, name: str, parameters: Mapping[str, ParameterValue]
) -> tuple[str, Strategy]:
    if "(" in name:
        called, own_values = split_call(name)
        maker = getattr(module, called, None)
        if takes_view_and_keywords(maker, own_values):
            return name, _make_strategy(maker, called, path, {**own_values, **parameters})
        made = evaluate_expression(name, vars(module), f"{path}:")
        return name, _make_strategy(made, name, path, parameters)
    own = _public_functions(module)
    if not name:
        if len(own) != 1:
            raise StrategyError(f"{path}: which function? Say {path}:FUNCTION, {_list_names(own)}")
        name = own[0]
    if not hasattr(module, name):
        near = difflib.get_close_matches(name, own, 1)
        hint = f"did you mean {near[0]}?" if near else _list_names(own)
        raise StrategyError(f"{path} has no function {name!r}: {hint}")
    found: Any = getattr(module, name)
    if is_crapssim_strategy(found) and isinstance(found, type):
        found = evaluate_expression(f"{name}()", vars(module), f"{path}:")
    return name, _make_strategy(found, name, path, parameters)


def _make_strategy(
    found: Any, name: str, path: Path, parameters: Mapping[str, ParameterValue]
) -> Strategy:
    """Return a value from the file as a strategy: a function, or a crapssim strategy.

    A function gets ``parameters`` as its keyword arguments. Raise StrategyError if the value is
    neither.
    """
    if is_crapssim_strategy(found):
        if parameters:
            raise StrategyError(f"{path}:{name} is a crapssim strategy: it has no parameters here")
        return CrapssimStrategy(found, f"{path.name}:{name}")
    if not callable(found):
        raise StrategyError(f"{path}: {name} is {type(found).__name__}, not a function")
    bound = bind_parameters(cast("Strategy", found), parameters, f"{path}:{name}")
    _check_signature(bound, f"{path}:{name}")
    return bound


def _public_functions(module: ModuleType) -> list[str]:
    return [
        name
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and thing.__code__.co_filename == module.__file__
    ]


def _list_names(names: list[str]) -> str:
    return f"it has {', '.join(names)}" if names else "it has no public functions"


def _check_signature(function: Callable[..., Any], name: str) -> None:
    if inspect.iscoroutinefunction(function):
        raise StrategyError(f"{name} is async, and a strategy answers at once")
    if inspect.isgeneratorfunction(function):
        raise StrategyError(f"{name} is a generator: return the says, do not yield them")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Some builtins have no signature; a wrong one fails when it is called.
    try:
        signature.bind(View(None, {}))
    except TypeError:
        raise StrategyError(
            f"{name}{signature} cannot be a strategy: it must take one View and nothing else"
        ) from None
