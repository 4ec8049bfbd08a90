"""Find a strategy by what a user types: a built-in name, a file, a policy, or a crapssim class."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from math import lcm
from pathlib import Path
from types import MappingProxyType

import msgspec

from passline.files import UnreadableError, read_file
from passline.game.house.house import House
from passline.lab.machines.bettor import StrategyError
from passline.lab.strategies.ask import Strategy
from passline.lab.strategies.built_in import BUILT_IN, UNIT
from passline.lab.strategies.crapssim.expressions import CRAPSSIM_PREFIX, load_crapssim_strategy
from passline.lab.strategies.host_client import HostedStrategy
from passline.lab.strategies.parameters import (
    ParameterValue,
    bind_parameters,
    describe_parameters,
    split_call,
)
from passline.lab.strategies.policy import read_policy

MAX_FILE_BYTES = 1_000_000  # bytes
#: ``file.py:Name(ARGUMENT, ...)``: the call that makes the strategy.
_CALL_EXPRESSION = re.compile(r"(?P<file>.+?\.py):(?P<maker>[A-Za-z_]\w*\(.*\).*)", re.DOTALL)


class LoadedStrategy(msgspec.Struct, frozen=True):
    """A strategy that is ready to play, with its name for messages and saved machines.

    ``identity`` is a text that differs for different strategies, and after a change of the
    strategy's files. It is "" if that cannot be determined.
    """

    name: str
    function: Strategy
    identity: str = ""


def load_strategy(
    text: str,
    parameters: Mapping[str, ParameterValue] = MappingProxyType({}),
    house: House | None = None,
) -> LoadedStrategy:
    """Return the strategy that a user's text names, with these values for its keyword arguments.

    A built-in strategy bets $10, or the next amount that ``house`` takes on the line.

    The text is one of these:

    * A built-in name, such as ``pass-odds`` or ``pass-odds(unit=5)``.
    * ``file.py:function``. A file with one public function needs no ``:function``. The file runs in
      a child process.
    * ``file.py:function(unit=5)``: with these values for its keyword arguments.
    * ``file.py:Name(5)``: the strategy is the result of that call.
    * ``crapssim:Name(5)``: a strategy of the crapssim package.
    * ``best:FILE.json``: a policy that ``passline best`` saved.

    Raise StrategyError (message of one line) for a strategy that cannot be found or loaded.

    >>> load_strategy("pass-odds").name
    'pass-odds'
    >>> load_strategy("pass-ods")
    Traceback (most recent call last):
    passline.lab.machines.bettor.StrategyError: there is no strategy 'pass-ods': did you mean \
pass-odds or dont-pass-odds? A strategy is a built-in's name or file.py:function
    """
    name = text.strip()
    called, own = split_call(name)
    if called in BUILT_IN or called.endswith(".py"):
        name, parameters = called, {**own, **parameters}
    if name in BUILT_IN and house is not None and (unit := find_unit(house)) != UNIT:
        parameters = {"unit": unit, **parameters}
    shown = describe_parameters(parameters)
    if name in BUILT_IN:
        bound = bind_parameters(BUILT_IN[name], parameters, name)
        return LoadedStrategy(f"{name}{shown}", bound, f"built-in {name}{shown}")
    if parameters and (name.endswith(".json") or name.startswith(("best:", CRAPSSIM_PREFIX))):
        raise StrategyError(
            f"{name} has no parameter {next(iter(parameters))!r}: name a built-in strategy or "
            "file.py:function"
        )
    if name.startswith("best:") or name.endswith(".json"):
        path = Path(name.removeprefix("best:"))
        policy = read_policy(path)
        digest = sha256(msgspec.json.encode(policy)).hexdigest()
        return LoadedStrategy(f"best:{path.name}", policy, f"policy {digest}")
    if name.startswith(CRAPSSIM_PREFIX):
        return LoadedStrategy(*load_crapssim_strategy(name))
    file, function = _split_file_and_function(name)
    if file is None:
        raise StrategyError(_unknown_strategy_message(name))
    path = Path(file)
    source = _read_source(path)
    hosted = HostedStrategy(path, source, function, parameters=parameters)
    identity = _identify_file(path, source, function)
    return LoadedStrategy(f"{hosted.name}{shown}", hosted, identity and f"{identity}{shown}")


def find_unit(house: House) -> int:
    """Return the least line bet of $10 or more, in whole dollars, that a house takes.

    >>> from passline.game.house.load import house_for
    >>> fifteen = (("limits.min", "12.50"), ("limits.smallest_chip", "2.50"))
    >>> find_unit(house_for("las-vegas")), find_unit(house_for("las-vegas", None, fifteen))
    (10, 15)
    """
    step = lcm(house.chip, 100)
    return -(-max(house.minimum, 100 * UNIT) // step) * step // 100


#: A folder with more modules than this is not looked through.
_MAX_MODULES = 200


def _identify_file(path: Path, source: bytes, function: str) -> str:
    """Return a text that changes when a strategy's file or another module in its folder changes.

    It becomes the ``identity`` of a LoadedStrategy. It includes the sizes and times of change of
    the modules, because the file may import them. Return "" if they cannot be read or are too many.
    """
    try:
        modules = sorted(islice(path.resolve().parent.rglob("*.py"), _MAX_MODULES + 1))
        about = [(str(module), module.stat()) for module in modules]
    except OSError:
        return ""
    if len(modules) > _MAX_MODULES:
        return ""
    beside = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in about]
    return f"file {sha256(source).hexdigest()} {function} {beside}"


def _split_file_and_function(text: str) -> tuple[str | None, str]:
    r"""Return (file, function) from a text FILE:FUNCTION; (None, "") if it names no file.

    A path may contain other colons, as in ``C:\own.py:play``. The function is "" if it is not
    named.
    """
    made = _CALL_EXPRESSION.fullmatch(text)
    if made:
        return made["file"], made["maker"]
    file, colon, function = text.rpartition(":")
    if colon and file and not any(slash in function for slash in "/\\"):
        if function.endswith(".py") and not file.endswith(".py"):
            return text, ""  # The colon is that of a drive, as in C:strategy.py.
        return file, function
    return (text, "") if text.endswith(".py") else (None, "")


def _unknown_strategy_message(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), BUILT_IN, 2, 0.6)
    shown = repr(name if len(name) <= 60 else name[:57] + "...")
    called = name.partition("(")[0].strip()
    if called in BUILT_IN:
        return f"{shown}: expected {called}(NAME=VALUE), such as {called}(unit=5)"
    hint = f"did you mean {' or '.join(near)}?" if near else f"built in are {', '.join(BUILT_IN)}."
    return (
        f"there is no strategy {shown}: {hint} A strategy is a built-in's name or file.py:function"
    )


def _read_source(path: Path) -> bytes:
    try:
        return read_file(path, "strategy file", MAX_FILE_BYTES)
    except UnreadableError as error:
        raise StrategyError(str(error)) from None
