"""Commands and events as bytes: every kind there and back, the same bytes from every process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.game.layout.stakes import refuse
from passline.game.table import codec
from passline.game.table import commands as cmd
from passline.game.table import events as ev

COMMANDS = get_args(cmd.AnyCommand)
EVENTS = get_args(ev.AnyEvent)


def values(kind: type) -> st.SearchStrategy[Any]:
    """Values of a kind, amounts above zero and times that are times."""
    hints = get_type_hints(kind)
    own: dict[str, st.SearchStrategy[Any]] = {
        name: st.integers(1, 10**9) if hint is int else st.from_type(hint)
        for name, hint in hints.items()
        if name in kind.__struct_fields__  # type: ignore[attr-defined]
    }
    if kind is cmd.Clock:
        own["when"] = st.just("2007-04-02 09:00")
    if kind is cmd.CallNoRoll:
        own["by"] = st.just("stickperson")
    if kind is cmd.CorrectThrow:
        own["again"] = st.just((cmd.Bet("ann", "pass", 500), cmd.Leave("bob")))
    if kind is ev.CommandDropped:
        own["command"] = st.just(cmd.Bet("ann", "pass", 500))
        own["refusal"] = st.just(refuse("under-minimum", "2(a)", [500], wager="pass", least=500))
    return st.builds(kind, **own)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
@settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_every_command_goes_there_and_back(kind: type, data: st.DataObject) -> None:
    command = data.draw(values(kind))
    assert codec.decode_command(codec.encode(command)) == command


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
@settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)
@given(data=st.data())
def test_every_event_goes_there_and_back(kind: type, data: st.DataObject) -> None:
    event = data.draw(values(kind))
    assert codec.decode_event(codec.encode(event)) == event
    assert codec.event_from_builtins(codec.event_to_builtins(event)) == event


@pytest.mark.parametrize("kinds", [COMMANDS, EVENTS], ids=["commands", "events"])
def test_tags_are_written_out_and_no_two_are_alike(kinds: tuple[type, ...]) -> None:
    tags = [kind.__struct_config__.tag for kind in kinds]  # type: ignore[attr-defined]
    assert len(set(tags)) == len(tags)
    assert all(isinstance(tag, str) and tag == tag.lower() for tag in tags)


def _holds_a_set(hint: object) -> bool:
    if hint == cmd.AnyCommand:  # Each command is tested by itself, and one holds others.
        return False
    return hint in (set, frozenset) or any(_holds_a_set(part) for part in _parts(hint))


def _parts(hint: object) -> tuple[object, ...]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return tuple(get_type_hints(hint).values())
    origin = getattr(hint, "__origin__", None)
    return (*get_args(hint), *(() if origin is None else (origin,)))


@pytest.mark.parametrize("kind", [*COMMANDS, *EVENTS], ids=lambda kind: kind.__name__)
def test_nothing_is_a_set_whose_order_would_differ(kind: type) -> None:
    assert not any(_holds_a_set(hint) for hint in get_type_hints(kind).values())


def test_the_bytes_are_the_same_whatever_the_hash_seed() -> None:
    program = (
        "from passline.record.deal import deal_text;"
        "from passline.game.table import codec;"
        "d = deal_text('rulebook: iowa\\nplayer: ann 500\\n'"
        "'ann: pass for 10\\nroll 3 3\\nann: all down; hard-6 for 5; field for 5\\nroll 3 3');"
        "print([codec.encode(e) for x in d.entries for e in x.events])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"command":"steal"}', b'{"command":"roll"}', b"[1]"]
)
def test_what_is_no_command_is_an_error_and_nothing_else(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        codec.decode_command(data)


def test_a_command_that_makes_no_sense_does_not_decode() -> None:
    with pytest.raises(ValueError, match="above zero"):
        codec.decode_command(b'{"command":"buy-in","player":"ann","amount":-5}')
