"""A crowd: the streams that the crier goes on with, and what the server still knows of them."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from passline.live.tokens import Holder
from passline.web.answers import Wire
from passline.web.crier import Crier, can_cry

if TYPE_CHECKING:
    from passline.web.streams import Channel

#: Streams of a server from which on they are a crowd's: a few are told as quickly from here.
CROWD: Final = 50
#: Seconds after which it is tried again, where a crier was lost or could not be had.
_AGAIN: Final = 5.0
_LAST: Final = b"0\r\n\r\n"


def chunked(data: bytes) -> bytes:
    """A piece of an answer that comes in chunks."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class _Handed(Struct, frozen=True, gc=False):
    """A stream that was handed over."""

    channel: Channel
    holder: Holder | None
    address: str


class Crowd:
    """``forget(channel, address, why)`` is told of every stream that is over. One may be so many
    entries behind, and take nothing for so many seconds (``patience``)."""

    def __init__(
        self, forget: Callable[[Channel, str, str], None], most_behind: int, patience: float
    ) -> None:
        self._forget, self._limits = forget, (most_behind, patience)
        self._crier: Crier | None = None
        self._handed: dict[int, _Handed] = {}
        self._not_before = 0.0

    def takes(self, streams: int) -> bool:
        """Whether one of so many streams would be taken."""
        return streams >= CROWD and can_cry() and get_running_loop().time() >= self._not_before

    def take(self, channel: Channel, wire: Wire, holder: Holder | None, address: str) -> bool:
        """Go on with a stream that has heard all of a channel, if its connection can be had."""
        try:
            if self._crier is None:
                self._crier = Crier(self._over, self._lost, *self._limits)
            if len(self._handed) >= self._crier.room:
                return False
            file = wire.hand_over()
        except OSError:  # no room for another process, or another file: it goes on here
            self._not_before = get_running_loop().time() + _AGAIN
            return False
        if file is None:
            return False
        number = self._crier.take(file, channel.number)
        self._handed[number] = _Handed(channel, holder, address)
        channel.handed[number] = holder
        return True

    def tell(self, channel: Channel, chunk: bytes, withdrawn: Holder | None) -> int:
        """Have a channel's streams hear a chunk, but those of one whose tokens are taken away; how
        many do."""
        if self._crier is None or not channel.handed:
            return 0
        if withdrawn is not None:
            for number in [n for n, holder in channel.handed.items() if holder == withdrawn]:
                self._end(number, _LAST, "withdrawn")
        self._crier.tell(channel.number, chunk)
        return len(channel.handed)

    def end(self, channel: Channel, why: str, last: bytes = b"") -> None:
        """Have all of a channel's streams end."""
        for number in list(channel.handed):
            self._end(number, (chunked(last) if last else b"") + _LAST, why)

    def pulse(self, comment: bytes) -> None:
        """Keep silent streams open."""
        if self._crier is not None:
            self._crier.pulse(chunked(comment))

    async def stop(self) -> None:
        """No more crying."""
        crier, self._crier = self._crier, None
        if crier is not None:
            await crier.close()

    def _end(self, number: int, last: bytes, why: str) -> None:
        assert self._crier is not None
        self._crier.end(number, last)
        self._over(number, why)

    def _over(self, number: int, why: str) -> None:
        handed = self._handed.pop(number, None)
        if handed is not None:
            handed.channel.handed.pop(number, None)
            self._forget(handed.channel, handed.address, why or "ended")

    def _lost(self) -> None:
        """The crier's process is gone, and its connections; their clients come back."""
        self._crier = None
        self._not_before = get_running_loop().time() + _AGAIN
        for number in list(self._handed):
            self._over(number, "crier")
