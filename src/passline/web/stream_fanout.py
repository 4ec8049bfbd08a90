"""The crier: a process beside the server that tells a crowd what the log says.

To tell ten clients of an entry takes as long as deciding it, and the server does nothing else
meanwhile. So where many listen, a stream that has heard everything up to now is handed over, with
its connection, to a process of its own; the server tells that of an entry once, and of all the
entries of a commit in one piece. ``crier_process.py`` is what runs there.

A crowd: the streams that the crier goes on with, and what the server still knows of them.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
from asyncio import get_running_loop, sleep
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from passline.live.tokens import Holder
from passline.web import fanout_process as process
from passline.web.responses import RawConnection

if TYPE_CHECKING:
    from passline.web.streams import Channel

#: Why a connection is over, as the metrics tell it.
_CLOSE_REASONS: Final = {
    process.LEFT: "left",
    process.BEHIND: "behind",
    process.STUCK: "stuck",
    process.ENDED: "",
    process.FULL: "full",
}
_READ_BYTES: Final = 1 << 16
#: Bytes that wait for a crier which takes nothing, after which it is let go.
_MAX_UNSENT_BYTES: Final = 64 * 1024 * 1024
#: Files that a crier needs for itself.
_RESERVED_FILES: Final = 16


@contextmanager
def _block_signals() -> Iterator[None]:
    """Whoever is started meanwhile does not hear the signals that end a server, nor does it before
    it can say so itself: a service's processes may all get them, and it has goodbyes to say."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def can_pass_sockets() -> bool:
    """Whether this system hands connections from one process to another."""
    return hasattr(socket, "send_fds")


class FanoutProcess:
    """The server's side. ``over(number, why)``: a connection is over, for no reason (empty) where
    it was ended here; ``lost``: the process is gone, or does nothing, and all its connections with
    it; neither is called from within a method. A connection may be so many chunks behind, and take
    nothing for so many seconds (``patience``). ``room``: how many connections it can hold."""

    def __init__(
        self,
        over: Callable[[int, str], None],
        lost: Callable[[], None],
        most_behind: int,
        patience: float,
    ) -> None:
        self._over, self._lost = over, lost
        self._loop = get_running_loop()
        self._socket, theirs = socket.socketpair()
        given = (theirs.fileno(), most_behind, patience)
        with theirs, ExitStack() as undone, _block_signals():
            undone.callback(self._socket.close)
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", Path(process.__file__), *map(str, given)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
            undone.pop_all()
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.room = sys.maxsize if most == resource.RLIM_INFINITY else most - _RESERVED_FILES
        self._socket.setblocking(False)
        self._loop.add_reader(self._socket, self._hear)
        self._unsent: deque[tuple[bytes, int]] = deque()
        self._size, self._due, self._blocked, self._closed = 0, False, False, False
        self._heard = bytearray()
        self._number, self._here = 0, True

    def take(self, file: int, channel: int) -> int:
        """Hand a connection over, which hears of a channel from now on; its number. The file is
        the crier's, and closed here."""
        self._number += 1
        self._say(process.ADOPT, self._number, channel.to_bytes(4, "big"), file)
        return self._number

    def tell(self, channel: int, chunk: bytes) -> None:
        """The next of a channel."""
        self._say(process.SEND, channel, chunk)

    def end(self, number: int, last: bytes) -> None:
        """The last that a connection hears."""
        self._say(process.END, number, last)

    def pulse(self, chunk: bytes) -> None:
        """Something for everybody, now and then. A crier that did not answer the last is stopped,
        or hangs: it is let go, so that its clients come back."""
        if not self._here:
            self._loop.call_soon(self._fail)
        self._here = False
        self._say(process.HEARTBEAT, 0, chunk)

    async def close(self) -> None:
        """Have it end, once everybody was told what was said before."""
        for _ in range(100):
            if self._closed or not self._unsent:
                break
            await sleep(0.01)
        self._let_go()
        for _ in range(150):
            if self._process.poll() is not None:
                return
            await sleep(0.01)
        self._process.kill()
        self._process.wait()

    def _say(self, what: bytes, number: int, said: bytes, file: int = -1) -> None:
        if self._closed:
            if file >= 0:
                os.close(file)
            return
        piece = process.COMMAND_HEAD.pack(what, number, len(said)) + said
        self._unsent.append((piece, file))
        self._size += len(piece)
        if self._size > _MAX_UNSENT_BYTES:
            self._loop.call_soon(self._fail)
        elif not self._due and not self._blocked:
            self._due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """Send what there is, as much as possible in one piece; a file begins a piece."""
        self._due = False
        while self._unsent and not self._closed:
            _, file = self._unsent[0]
            piece = [self._unsent.popleft()[0]]
            while self._unsent and self._unsent[0][1] < 0:
                piece.append(self._unsent.popleft()[0])
            data = b"".join(piece)
            try:
                sent = socket.send_fds(self._socket, [data], [file] if file >= 0 else [])
            except BlockingIOError:
                sent = 0
            except OSError:
                self._unsent.appendleft((data, file))
                self._fail()
                return
            if file >= 0 and sent:
                os.close(file)
            self._size -= sent
            if sent < len(data):
                self._unsent.appendleft((data[sent:], -1 if sent else file))
                break
        self._wait_to_send(bool(self._unsent) and not self._closed)

    def _wait_to_send(self, blocked: bool) -> None:
        if blocked != self._blocked:
            self._blocked = blocked
            if blocked:
                self._loop.add_writer(self._socket, self._flush)
            else:
                self._loop.remove_writer(self._socket)

    def _hear(self) -> None:
        try:
            data = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._fail()
            return
        self._heard += data
        whole = len(self._heard) // process.CLOSED_NOTICE.size * process.CLOSED_NOTICE.size
        for number, why in process.CLOSED_NOTICE.iter_unpack(bytes(self._heard[:whole])):
            if why == process.ALIVE:
                self._here = True
            else:
                self._over(number, _CLOSE_REASONS[why])
        del self._heard[:whole]

    def _fail(self) -> None:
        """It is gone, or as good as that."""
        if self._closed:
            return
        self._let_go()
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        self._lost()

    def _let_go(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._loop.remove_reader(self._socket)
        self._wait_to_send(False)
        self._socket.close()
        for _, file in self._unsent:
            if file >= 0:
                os.close(file)
        self._unsent.clear()


#: Streams of a server from which on they are a crowd's: a few are told as quickly from here.
MIN_STREAMS: Final = 50
#: Seconds after which it is tried again, where a crier was lost or could not be had.
_RETRY_SECONDS: Final = 5.0
_LAST_CHUNK: Final = b"0\r\n\r\n"


def encode_chunk(data: bytes) -> bytes:
    """A piece of an answer that comes in chunks."""
    return b"%x\r\n%b\r\n" % (len(data), data)


class _HandedStream(Struct, frozen=True, gc=False):
    """A stream that was handed over."""

    channel: Channel
    holder: Holder | None
    address: str


class StreamFanout:
    """``forget(channel, address, why)`` is told of every stream that is over. One may be so many
    entries behind, and take nothing for so many seconds (``patience``)."""

    def __init__(
        self, forget: Callable[[Channel, str, str], None], most_behind: int, patience: float
    ) -> None:
        self._forget, self._limits = forget, (most_behind, patience)
        self._crier: FanoutProcess | None = None
        self._handed: dict[int, _HandedStream] = {}
        self._not_before = 0.0

    def takes(self, streams: int) -> bool:
        """Whether one of so many streams would be taken."""
        return (
            streams >= MIN_STREAMS
            and can_pass_sockets()
            and get_running_loop().time() >= self._not_before
        )

    def take(
        self, channel: Channel, wire: RawConnection, holder: Holder | None, address: str
    ) -> bool:
        """Go on with a stream that has heard all of a channel, if its connection can be had."""
        try:
            if self._crier is None:
                self._crier = FanoutProcess(self._over, self._lost, *self._limits)
            if len(self._handed) >= self._crier.room:
                return False
            file = wire.hand_over()
        except OSError:  # no room for another process, or another file: it goes on here
            self._not_before = get_running_loop().time() + _RETRY_SECONDS
            return False
        if file is None:
            return False
        number = self._crier.take(file, channel.number)
        self._handed[number] = _HandedStream(channel, holder, address)
        channel.handed[number] = holder
        return True

    def tell(self, channel: Channel, chunk: bytes, withdrawn: Holder | None) -> int:
        """Have a channel's streams hear a chunk, but those of one whose tokens are taken away; how
        many do."""
        if self._crier is None or not channel.handed:
            return 0
        if withdrawn is not None:
            for number in [n for n, holder in channel.handed.items() if holder == withdrawn]:
                self._end(number, _LAST_CHUNK, "withdrawn")
        self._crier.tell(channel.number, chunk)
        return len(channel.handed)

    def end(self, channel: Channel, why: str, last: bytes = b"") -> None:
        """Have all of a channel's streams end."""
        for number in list(channel.handed):
            self._end(number, (encode_chunk(last) if last else b"") + _LAST_CHUNK, why)

    def pulse(self, comment: bytes) -> None:
        """Keep silent streams open."""
        if self._crier is not None:
            self._crier.pulse(encode_chunk(comment))

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
        self._not_before = get_running_loop().time() + _RETRY_SECONDS
        for number in list(self._handed):
            self._over(number, "crier")
