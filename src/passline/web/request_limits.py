"""Limits on what clients may send: sizes, times, and requests of one token or address.

`connection_limits` has the limits on open connections; `admission` applies both. How many tables
one address may have open is checked in `live.hosted_tables`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from math import ceil, inf
from pathlib import Path
from shutil import disk_usage
from time import monotonic
from typing import Final

from msgspec import Struct
from starlette.requests import Request

from passline.game.words.web import say_web
from passline.live.hosted_tables import normalize_address
from passline.live.schema import ErrorCode, ServiceError

#: Lines per second from one token.
LINES_PER_SECOND: Final = 20
#: Requests for a seat without a token that one address may send, and in how many seconds.
MAX_SEATS: Final = 2000
SEATS_SECONDS: Final = 60.0
#: New names that one address may take at one table without a token, and in how many seconds.
MAX_NAMES: Final = 200
NAMES_SECONDS: Final = 3600.0
#: Tables that one address may open without the house key, and in how many seconds.
MAX_HOSTED: Final = 30
HOSTED_SECONDS: Final = 3600.0
#: Tables that one address may host at a time on a server for this machine only.
LOCAL_HOSTING: Final = 3
#: Seats that one address may hold on a server for this machine only.
LOCAL_SEATS: Final = 1000
#: The largest body of a request, in bytes.
MAX_BODY_BYTES: Final = 16 * 1024
#: How much of a larger body is read and discarded, so that the sender receives the error.
MAX_DISCARDED_BYTES: Final = 64 * 1024 * 1024
#: How many seconds a request's body may take to arrive.
REQUEST_SECONDS: Final = 10.0
#: Seconds that a client has to accept a piece of a response.
SEND_SECONDS: Final = 30.0
#: The size of the pieces that a response is sent in. The client must accept one before the next.
PIECE_BYTES: Final = 64 * 1024
#: Wrong keys and tokens that one address may send in a minute.
MAX_WRONG_TOKENS: Final = 10
WRONG_TOKEN_SECONDS: Final = 60.0
_HOUR: Final = 3600.0
_MEGABYTE: Final = 1_000_000
#: Seconds after which a seat at a table that is not in memory counts no longer. A silent player
#: leaves after ten minutes.
_SEAT_SECONDS: Final = 900.0


class ServerLimits(Struct, frozen=True, kw_only=True):
    """What clients may use of a server: from one address, or in all (``_total``). 0 is no limit.

    ``streams`` and ``downloads`` are those open at a time, and ``seats`` the seats that one address
    may take without a token. ``log_mb`` are megabytes of log entries an hour. ``hosting`` are the
    tables that one address may have open without the house key, and ``hosted_tables`` those of all
    addresses, with the tables of shifts; 0 for ``hosting`` allows none. ``shifts`` are shifts of
    the school that are open; None allows none, nor auditions. ``disk_reserve_mb`` must stay free on
    the disk.
    """

    streams: int = 2000
    streams_total: int = 0
    downloads: int = 20
    downloads_total: int = 200
    seats: int = 32
    log_mb: int = 64
    log_mb_total: int = 1024
    hosting: int = 0
    hosted_tables: int = 1000
    shifts: int | None = 3
    shifts_total: int = 300
    disk_reserve_mb: int = 0


#: Senders that were idle are forgotten after this many calls.
_CALLS_PER_SWEEP: Final = 4096


def limit_error(
    code: ErrorCode, words: str, retry_after: int, *, limit: str = "", **figures: object
) -> ServiceError:
    """Return the error for a request over a limit: ``too_many_requests`` or ``unavailable``.

    ``words`` selects the message in `game.words.web`. It also names the limit in the metrics,
    unless ``limit`` does. ``retry_after`` is in seconds.
    """
    message = say_web(words, **figures)
    return ServiceError(code, message, retry_after=retry_after, limit=limit or words)


class RateLimiter:
    """Allows each sender ``limit`` requests within any ``seconds`` seconds.

    A sender is a text that identifies a client: a token's hash or an address.

    >>> now = 0.0
    >>> limiter = RateLimiter(2, clock=lambda: now)
    >>> limiter.allow("ann"), limiter.allow("ann"), limiter.allow("ann"), limiter.allow("bob")
    (True, True, False, True)
    >>> now = 1.0
    >>> limiter.allow("ann")
    True
    """

    def __init__(
        self,
        limit: int = LINES_PER_SECOND,
        clock: Callable[[], float] = monotonic,
        seconds: float = 1.0,
    ) -> None:
        self.limit, self.seconds, self._clock = limit, seconds, clock
        self._times: dict[str, deque[float]] = {}
        self._calls = 0

    def is_exceeded(self, sender: str) -> bool:
        """Return whether one more request would exceed the limit, without counting one."""
        times = self._times.get(sender)
        if times is None or len(times) < self.limit:
            return False
        return self._clock() - times[0] < self.seconds

    def allow(self, sender: str) -> bool:
        """Return whether one more request is within the limit, and count it if so."""
        now = self._clock()
        self._calls += 1
        if self._calls % _CALLS_PER_SWEEP == 0:
            oldest = now - self.seconds
            self._times = {who: times for who, times in self._times.items() if times[-1] > oldest}
        if self.is_exceeded(sender):
            return False
        self._times.setdefault(sender, deque(maxlen=self.limit)).append(now)
        return True

    def check(self, sender: str, code: str, *, count: bool = True) -> None:
        """Raise ServiceError if one more request of a sender exceeds the limit.

        The request is counted unless ``count`` is false. ``code`` selects the message in
        `game.words.web`.
        """
        if not (self.allow(sender) if count else not self.is_exceeded(sender)):
            wait = self.seconds_to_wait(sender)
            raise limit_error(
                "too_many_requests", code, wait, most=self.limit, seconds=self.seconds, wait=wait
            )

    def seconds_to_wait(self, sender: str) -> int:
        """Return after how many whole seconds one more request is allowed, at least 1."""
        times = self._times.get(sender)
        left = self.seconds - (self._clock() - times[0]) if times else 0.0
        return max(1, ceil(left))


class OpenCounter:
    """Counts what clients have open at the same time: streams, or long downloads.

    ``what`` is the plural noun for messages. ``per_address`` limits one address and ``total`` the
    server; 0 means no limit.

    >>> counter = OpenCounter("streams", 1, 2)
    >>> counter.add("ann")
    >>> counter.add("ann")
    Traceback (most recent call last):
    passline.live.schema.ServiceError: Too many streams: one address may hold 1 streams. \
Close some, or try again in 10 s.
    """

    def __init__(self, what: str, per_address: int, total: int) -> None:
        self._what, self.per_address, self.total = what, per_address, total
        self.by_address = Counter[str]()

    def check(self, address: str) -> None:
        """Raise ServiceError if one more would exceed the limit of the address or of the server."""
        if self.per_address and self.by_address[address] >= self.per_address:
            figures = {"what": self._what, "most": self.per_address}
            raise limit_error("too_many_requests", "too-many-open", 10, limit=self._what, **figures)
        if self.total and self.by_address.total() >= self.total:
            raise limit_error("unavailable", "all-open", 10, limit=self._what, what=self._what)

    def add(self, address: str) -> None:
        """Count one more for an address. Raise ServiceError if that exceeds a limit."""
        self.check(address)
        self.by_address[address] += 1

    def remove(self, address: str) -> None:
        """Count one less for an address."""
        self.by_address[address] -= 1
        if self.by_address[address] <= 0:
            del self.by_address[address]


class LogBudget:
    """How many bytes of log the clients of one address, and all clients, may write in an hour.

    Bytes that were used become available again evenly over an hour. The limits are megabytes; 0
    means no limit.

    >>> now = 0.0
    >>> budget = LogBudget(1, 2, clock=lambda: now)
    >>> budget.spend("ann", 1_000_000)
    >>> budget.check("bob")
    >>> budget.check("ann")
    Traceback (most recent call last):
    passline.live.schema.ServiceError: One address may write 1 MB of log in an hour. Try again \
in 1 s.
    """

    def __init__(
        self, per_address_mb: int, total_mb: int, clock: Callable[[], float] = monotonic
    ) -> None:
        self._limits = per_address_mb, total_mb
        self._clock = clock
        #: Bytes that are used up, and when that was counted. The key "" is for all addresses.
        self._used: dict[str, tuple[float, float]] = {}
        self._calls = 0

    def _used_now(self, sender: str, limit: int) -> float:
        used, at = self._used.get(sender, (0.0, 0.0))
        return max(0.0, used - (self._clock() - at) * limit * _MEGABYTE / _HOUR)

    def check(self, address: str) -> None:
        """Raise ServiceError if an address, or the server, has used up its bytes."""
        per_address, total = self._limits
        if wait := self._seconds_to_wait(address, per_address):
            raise limit_error(
                "too_many_requests", "address-wrote", wait, most=per_address, wait=wait
            )
        if wait := self._seconds_to_wait("", total):
            raise limit_error("unavailable", "server-wrote", wait, most=total, wait=wait)

    def _seconds_to_wait(self, sender: str, limit: int) -> int:
        over = self._used_now(sender, limit) - limit * _MEGABYTE if limit else -1.0
        return ceil(over * _HOUR / (limit * _MEGABYTE)) + 1 if over >= 0 else 0

    def spend(self, address: str, size: int) -> None:
        """Count ``size`` bytes that a client at an address wrote."""
        now = self._clock()
        for sender, limit in zip((address, ""), self._limits, strict=True):
            if limit:
                self._used[sender] = self._used_now(sender, limit) + size, now
        self._calls += 1
        if self._calls % _CALLS_PER_SWEEP == 0:
            self._used = {who: used for who, used in self._used.items() if now - used[1] < _HOUR}


class SeatCounter:
    """Counts by address the seats that clients without a token have taken, at most ``most`` each.

    ``is_seated`` is called with a table and a name. It returns whether that player is at the table,
    or None if the table is not in memory.
    """

    def __init__(
        self,
        most: int,
        is_seated: Callable[[str, str], bool | None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._most, self._is_seated, self._clock = most, is_seated, clock
        self._seats: dict[str, dict[tuple[str, str], float]] = {}

    def check(self, address: str, table: str, name: str) -> None:
        """Raise ServiceError if an address has the maximum of seats and asks for another one."""
        seats = self._seats.get(address, {})
        if not self._most or len(seats) < self._most or (table, name) in seats:
            return
        for seat in [seat for seat in seats if not self._is_counted(seat, seats)]:
            del seats[seat]
        if len(seats) >= self._most:
            raise limit_error("too_many_requests", "address-seats", 60, most=self._most)

    def _is_counted(self, seat: tuple[str, str], seats: dict[tuple[str, str], float]) -> bool:
        seated = self._is_seated(*seat)
        return self._clock() - seats[seat] < _SEAT_SECONDS if seated is None else seated

    def add(self, address: str, table: str, name: str) -> None:
        """Count a seat that a client at an address took."""
        if self._most:
            self._seats.setdefault(address, {})[table, name] = self._clock()
        if len(self._seats) > _CALLS_PER_SWEEP:
            self._seats = {
                who: seats
                for who, seats in self._seats.items()
                if any(self._is_counted(seat, seats) for seat in seats)
            }


class WrongTokens:
    """Slows down clients that guess keys and tokens.

    An address that sent ``MAX_WRONG_TOKENS`` different wrong ones within a minute must wait before
    the server checks another one. A key or token that was valid lately is accepted all the same, so
    that a guest at the same address cannot lock the operator out.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, dict[str, float]] = {}
        self._valid: dict[str, None] = {}

    def check(self, address: str, key: str) -> None:
        """Raise ServiceError if an address must wait.

        ``key`` is the hash of the key or token that it sends.
        """
        wrong = self._wrong.get(address)
        if wrong is None or len(wrong) < MAX_WRONG_TOKENS or key in self._valid or key in wrong:
            return
        oldest = self._clock() - WRONG_TOKEN_SECONDS
        for sent in [sent for sent, at in wrong.items() if at <= oldest]:
            del wrong[sent]
        if len(wrong) >= MAX_WRONG_TOKENS:
            wait = max(1, ceil(min(wrong.values()) - oldest))
            raise limit_error("too_many_requests", "wrong-tokens", wait, wait=wait)

    def add_wrong(self, address: str, key: str) -> None:
        """Record that an address sent a wrong key or token, whose hash is ``key``."""
        self._valid.pop(key, None)
        self._wrong.setdefault(address, {})[key] = self._clock()
        if len(self._wrong) > _CALLS_PER_SWEEP:
            oldest = self._clock() - WRONG_TOKEN_SECONDS
            self._wrong = {
                who: sent for who, sent in self._wrong.items() if max(sent.values()) > oldest
            }

    def add_valid(self, key: str) -> None:
        """Record that a key or token, whose hash is ``key``, was valid."""
        if key not in self._valid:
            self._valid[key] = None
            if len(self._valid) > _CALLS_PER_SWEEP:
                del self._valid[next(iter(self._valid))]


class DiskWatch:
    """Checks whether enough of a folder's disk is free, at most once a second.

    ``reserve_mb`` megabytes must stay free; 0 turns the check off.
    """

    def __init__(
        self, folder: Path | None, reserve_mb: int, clock: Callable[[], float] = monotonic
    ) -> None:
        self._folder, self.reserve = folder, reserve_mb * _MEGABYTE
        self._clock, self._looked_at, self._free = clock, -inf, -1

    def free_bytes(self) -> int:
        """Return the free bytes of the disk, or -1 if there is no folder or it cannot be read."""
        now = self._clock()
        if self._folder is not None and not 0 <= now - self._looked_at < 1:
            self._looked_at = now
            try:
                self._free = disk_usage(self._folder).free
            except OSError:
                self._free = -1
        return self._free

    def check(self) -> None:
        """Raise ServiceError if too little of the disk is free."""
        if self.reserve and 0 <= self.free_bytes() < self.reserve:
            raise limit_error("unavailable", "disk-full", 60)


def client_address(request: Request) -> str:
    """Return the address from which a request comes, as a trusted proxy reports it.

    For an IPv6 address it is the /64 network, all of which belongs to one customer.
    """
    return normalize_address(request.client.host) if request.client else ""
