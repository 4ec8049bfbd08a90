"""Strategies of files that misbehave: each ends in one clear line, and none of them ends us."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from passline.game.house.load import house_for
from passline.lab.machines.bettor import StrategyError, View
from passline.lab.strategies.ask import ask_strategy
from passline.lab.strategies.host_client import HostedStrategy
from passline.lab.strategy_machine import machine, make_machine

SOURCE = """
import enum, os, subprocess, sys, time

def nests(view):
    memory = ()
    for _ in range(100_000):
        memory = (memory,)
    return [], memory

class Odd(int):
    def __eq__(self, other):
        raise ValueError("never mind")
    __hash__ = int.__hash__

def breaks_eq(view):
    return [], Odd(3)

class OddHash(str):
    def __hash__(self):
        raise ValueError("never mind")

def breaks_hash(view):
    return [], (1, OddHash("x"))

class OddList(list):
    def __iter__(self):
        raise RuntimeError("not today")

def breaks_iter(view):
    return OddList(["field for 5"])

def breaks_class(view):
    class Odd:
        __class__ = property(lambda self: 1 / 0)
    return Odd()

def closes_stdout(view):
    sys.stdout.close()
    return "field for 5"

def replaces_stdout(view):
    sys.stdout = None
    return "field for 5"

def closes_everything(view):
    os.closerange(0, 100)

def forks(view):
    os.fork()
    return "field for 5"

def spawns(view):
    subprocess.run(["true"])
    return "field for 5"

def kills(view):
    os.kill(os.getppid(), 9)

def exits(view):
    sys.exit(3)

def exits_at_once(view):
    os._exit(3)

def recurses(view):
    return recurses(view)

def aborts(view):
    os.abort()

def eats(view):
    return bytearray(2**40)

def interrupts(view):
    raise KeyboardInterrupt

def colours(view):
    raise ValueError("\\x1b[31mred\\x1b]0;title\\x07\\u202e")

def loops(view):
    while True:
        try:
            time.sleep(100)
        except BaseException:
            pass

def fine(view):
    print("asked\\x1b[2J")
    return "field for 5"

class Side(enum.Enum):
    LEFT = 1
    RIGHT = 2

def sides(view):
    side = Side.RIGHT if view.memory is Side.LEFT else Side.LEFT
    return ["field for 5" if side is Side.LEFT else "field for 10"], side

def reads(view):
    return f"field for {5 + len(sys.stdin.read())}"

def looks(view):
    return "field for 5" if view.last == (1, 1) else "field for 10"
"""

SAYS = {
    "nests": "the strategy's memory is too large to store (a tuple that cannot be shown)",
    "breaks_eq": "the strategy's memory 3 cannot be stored",
    "breaks_hash": "the strategy's memory (1, 'x') cannot be stored",
    "breaks_iter": "the strategy's answer cannot be read (RuntimeError: not today)",
    "breaks_class": "the strategy's answer cannot be read (ZeroDivisionError: division by",
    "closes_stdout": "the strategy closed or replaced standard output",
    "replaces_stdout": "the strategy closed or replaced standard output",
    "closes_everything": "the strategy ended the process that it runs in (exit 1)",
    "forks": "raised PermissionError: a strategy starts and ends no processes (os.fork) at own.py",
    "spawns": "a strategy starts and ends no processes (subprocess.Popen) at own.py line ",
    "kills": "a strategy starts and ends no processes (os.kill) at own.py line ",
    "exits": "the strategy raised SystemExit: 3 at own.py line ",
    "exits_at_once": "the strategy ended the process that it runs in (exit 3)",
    "recurses": "the strategy raised RecursionError: maximum recursion depth exceeded",
    "aborts": "the strategy ended the process that it runs in (SIGABRT)",
    "eats": "the strategy raised MemoryError at own.py line ",
    "interrupts": "the strategy raised KeyboardInterrupt",
    "colours": r"raised ValueError: \x1b[31mred\x1b]0;title\x07\u202e at own.py line ",
    "loops": "the strategy did not answer within 1 seconds",
}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("strategies") / "own.py"
    path.write_text(SOURCE, "utf-8")
    return path


def hosted(own: Path, function: str, seconds: float = 30) -> HostedStrategy:
    return HostedStrategy(own, own.read_bytes(), function, seconds)


@pytest.mark.parametrize("function", SAYS)
def test_one_clear_line(own: Path, function: str) -> None:
    strategy = hosted(own, function, 1 if function == "loops" else 30)
    with pytest.raises(StrategyError) as wrong:
        make_machine(house_for("new-jersey"), strategy, strategy.name).close()
    said = str(wrong.value)
    assert said.startswith(f"own.py:{function}: ")
    assert SAYS[function] in said
    assert said.endswith("(with the puck off, nothing up)")
    assert said.isprintable()
    if "process" in said or "answer within" in said:  # and there is nobody to ask any more
        with pytest.raises(StrategyError):
            strategy.ask(View(None, {}), 1)


@pytest.mark.parametrize("function", ["looks", "sides"])
def test_it_plays_as_it_would_here(own: Path, function: str) -> None:
    scope: dict[str, Any] = {"__name__": "own"}
    exec(SOURCE, scope)
    there = machine("iowa", f"{own}:{function}")
    here = machine("iowa", scope[function])
    assert (there.states, there.closed) == (here.states, True)
    assert (there.next[: there.states] == here.next[: here.states]).all()
    assert (there.money[: there.states] == here.money[: here.states]).all()


def test_what_it_prints_is_cleaned_and_not_our_output(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert hosted(own, "fine")(View(None, {})) == ["field for 5"]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "asked\\x1b[2J\n")


def test_there_is_nothing_to_read(own: Path) -> None:
    assert hosted(own, "reads")(View(None, {})) == ["field for 5"]


def test_a_memory_stays_over_there(own: Path) -> None:
    strategy = hosted(own, "sides")
    says, memory = ask_strategy(strategy, View(None, {}))
    assert (says, repr(memory)) == (("field for 5",), "<Side.LEFT: 1>")
    says, other = ask_strategy(strategy, View(None, {}, memory=memory))
    assert (says, repr(other)) == (("field for 10",), "<Side.RIGHT: 2>")
    assert ask_strategy(strategy, View(None, {}, memory=other)) == (("field for 5",), memory)


def test_it_is_asked_from_any_thread(own: Path) -> None:
    strategy = hosted(own, "loops", 0.5)
    said: list[str] = []

    def ask() -> None:
        try:
            ask_strategy(strategy, View(None, {}))
        except StrategyError as wrong:
            said.append(str(wrong))

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join(60)
    (words,) = said
    assert words.startswith("the strategy did not answer within 0.5 seconds (with the puck off")


def test_who_breaks_off_waiting_hears_the_next_answer(own: Path) -> None:
    strategy = hosted(own, "fine")
    frames = strategy._frames
    read = frames.reply
    broken = iter([True])

    def reply() -> Any:
        if next(broken, False):
            raise KeyboardInterrupt
        return read()

    frames.reply = reply  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        strategy(View(None, {}))
    assert strategy(View(6, {})) == ["field for 5"]


def test_nothing_is_left_running(own: Path) -> None:
    strategy = hosted(own, "fine")
    process = strategy._process
    assert process.poll() is None
    del strategy
    assert process.poll() is not None


@pytest.mark.skipif(os.name != "posix", reason="there a process cannot see that it is alone")
def test_it_ends_with_who_asked(own: Path) -> None:
    """Also where that one is killed while an answer never comes."""
    child = os.fork()
    if child == 0:  # pragma: no cover - another process
        strategy = hosted(own, "loops")
        Path(own.with_suffix(".pid")).write_text(str(strategy._process.pid))
        strategy(View(None, {}))
        os._exit(0)
    until = time.monotonic() + 60
    note = own.with_suffix(".pid")
    while not (note.exists() and note.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.3)  # until it has been asked
    os.kill(child, 9)
    os.waitpid(child, 0)
    while alive(int(note.read_text())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(int(note.read_text()))


def alive(pid: int) -> bool:
    """Whether a process runs: one that nobody has waited for yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_no_python_to_run_it(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(StrategyError, match="no process can be started for the strategy: No such"):
        hosted(own, "fine")
