"""Encode commands and events as JSON bytes, and decode them. Every process writes the same bytes.

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
    """Encode a command or an event as JSON. Its tag (the kind of command or event) comes first."""
    return _ENCODER.encode(said)


def decode_command(data: bytes) -> AnyCommand:
    """Return the command in these bytes. Raise msgspec.DecodeError (a ValueError) if invalid."""
    return _COMMAND_DECODER.decode(data)


def decode_event(data: bytes) -> AnyEvent:
    """Return the event in these bytes. Raise msgspec.DecodeError (a ValueError) if invalid."""
    return _EVENT_DECODER.decode(data)


def event_to_builtins(event: AnyEvent) -> Any:
    """Return an event as plain JSON values, for a log entry that holds several."""
    return msgspec.json.decode(_ENCODER.encode(event))


def event_from_builtins(data: Any) -> AnyEvent:
    """Return the event for these plain JSON values."""
    # A decoder is made once, because convert() would make one for each call.
    return _EVENT_DECODER.decode(_ENCODER.encode(data))
