"""The crier: a process beside the server that tells a crowd what the log says.

To tell ten clients of an entry takes as long as deciding it, and the server does nothing else
meanwhile. So where many listen, a stream that has heard everything up to now is handed over, with
its connection, to a process of its own; the server tells that of an entry once, and of all the
entries of a commit in one piece. ``crier_process.py`` is what runs there.
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
from typing import Final

from passline.web import crier_process as process

#: Why a connection is over, as the metrics tell it.
_WHY: Final = {
    process.LEFT: "left",
    process.BEHIND: "behind",
    process.STUCK: "stuck",
    process.ENDED: "",
    process.FULL: "full",
}
_READ: Final = 1 << 16
#: Bytes that wait for a crier which takes nothing, after which it is let go.
_MOST: Final = 64 * 1024 * 1024
#: Files that a crier needs for itself.
_OWN_FILES: Final = 16


@contextmanager
def _deaf() -> Iterator[None]:
    """Whoever is started meanwhile does not hear the signals that end a server, nor does it before
    it can say so itself: a service's processes may all get them, and it has goodbyes to say."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def can_cry() -> bool:
    """Whether this system hands connections from one process to another."""
    return hasattr(socket, "send_fds")


class Crier:
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
        with theirs, ExitStack() as undone, _deaf():
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
        self.room = sys.maxsize if most == resource.RLIM_INFINITY else most - _OWN_FILES
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
        self._say(process.TAKE, self._number, channel.to_bytes(4, "big"), file)
        return self._number

    def tell(self, channel: int, chunk: bytes) -> None:
        """The next of a channel."""
        self._say(process.TELL, channel, chunk)

    def end(self, number: int, last: bytes) -> None:
        """The last that a connection hears."""
        self._say(process.END, number, last)

    def pulse(self, chunk: bytes) -> None:
        """Something for everybody, now and then. A crier that did not answer the last is stopped,
        or hangs: it is let go, so that its clients come back."""
        if not self._here:
            self._loop.call_soon(self._fail)
        self._here = False
        self._say(process.PULSE, 0, chunk)

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
        piece = process.ORDER.pack(what, number, len(said)) + said
        self._unsent.append((piece, file))
        self._size += len(piece)
        if self._size > _MOST:
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
            data = self._socket.recv(_READ)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._fail()
            return
        self._heard += data
        whole = len(self._heard) // process.OVER.size * process.OVER.size
        for number, why in process.OVER.iter_unpack(bytes(self._heard[:whole])):
            if why == process.HERE:
                self._here = True
            else:
                self._over(number, _WHY[why])
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
