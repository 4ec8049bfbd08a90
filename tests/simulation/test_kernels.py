"""The dice: a known generator, and outcomes without favour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from passline.lab.machines import compile_loops
from passline.lab.simulation.seeds import make_generator

WORD = 2**64


def reference(state: list[int]) -> int:
    """xoshiro256++ as published, in Python's own whole numbers."""

    def turned(word: int, by: int) -> int:
        return (word << by | word >> 64 - by) % WORD

    bits = (turned((state[0] + state[3]) % WORD, 23) + state[0]) % WORD
    shifted = (state[1] << 17) % WORD
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = turned(state[3], 45)
    return bits


def drawn(seed: tuple[int, ...], count: int) -> list[int]:
    from passline.lab.simulation import roll_kernels

    words = np.array(seed, np.uint64)
    found = []
    for _ in range(count):
        bits, *state = roll_kernels.draw_bits(*words)
        words = np.array(state, np.uint64)
        found.append(int(bits))
    return found


def test_the_generator_gives_the_published_numbers() -> None:
    """The first outputs for the state 1, 2, 3, 4, as other implementations test for them."""
    assert drawn((1, 2, 3, 4), 10) == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ]


def test_the_generator_is_the_one_written_out() -> None:
    seed = (2**63 + 5, 7, 2**64 - 1, 0x9E3779B97F4A7C15)
    state = list(seed)
    assert drawn(seed, 500) == [reference(state) for _ in range(500)]


def thrown(kind: Callable[..., tuple[int, ...]], state: list[int], ways: int) -> list[int]:
    """What ``one`` or ``two`` make of a generator's state, which is moved on."""
    words = [np.uint64(word) for word in state]
    found = kind(*words, np.uint64(ways), np.uint64(2**32 % ways))
    state[:] = [int(word) for word in found[-4:]]
    return list(found[:-4])


def test_one_throw_comes_from_the_upper_half_of_a_draw_and_two_from_both() -> None:
    from passline.lab.simulation import roll_kernels

    state = [int(word) for word in make_generator(1, 0)]
    for _ in range(100):
        for kind in (roll_kernels.draw_outcome, roll_kernels.draw_two_outcomes):
            before = list(state)
            bits = reference(before)
            halves = (
                [bits >> 32] if kind is roll_kernels.draw_outcome else [bits % 2**32, bits >> 32]
            )
            assert thrown(kind, state, 36) == [half * 36 >> 32 for half in halves]
            assert state == before


@pytest.mark.parametrize("ways", [3, 6, 36, 200])
def test_no_outcome_is_favoured(ways: int) -> None:
    """The rule for a word of eight bits, all words tried: what is kept is the same for each."""
    short = 256 % ways
    kept = Counter(word * ways >> 8 for word in range(256) if (word * ways & 255) >= short)
    assert set(kept) == set(range(ways))
    assert len(set(kept.values())) == 1


def turned_back(bits: int) -> list[int]:
    """A state whose first draw is ``bits``: with s0 = 0, that is s3 turned by 23."""
    return [0, 11, 12, (bits >> 23 | bits << 41) % WORD]


def test_a_word_that_would_favour_some_is_thrown_again() -> None:
    from passline.lab.simulation import roll_kernels

    ways = 36
    bad, good = 2**30, 0x12345678
    assert (bad * ways) % 2**32 < 2**32 % ways <= (good * ways) % 2**32
    for kind, bits in (
        (roll_kernels.draw_outcome, bad << 32 | good),
        (roll_kernels.draw_two_outcomes, bad << 32 | good),
        (roll_kernels.draw_two_outcomes, good << 32 | bad),
    ):
        state, same = turned_back(bits), turned_back(bits)
        found = thrown(kind, state, ways)
        assert reference(same) == bits
        taken = reference(same)
        assert found[-1] == (taken >> 32) * ways >> 32
        assert state == same


def test_loops_are_compiled_where_they_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def njit(signature: str, **options: bool) -> object:
        tried.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda loop: loop

    monkeypatch.setattr(compile_loops, "njit", njit)
    loop = compile_loops.compile_loop("i8(i8)")(abs)
    assert loop is abs
    assert tried == [{"cache": True, "nogil": True}, {"nogil": True}]


def plus_one(number: int) -> int:
    return number + 1


def plus_two(number: int) -> int:
    return number + 2


def test_compiling_is_told_once_and_only_when_it_happens() -> None:
    told: list[bool] = []
    with compile_loops.notify_on_compile(lambda: told.append(True)):
        pass
    assert told == []
    with compile_loops.notify_on_compile(lambda: told.append(True)):
        for more in (plus_one, plus_two):
            assert compile_loops.compile_helper(more)(1) == more(1)
    assert told == [True]
