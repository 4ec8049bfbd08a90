"""Commands and events as bytes, and back: one codec, the same bytes from every process.

>>> from passline.game.table import commands as cmd
>>> encode(cmd.TakeDown("ann", "place-win-6"))
b'{"command":"take-down","player":"ann","wager":"place-win-6","by":"player"}'
>>> decode_command(encode(cmd.Roll(3, 4))) == cmd.Roll(3, 4)
True
"""

from __future__ import annotations

from typing import Any

import msgspec

from passline.game.table.commands import AnyCommand
from passline.game.table.events import AnyEvent

_ENCODER = msgspec.json.Encoder(order="deterministic")
_COMMAND_DECODER: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_EVENT_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode(said: AnyCommand | AnyEvent) -> bytes:
    """A command or an event as JSON, its tag first."""
    return _ENCODER.encode(said)


def decode_command(data: bytes) -> AnyCommand:
    """A command; msgspec.DecodeError (a ValueError) where it is none."""
    return _COMMAND_DECODER.decode(data)


def decode_event(data: bytes) -> AnyEvent:
    """An event; msgspec.DecodeError (a ValueError) where it is none."""
    return _EVENT_DECODER.decode(data)


def event_to_builtins(event: AnyEvent) -> Any:
    """An event as plain JSON values, for a log entry that holds several."""
    return msgspec.json.decode(_ENCODER.encode(event))


def event_from_builtins(data: Any) -> AnyEvent:
    """An event from plain JSON values."""
    return _EVENT_DECODER.decode(
        _ENCODER.encode(data)
    )  # a decoder is made once; convert() makes one anew
