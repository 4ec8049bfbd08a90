"""How much one token may say, and one request hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final

#: Lines a second from a token.
LINES: Final = 20
#: Bytes of a request's body.
BODY: Final = 16 * 1024
#: Bytes of a body beyond that which are read and dropped, so that the sender hears the answer.
DROPPED: Final = 64 * 1024 * 1024
#: Seconds that a request's head, and then its body, may take to come.
PATIENCE: Final = 10.0

#: How often those who said nothing lately are forgotten.
_SWEEP: Final = 4096


class Pacer:
    """Counts each speaker's lines of the last second.

    >>> now = 0.0
    >>> pacer = Pacer(2, clock=lambda: now)
    >>> pacer.takes("ann"), pacer.takes("ann"), pacer.takes("ann"), pacer.takes("bob")
    (True, True, False, True)
    >>> now = 1.0
    >>> pacer.takes("ann")
    True
    """

    def __init__(self, lines: int = LINES, clock: Callable[[], float] = monotonic) -> None:
        self._lines, self._clock = lines, clock
        self._said: dict[str, deque[float]] = {}
        self._calls = 0

    def takes(self, speaker: str) -> bool:
        """Whether one more line is within the limit; it is counted if so."""
        now = self._clock()
        self._calls += 1
        if self._calls % _SWEEP == 0:
            self._said = {who: said for who, said in self._said.items() if now - said[-1] < 1}
        said = self._said.get(speaker)
        if said is None:
            said = self._said[speaker] = deque(maxlen=self._lines)
        if len(said) == self._lines and now - said[0] < 1:
            return False
        said.append(now)
        return True
