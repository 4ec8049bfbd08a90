"""Finding a strategy: a built-in's name, or ``file.py:function``."""

from __future__ import annotations

import difflib
import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, cast

import msgspec

from passline.machines import StrategyError, View
from passline.strategies.answer import Strategy
from passline.strategies.built_in import BUILT_IN
from passline.strategies.neighbours import Neighbours
from passline.strategies.patience import patience

LARGEST_FILE = 1_000_000  # bytes


class Loaded(msgspec.Struct, frozen=True):
    """A strategy: its name as messages and saved machines give it, and its function."""

    name: str
    function: Strategy


def load_strategy(text: str) -> Loaded:
    """The strategy that a name or ``file.py:function`` stands for.

    A file with one public function needs no ``:function``. Raises StrategyError, one line, for
    what cannot be found or loaded.

    >>> load_strategy("pass-odds").name
    'pass-odds'
    >>> load_strategy("pass-ods")
    Traceback (most recent call last):
    passline.machines.errors.StrategyError: there is no strategy 'pass-ods': did you mean \
pass-odds or dont-pass-odds? A strategy is a built-in's name or file.py:function
    """
    name = text.strip()
    if name in BUILT_IN:
        return Loaded(name, BUILT_IN[name])
    file, function = _parted(name)
    if file is None:
        raise StrategyError(_unknown(name))
    path = Path(file)
    code = _compiled(path)
    beside = Neighbours(path.resolve().parent)
    name, found = _function(_module(code, path, beside), path, function)
    return Loaded(f"{path.name}:{name}", beside.calling(found))


def _parted(text: str) -> tuple[str | None, str]:
    """The file and the function that are meant; no file where the text names none.

    The last colon parts them: a path may have others (a drive, say).
    """
    file, colon, function = text.rpartition(":")
    if colon and file and not any(slash in function for slash in "/\\"):
        if function.endswith(".py") and not file.endswith(".py"):
            return text, ""  # C:strategy.py
        return file, function
    return (text, "") if text.endswith(".py") else (None, "")


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), BUILT_IN, 2, 0.6)
    shown = repr(name if len(name) <= 60 else name[:57] + "...")
    hint = f"did you mean {' or '.join(near)}?" if near else f"built in are {', '.join(BUILT_IN)}."
    return (
        f"there is no strategy {shown}: {hint} A strategy is a built-in's name or file.py:function"
    )


def _source(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise StrategyError(f"{path} is a folder: expected a Python file with a strategy")
        if path.exists() and not path.is_file():
            raise StrategyError(f"{path} is no plain file: expected a Python file")
        with path.open("rb") as file:
            source = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise StrategyError(f"there is no strategy file {path}") from None
    except (OSError, ValueError) as wrong:  # ValueError: a path with a zero byte in it
        if isinstance(wrong, StrategyError):
            raise
        why = getattr(wrong, "strerror", None) or str(wrong)
        raise StrategyError(f"{str(path)!r} cannot be read: {why}") from None
    if len(source) > LARGEST_FILE:
        raise StrategyError(f"{path} is over {LARGEST_FILE // 1_000_000} MB: no strategy")
    return source


def _compiled(path: Path) -> CodeType:
    """The file's code. Compiled here, so that nothing is left beside it."""
    source = _source(path)
    try:
        return compile(source, str(path), "exec", dont_inherit=True)
    except SyntaxError as wrong:
        line = f"line {wrong.lineno}: " if wrong.lineno else ""
        raise StrategyError(f"{path} is not Python: {line}{wrong.msg}") from None
    except (ValueError, RecursionError, MemoryError) as wrong:
        raise StrategyError(f"{path} is not Python: {wrong}") from None


def _module(code: CodeType, path: Path, beside: Neighbours) -> ModuleType:
    """The file, run as a module of its own."""
    own = hashlib.sha256(str(path.resolve()).encode(errors="surrogateescape")).hexdigest()[:16]
    module = ModuleType(f"_strategy_{path.stem}_{own}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses, for one, look their module up
    try:
        with patience(), beside, redirect_stdout(sys.stderr):
            exec(code, module.__dict__)
    except BaseException as wrong:
        del sys.modules[module.__name__]
        if isinstance(wrong, KeyboardInterrupt):
            raise
        raise StrategyError(f"{path} cannot be loaded: {_told(wrong, path)}") from None
    return module


def _told(wrong: BaseException, path: Path) -> str:
    """What an exception says, with the last line of the file that it went through."""
    frames = traceback.extract_tb(wrong.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    where = f"line {lines[-1]}: " if lines else ""
    if isinstance(wrong, StrategyError):
        return f"{where}{wrong}"
    said = " ".join(str(wrong).split())[:200]
    return f"{where}{type(wrong).__name__}{': ' if said else ''}{said}"


def _function(module: ModuleType, path: Path, name: str) -> tuple[str, Strategy]:
    own = _functions(module)
    if not name:
        if len(own) != 1:
            raise StrategyError(f"{path}: which function? Say {path}:FUNCTION, {_listed(own)}")
        name = own[0]
    if not hasattr(module, name):
        near = difflib.get_close_matches(name, own, 1)
        hint = f"did you mean {near[0]}?" if near else _listed(own)
        raise StrategyError(f"{path} has no function {name!r}: {hint}")
    found: Any = getattr(module, name)
    if not callable(found):
        raise StrategyError(f"{path}: {name} is {type(found).__name__}, not a function")
    _check_kind(found, f"{path}:{name}")
    return name, cast("Strategy", found)


def _functions(module: ModuleType) -> list[str]:
    """The public functions that the file itself makes."""
    return [
        name
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and thing.__code__.co_filename == module.__file__
    ]


def _listed(names: list[str]) -> str:
    return f"it has {', '.join(names)}" if names else "it has no public functions"


def _check_kind(function: Callable[..., Any], name: str) -> None:
    if inspect.iscoroutinefunction(function):
        raise StrategyError(f"{name} is async, and a strategy answers at once")
    if inspect.isgeneratorfunction(function):
        raise StrategyError(f"{name} is a generator: return the says, do not yield them")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # a builtin that does not tell: it is found out when it is called
    try:
        signature.bind(View(None, {}))
    except TypeError:
        raise StrategyError(
            f"{name}{signature} cannot be a strategy: it must take one View and nothing else"
        ) from None
