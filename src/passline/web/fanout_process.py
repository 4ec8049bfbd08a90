"""The crier's own process: connections that have heard everything are told what comes next.

Run by itself, ``python crier_process.py FD CHUNKS SECONDS``: it needs the standard library and
nothing of ours, so that it is small and quick to start. ``FD`` is its end of a pair of sockets to
the server that started it. What it is told there is a head (what, a number, how many bytes follow)
and these bytes; what it tells is the number of a connection that is over, and why: its client left,
is more chunks behind than it may be, or took nothing for so many seconds; and that it is there,
when it is given something for everybody. When the server ends, whatever ends it, the crier does.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import struct
import sys
import time
from collections import deque
from contextlib import suppress

#: What, whose number, how many bytes follow.
COMMAND_HEAD = struct.Struct("!cII")
#: A connection (its file comes with it) belongs to a channel; a channel's next chunk; the last
#: bytes of a connection; a chunk for everybody who has nothing else to take.
ADOPT, SEND, END, HEARTBEAT = b"t", b"e", b"x", b"p"
#: The number of a connection that is over, and why: its client left, fell behind, took nothing, has
#: heard its last, or its file did not come, as there is no room for another; 0: the crier is there.
CLOSED_NOTICE = struct.Struct("!IB")
LEFT, BEHIND, STUCK, ENDED, FULL, ALIVE = range(6)

#: Seconds for what is left to be sent at the end.
_GRACE_SECONDS = 1.0
_READ_BYTES = 1 << 18
_MAX_FILES = 64


class _Client:
    """One connection: what it has not taken yet, and since when."""

    __slots__ = ("channel", "ending", "file", "number", "since", "unsent")

    def __init__(self, file: int, number: int, channel: int) -> None:
        self.file, self.number, self.channel = file, number, channel
        self.unsent: deque[bytes | memoryview] = deque()
        self.since = 0.0
        self.ending = False


class _Fanout:
    """Everybody who listens, by channel, and the server that tells."""

    def __init__(self, server: socket.socket, most_behind: int, patience: float) -> None:
        self._server, self._most, self._patience = server, most_behind, patience
        self._clients: dict[int, _Client] = {}
        self._channels: dict[int, dict[_Client, None]] = {}
        self._files: deque[int] = deque()
        self._heard = bytearray()
        self._over = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(server, selectors.EVENT_READ, None)

    def run(self) -> None:
        """Tell until the server ends; then a moment for what is left."""
        looked = time.monotonic()
        while self._serve(1.0):
            if time.monotonic() - looked >= 1.0:
                looked = time.monotonic()
                self._give_up(looked - self._patience)
        until = time.monotonic() + _GRACE_SECONDS
        for ear in list(self._clients.values()):
            self._end(ear)
        self._selector.unregister(self._server)
        while self._clients and time.monotonic() < until:
            self._serve(0.1)

    def _serve(self, wait: float) -> bool:
        """One turn. Whether the server is still there."""
        there = True
        for key, events in self._selector.select(wait):
            if key.data is None:
                there = self._hear()
            elif key.data.number not in self._clients:
                continue  # over since it was looked at
            elif events & selectors.EVENT_WRITE:
                self._send_pending(key.data)
            else:
                self._look(key.data)
        self._report_closed()
        return there

    def _report_closed(self) -> None:
        while self._over:
            try:
                del self._over[: self._server.send(self._over)]
            except BlockingIOError:
                return  # in another turn
            except OSError:
                self._over.clear()  # the server is gone: so are we, soon

    # What the server says.

    def _hear(self) -> bool:
        try:
            data, files, flags, _ = socket.recv_fds(self._server, _READ_BYTES, _MAX_FILES)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._files.extend(files)
        if flags & socket.MSG_CTRUNC:
            self._files.append(-1)  # one for which there was no room: the next is not taken for it
        self._heard += data
        at = 0
        while len(self._heard) - at >= COMMAND_HEAD.size:
            what, number, size = COMMAND_HEAD.unpack_from(self._heard, at)
            if len(self._heard) - at < COMMAND_HEAD.size + size:
                break
            at += COMMAND_HEAD.size
            self._do(what, number, bytes(self._heard[at : at + size]))
            at += size
        del self._heard[:at]
        return bool(data)

    def _do(self, what: bytes, number: int, said: bytes) -> None:
        if what == SEND:
            for ear in list(self._channels.get(number, ())):
                self._tell(ear, said)
        elif what == ADOPT:
            self._take(_Client(self._files.popleft(), number, int.from_bytes(said, "big")))
        elif what == END:
            last = self._clients.get(number)
            if last is not None:
                self._tell(last, said)
                self._end(last)
        elif what == HEARTBEAT:
            self._over += CLOSED_NOTICE.pack(0, ALIVE)
            for ear in list(self._clients.values()):
                if not ear.unsent:
                    self._tell(ear, said)

    def _take(self, ear: _Client) -> None:
        if ear.file < 0:
            self._over += CLOSED_NOTICE.pack(ear.number, FULL)
            return
        os.set_blocking(ear.file, False)
        self._clients[ear.number] = ear
        self._channels.setdefault(ear.channel, {})[ear] = None
        self._selector.register(ear.file, selectors.EVENT_READ, ear)

    # What clients are told.

    def _tell(self, ear: _Client, chunk: bytes) -> None:
        if ear.ending or ear.number not in self._clients:
            return
        if not ear.unsent:
            try:
                sent = os.write(ear.file, chunk)
            except BlockingIOError:
                sent = 0
            except OSError:
                self._drop(ear, LEFT)
                return
            if sent == len(chunk):
                return
            ear.since = time.monotonic()
            ear.unsent.append(memoryview(chunk)[sent:])
            self._selector.modify(ear.file, selectors.EVENT_READ | selectors.EVENT_WRITE, ear)
            return
        ear.unsent.append(chunk)
        if len(ear.unsent) > self._most:
            self._drop(ear, BEHIND)

    def _send_pending(self, ear: _Client) -> None:
        """What it could not take before."""
        while ear.unsent:
            chunk = ear.unsent[0]
            try:
                sent = os.write(ear.file, chunk)
            except BlockingIOError:
                return
            except OSError:
                self._drop(ear, LEFT)
                return
            ear.since = time.monotonic()
            if sent < len(chunk):
                ear.unsent[0] = memoryview(chunk)[sent:]
                return
            ear.unsent.popleft()
        if ear.ending:
            self._drop(ear, ENDED)
        else:
            self._selector.modify(ear.file, selectors.EVENT_READ, ear)

    def _look(self, ear: _Client) -> None:
        """A client has said something, which nobody heeds, or left."""
        try:
            if os.read(ear.file, 1 << 16):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._drop(ear, LEFT)

    def _end(self, ear: _Client) -> None:
        """Send what is left, and no more."""
        ear.ending = True
        if not ear.unsent and ear.number in self._clients:
            self._drop(ear, ENDED)

    def _give_up(self, late: float) -> None:
        for ear in list(self._clients.values()):
            if ear.unsent and ear.since < late:
                self._drop(ear, STUCK)

    def _drop(self, ear: _Client, why: int) -> None:
        if self._clients.pop(ear.number, None) is None:
            return
        channel = self._channels[ear.channel]
        del channel[ear]
        if not channel:
            del self._channels[ear.channel]
        self._selector.unregister(ear.file)
        os.close(ear.file)
        self._over += CLOSED_NOTICE.pack(ear.number, why)


def main() -> None:
    """Cry what the server tells."""
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)  # the server has them, and ends us
    with suppress(ValueError, OSError, ImportError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    file, most_behind, patience = sys.argv[1:]
    with socket.socket(fileno=int(file)) as server:
        server.setblocking(False)
        _Fanout(server, int(most_behind), float(patience)).run()


if __name__ == "__main__":
    main()
