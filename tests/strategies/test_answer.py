"""Strategies that cannot be played: each ends in one clear line."""

from __future__ import annotations

import itertools
import random
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from passline.game.house.load import house_for
from passline.lab.machines.bettor import MachineFull, StrategyError, View
from passline.lab.strategies.ask import MAX_MEMORY_BYTES, ask_strategy, measure_memory, time_limit
from passline.lab.strategies.built_in import BUILT_IN
from passline.lab.strategies.parameters import bind_parameters
from passline.lab.strategy_machine import make_machine
from passline.termination_signals import TerminationExit

Play = Callable[[View], Any]
VIEW = View(6, {"pass": 10, "place-win-8": 12}, memory=3)


def refused(play: Play, book: str = "new-jersey") -> str:
    """What a machine says of a strategy."""
    with pytest.raises(StrategyError) as wrong:
        make_machine(house_for(book), play, "mine").close()
    said = str(wrong.value)
    assert said.startswith("mine: ")
    assert "\n" not in said
    return said


@pytest.mark.parametrize(
    ("answer", "says", "memory"),
    [
        (None, (), 3),
        ([], (), 3),
        ("pass for 10", ("pass for 10",), 3),
        ("pass for 10; field for 5;", ("pass for 10", "field for 5"), 3),
        (["pass for 10", " "], ("pass for 10",), 3),
        (("pass for 10", "field for 5"), ("pass for 10", "field for 5"), 3),
        ((["pass for 10"], None), ("pass for 10",), None),
        (("pass for 10", 7), ("pass for 10",), 7),
        ((None, (1, "two")), (), (1, "two")),
        (([], frozenset({4, 5})), (), frozenset({4, 5})),
    ],
)
def test_the_forms_of_an_answer(answer: Any, says: tuple[str, ...], memory: Any) -> None:
    assert ask_strategy(lambda view: answer, VIEW) == (says, memory)


class Loud:
    def __repr__(self) -> str:
        raise ValueError("not to be shown")


@pytest.mark.parametrize(
    "answer",
    [5, 1.5, {"pass": 10}, [1], ["pass for 10", None], object, b"pass for 10", [["pass for 10"]]],
)
def test_nonsense_is_repeated_with_what_was_expected(answer: Any) -> None:
    said = refused(lambda view: answer)
    assert "expected a list of says such as ['pass for 10']" in said
    assert said.endswith("(with the puck off, nothing up)")


def test_nonsense_that_cannot_be_shown() -> None:
    assert "answered a Loud that cannot be shown" in refused(lambda view: Loud())
    assert "memory a Loud that cannot be shown" in refused(lambda view: ([], Loud()))


def test_nonsense_without_end() -> None:
    assert "said 101 things at once" in refused(lambda view: ["field for 5"] * 101)
    assert "longer than 200 characters" in refused(lambda view: ["x" * 201])
    assert "not text" in refused(lambda view: ["pass for 10\ud800"])
    assert len(refused(lambda view: 10**4000)) < 500


def test_an_answer_that_comes_later_is_none() -> None:
    async def later(view: View) -> list[str]:
        return []

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "answered <coroutine object" in refused(later)


def test_words_that_are_no_say() -> None:
    assert "'pas for 10' is not understood" in refused(lambda view: ["pas for 10"])
    assert "'ten' is not a valid amount" not in refused(lambda view: ["field for -1"])


def test_a_refusal_has_the_say_the_reason_the_clause_and_the_view() -> None:
    def play(view: View) -> list[str]:
        return ["pass down"] if view.puck else ["pass for 10"]

    assert refused(play) == (
        "mine: the strategy asked for 'pass down', which is refused: pass line can't be "
        "taken down after its point is set [19:47-1.3(c)1] (with the puck on 4, pass 10 up)"
    )


def test_talk_that_cannot_be_done_is_refused_with_its_reason() -> None:
    said = refused(lambda view: ["press the 6"])
    assert "'press the 6', which is refused: player has no wager up on the 6 [" in said
    assert "[custom: only a wager that is up can be changed]" in said


def test_a_strategy_buys_nothing_in() -> None:
    say = "pass for 10 in cash confirmed by dealer and boxperson"
    assert "a strategy may not buy in" in refused(lambda view: [say] if not view.puck else [])


def test_what_it_raises_has_its_own_line() -> None:
    def play(view: View) -> list[str]:
        return [f"pass for {10 // (view.puck or 0)}"]

    line = play.__code__.co_firstlineno + 1
    assert refused(play) == (
        "mine: the strategy raised ZeroDivisionError: integer division or modulo by zero at "
        f"test_answer.py line {line} (with the puck off, nothing up)"
    )


def test_what_it_raises_elsewhere_has_the_line_that_led_there() -> None:
    def play(view: View) -> Any:
        return Fraction(1, 0)

    line = play.__code__.co_firstlineno + 1
    assert f"ZeroDivisionError: Fraction(1, 0) at test_answer.py line {line} " in refused(play)
    nothing: Any = lambda: []  # noqa: E731
    assert "raised TypeError" in refused(nothing)


def test_an_object_that_plays_has_a_line_too() -> None:
    class Player:
        def __call__(self, view: View) -> list[str]:
            raise RuntimeError

    assert "the strategy raised RuntimeError at test_answer.py line " in refused(Player())


def test_an_exception_that_cannot_be_shown() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    def play(view: View) -> Any:
        raise MuteError

    assert "raised MuteError: (a MuteError that cannot be shown) at test_answer.py" in refused(play)


def test_a_strategy_does_not_end_the_program() -> None:
    def leave(view: View) -> Any:
        raise SystemExit(3)

    assert "the strategy raised SystemExit: 3" in refused(leave)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), TerminationExit(15)])
def test_an_interrupt_passes_through(error: BaseException) -> None:
    def stop(view: View) -> Any:
        raise error

    with pytest.raises(type(error)):
        make_machine(house_for("new-jersey"), stop).close()


@pytest.mark.parametrize("error", [KeyboardInterrupt(), TerminationExit(15)])
def test_an_interrupt_passes_through_while_an_answer_is_read(error: BaseException) -> None:
    class Interrupting(list[str]):
        def __iter__(self) -> Any:
            raise error

    with pytest.raises(type(error)):
        make_machine(house_for("new-jersey"), lambda view: Interrupting(["pass for 10"])).close()


def test_recursion_is_only_an_error() -> None:
    def deep(view: View) -> Any:
        return deep(view)

    assert "the strategy raised RecursionError" in refused(deep)


def test_chance_is_found_out() -> None:
    chance = random.Random(1)
    said = refused(lambda view: [f"field for {chance.randint(1, 10**3)}"])
    assert "is not deterministic: it answered ['field for " in said


def test_a_counter_outside_is_found_out_by_its_memory_alone() -> None:
    count = itertools.count()
    said = refused(lambda view: ([], next(count)))
    assert "not deterministic: it answered [] with memory 0 and then [] with memory 1" in said


def test_what_is_shown_cannot_be_changed() -> None:
    for attribute in ("puck", "wagers", "memory", "last", "settled", "new_shooter"):
        with pytest.raises(AttributeError):
            setattr(VIEW, attribute, 1)
    with pytest.raises(TypeError):
        VIEW.wagers["pass"] = 20  # type: ignore[index]

    def cheat(view: View) -> Any:
        view.memory = 5  # type: ignore[misc]

    assert "raised AttributeError" in refused(cheat)


class Pair(NamedTuple):
    stake: int
    side: str


@pytest.mark.parametrize(
    "memory", [1, True, "word", b"x", 1.5, Fraction(1, 3), (), (1, (2, "x")), Pair(1, "a"), None]
)
def test_plain_values_are_kept(memory: Any) -> None:
    assert ask_strategy(lambda view: ([], memory), VIEW) == ((), memory)


@pytest.mark.parametrize(
    "memory",
    [[1], {"a": 1}, {1}, object(), (1, [2]), float("nan"), (float("nan"),), lambda: 1, Loud],
)
def test_what_cannot_be_kept_is_named(memory: Any) -> None:
    said = refused(lambda view: ([], memory))
    assert "cannot be stored: use numbers, words, and tuples and frozensets of them" in said


@pytest.mark.parametrize(
    "memory",
    ["x" * MAX_MEMORY_BYTES, tuple(range(1000)), 1 << 20_000, (("x" * 300,) * 9,)],
    ids=["words", "numbers", "number", "nested"],
)
def test_a_large_memory_is_refused(memory: Any) -> None:
    said = refused(lambda view: ([], memory))
    assert "too large to store" in said
    assert len(said) < 500


def test_weights_grow_with_what_is_kept() -> None:
    weights = [measure_memory(memory) for memory in (None, 1, "word", "x" * 99, ("x" * 99,) * 3)]
    assert weights == sorted(weights, key=lambda weight: weight or 0)
    assert (
        measure_memory((("x",) * 10**6,)) is not None
    )  # it does not take long to see that it is large


def test_a_memory_that_grows_is_stopped() -> None:
    def play(view: View) -> Any:
        return [], (*(view.memory or ()), "x" * 100)

    assert "too large to store" in refused(play)


def test_states_without_end_fill_the_machine() -> None:
    def count(view: View) -> Any:
        return [], (view.memory or 0) + 1

    machine = make_machine(house_for("new-jersey"), count, "mine", memory=1)
    assert not machine.close(limit=100)
    with pytest.raises(MachineFull) as wrong:
        machine.close(limit=10**6)
    assert str(wrong.value).startswith(f"mine: more than {machine.states:,} states, which is all")
    assert "1 MB" in str(wrong.value)
    assert "never stops reaching new states (its last memory was " in str(wrong.value)
    assert not machine.closed


def test_a_strategy_that_never_answers_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.lab.strategies.ask.time_limit", lambda: time_limit(0.05))

    def loops(view: View) -> Any:
        while True:
            pass

    def catches(view: View) -> Any:
        while True:
            try:
                loops(view)
            except Exception:
                continue

    for play in (loops, catches):
        said = refused(play)
        assert "the strategy did not answer within 0.05 seconds" in said
        assert said.endswith("(with the puck off, nothing up)")


def test_more_than_a_roll_can_move() -> None:
    house = house_for("new-jersey", None, [("limits.max", "30000000")])
    with pytest.raises(StrategyError, match=r"mine: a roll wins or loses more than \$21,474,836"):
        make_machine(house, lambda view: ["field for 30000000"], "mine").close()


@pytest.mark.parametrize("usual", [["field for 10", "toke 15000000"], ["field for 10"]])
def test_more_than_a_roll_can_move_where_states_stand_alike(usual: list[str]) -> None:
    """The second state comes to stand like the first, at another cost: its row is made of that."""

    def play(view: View) -> list[str]:
        return ["field for 10", "toke 30000000"] if view.last == (1, 1) else usual

    assert "a roll wins or loses more than $21,474,836" in refused(play)


def test_what_an_int32_just_holds_is_kept() -> None:
    def play(view: View) -> list[str]:
        return ["field for 10", "toke 21474826"] if view.last == (1, 1) else ["field for 10"]

    machine = make_machine(house_for("new-jersey"), play)
    assert machine.close()
    assert int(machine.money.min()) == -2_147_482_600 - 1_000


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (True, 1),
        (1, 1.0),
        (0.0, -0.0),
        (Decimal("1.0"), Decimal("1.00")),
        (Fraction(2), 2),
        ((1, (True,)), (1, (1,))),
        (frozenset({(1,)}), frozenset({(True,)})),
        (Pair(1, "a"), (1, "a")),
    ],
)
def test_memories_that_are_equal_and_do_not_look_the_same(first: Any, second: Any) -> None:
    """Two states after the opening: $5 in one of them, $20 in the other, in turns."""
    assert first == second

    def play(view: View) -> Any:
        if view.memory is None:
            return ["field for 10"], first
        if repr(view.memory) == repr(first):
            return ["field for 5"], second
        return ["field for 20"], first

    machine = make_machine(house_for("new-jersey"), play)
    assert machine.close()
    assert set(machine.need[: machine.states].tolist()) == {500, 1000, 2000}
    turns = itertools.cycle([first, second])
    assert "is not deterministic" in refused(lambda view: ([], next(turns)))


def test_chance_that_seldom_speaks_is_found_out() -> None:
    """One answer in a hundred is another: whoever asks only twice in each state misses that."""
    for seed in range(20):
        chance = random.Random(seed)

        def play(view: View, chance: random.Random = chance) -> list[str]:
            return ["field for 5"] if chance.random() < 0.01 else []

        assert "is not deterministic: it answered [" in refused(play)


def test_a_counter_that_changes_its_mind_later_is_found_out() -> None:
    count = itertools.count()

    def play(view: View) -> list[str]:
        return ["field for 10"] if next(count) < 100 else ["field for 5"]

    said = refused(play)
    assert (
        "it answered ['field for 10'], and when it was asked again later ['field for 5'] (with "
        "the puck" in said
    )


def test_a_large_machine_is_asked_again_too() -> None:
    calls = itertools.count()

    def play(view: View) -> Any:
        return ["field for 5" if next(calls) < 2_000 else "field for 10"], (view.memory or 0) + 1

    for limit, memory in ((300, 256), (10**6, 1)):
        calls = itertools.count()
        with pytest.raises(StrategyError, match="asked again later"):
            make_machine(house_for("new-jersey"), play, memory=memory).close(limit)


def test_nothing_is_asked_again_that_has_been() -> None:
    calls = list[int]()

    def play(view: View) -> list[str]:
        calls.append(1)
        return ["field for 5"]

    machine = make_machine(house_for("new-jersey"), play)
    machine.close()
    asked = len(calls)
    machine.close()
    assert len(calls) == asked


def test_a_built_in_strategy_is_asked_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again = list[View]()
    monkeypatch.setattr(
        "passline.lab.strategies.table_adapter.check_same_answer",
        lambda strategy, view, before: again.append(view),
    )
    for strategy in (BUILT_IN["field"], bind_parameters(BUILT_IN["pass"], {"unit": 25}, "pass")):
        assert make_machine(house_for("iowa"), strategy).close()
    assert again == []
    assert make_machine(house_for("iowa"), lambda view: "field for 5").close()
    assert len(again) == 2_000


def test_words_for_an_error_tell_a_strategy_nothing() -> None:
    """Whoever reads them in place of ``last`` would make a machine that does not know of it."""

    def reads(view: View) -> list[str]:
        return ["field for 5"] if "after 1-1" in str(view) else []

    machine = make_machine(house_for("new-jersey"), reads)
    assert machine.close()
    assert set(machine.need[: machine.states].tolist()) == {0}
    view = View(6, {}, (2, 4))
    assert str(view) == "with the puck on 6, nothing up"
    assert view.last == (2, 4)
    assert str(view) == "with the puck on 6, nothing up, after 2-4"
    assert "nothing up, after 1-1)" in refused(lambda view: ["oops"] if view.last == (1, 1) else [])


def test_an_object_that_cannot_be_asked_has_no_line_of_ours() -> None:
    class Player:
        def __call__(self) -> list[str]:
            return []

    player: Any = Player()
    assert " at " not in refused(player)


def test_a_memory_without_bottom_is_large() -> None:
    def nests(view: View) -> Any:
        memory: tuple[Any, ...] = ()
        for _ in range(10_000):  # More than Python's own limit of recursion.
            memory = (memory,)
        return [], memory

    assert "too large to store (a tuple that cannot be shown)" in refused(nests)


class Odd(int):
    def __eq__(self, other: object) -> bool:
        raise ValueError("never mind")

    __hash__ = int.__hash__


def test_a_memory_that_says_itself_what_it_equals_is_not_kept() -> None:
    assert "memory 3 cannot be stored" in refused(lambda view: ([], Odd(3)))
    assert "memory (1, 3) cannot be stored" in refused(lambda view: ([], (1, Odd(3))))


def test_an_answer_that_cannot_be_looked_at() -> None:
    class OddList(list[str]):
        def __iter__(self) -> Any:
            raise RuntimeError("not today")

    said = refused(lambda view: OddList(["field for 5"]))
    assert "the strategy's answer cannot be read (RuntimeError: not today)" in said


def test_codes_of_a_strategy_are_written_out() -> None:
    def colours(view: View) -> Any:
        raise ValueError("\x1b[31mred\x9b")

    said = refused(colours)
    assert r"ValueError: \x1b[31mred\x9b at " in said
    assert said.isprintable()
