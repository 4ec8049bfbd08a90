"""Limits on what clients may send: sizes, times, and requests of one token or address."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Final

from starlette.requests import Request

from passline.live.requests import ServiceError

#: Lines per second from one token.
LINES_PER_SECOND: Final = 20
#: Seats that one address may take without a token, and in how many seconds.
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
#: Streams that one address may hold open.
MAX_STREAMS: Final = 2000
#: The largest body of a request, in bytes.
MAX_BODY_BYTES: Final = 16 * 1024
#: How much of a larger body is read and discarded, so that the sender receives the error.
MAX_DISCARDED_BYTES: Final = 64 * 1024 * 1024
#: How many seconds a request's body may take to arrive.
REQUEST_SECONDS: Final = 10.0

#: Senders that were idle are forgotten after this many calls.
_CALLS_PER_SWEEP: Final = 4096


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
        """Return whether one more request would exceed the limit. Count nothing."""
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

    def check(self, sender: str, message: str, *, count: bool = True) -> None:
        """Raise ServiceError with this message if one more request of a sender exceeds the limit.

        The request is counted unless ``count`` is false. ``{wait}`` in the message becomes the
        seconds to wait.
        """
        if not (self.allow(sender) if count else not self.is_exceeded(sender)):
            wait = self.seconds_to_wait(sender)
            raise ServiceError("too_many_requests", message.format(wait=wait), retry_after=wait)

    def seconds_to_wait(self, sender: str) -> int:
        """Return after how many whole seconds one more request is allowed, at least 1."""
        times = self._times.get(sender)
        left = self.seconds - (self._clock() - times[0]) if times else 0.0
        return max(1, ceil(left))


def check_rate(limiter: RateLimiter, address: str, action: str) -> None:
    """Count a request. Raise ServiceError if its address has exceeded the limit.

    ``action`` completes the message "One address may ... at most 60 times in 60 seconds."
    """
    limiter.check(
        address,
        f"One address may {action} at most {limiter.limit} times in {limiter.seconds:.0f} "
        "seconds. Try again in {wait} s.",
    )


def client_address(request: Request) -> str:
    """Return the address that a request comes from, as a proxy on this machine reports it."""
    return request.client.host if request.client else ""
