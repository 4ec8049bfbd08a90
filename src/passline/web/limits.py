"""How much one token may say, and one request hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Final

#: Lines a second from a token.
LINES_PER_SECOND: Final = 20
#: Seats that one address may ask for without a token, in so many seconds.
MAX_SEATS: Final = 2000
SEATS_SECONDS: Final = 60.0
#: New names that one address may take at one table without a token, in so many seconds.
MAX_NAMES: Final = 200
NAMES_SECONDS: Final = 3600.0
#: Streams that one address may hold open.
MAX_STREAMS: Final = 2000
#: Bytes of a request's body.
MAX_BODY_BYTES: Final = 16 * 1024
#: Bytes of a body beyond that which are read and dropped, so that the sender hears the answer.
MAX_DISCARDED_BYTES: Final = 64 * 1024 * 1024
#: Seconds that a request's head, and then its body, may take to come.
REQUEST_SECONDS: Final = 10.0

#: How often those who said nothing lately are forgotten.
_CALLS_PER_SWEEP: Final = 4096


class RateLimiter:
    """Counts each speaker's lines of the last second, or of so many seconds.

    >>> now = 0.0
    >>> pacer = RateLimiter(2, clock=lambda: now)
    >>> pacer.takes("ann"), pacer.takes("ann"), pacer.takes("ann"), pacer.takes("bob")
    (True, True, False, True)
    >>> now = 1.0
    >>> pacer.takes("ann")
    True
    """

    def __init__(
        self,
        lines: int = LINES_PER_SECOND,
        clock: Callable[[], float] = monotonic,
        within: float = 1.0,
    ) -> None:
        self._lines, self._clock, self._within = lines, clock, within
        self._said: dict[str, deque[float]] = {}
        self._calls = 0

    def full(self, speaker: str) -> bool:
        """Whether one more is past the limit; nothing is counted."""
        said = self._said.get(speaker)
        if said is None or len(said) < self._lines:
            return False
        return self._clock() - said[0] < self._within

    def takes(self, speaker: str) -> bool:
        """Whether one more line is within the limit; it is counted if so."""
        now = self._clock()
        self._calls += 1
        if self._calls % _CALLS_PER_SWEEP == 0:
            late = now - self._within
            self._said = {who: said for who, said in self._said.items() if said[-1] > late}
        if self.full(speaker):
            return False
        self._said.setdefault(speaker, deque(maxlen=self._lines)).append(now)
        return True

    def wait(self, speaker: str) -> int:
        """Whole seconds until one more line is taken."""
        said = self._said.get(speaker)
        left = self._within - (self._clock() - said[0]) if said else 0.0
        return max(1, ceil(left))
