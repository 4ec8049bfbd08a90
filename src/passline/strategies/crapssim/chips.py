"""A bankroll that is deep enough, and known only by its changes.

A machine counts changes of money, not bankrolls (docs/strategies.md). So a strategy is shown chips
of which there are always more than any number of dollars; two bankrolls can be compared, and one
taken from the other is dollars again.
"""

from __future__ import annotations

from typing import Any

from passline.machines import StrategyError


class DeepChips:
    """So many dollars more (or fewer) than a bankroll that nobody knows.

    >>> DeepChips(5) > 10**9, DeepChips(5) - DeepChips(2), (DeepChips(5) - 3) == DeepChips(2)
    (True, 3.0, True)
    """

    __slots__ = ("dollars",)

    def __init__(self, dollars: float = 0.0) -> None:
        self.dollars = float(dollars)

    def __add__(self, other: Any) -> DeepChips:
        if isinstance(other, DeepChips):
            return NotImplemented
        return DeepChips(self.dollars + float(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, DeepChips):
            return self.dollars - other.dollars
        return DeepChips(self.dollars - float(other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeepChips) and self.dollars == other.dollars

    def __hash__(self) -> int:
        return hash(self.dollars)

    def __lt__(self, other: Any) -> bool:
        return isinstance(other, DeepChips) and self.dollars < other.dollars

    def __le__(self, other: Any) -> bool:
        return isinstance(other, DeepChips) and self.dollars <= other.dollars

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __bool__(self) -> bool:
        return True

    def _whole(self, *_: object) -> Any:
        """As one number it cannot be had."""
        raise StrategyError(
            "it reckons with its whole bankroll, which a machine does not know: it may ask whether "
            "there is enough, and how much more or less there is than there was"
        )

    __float__ = __int__ = __index__ = __round__ = _whole
    __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = __rsub__ = _whole

    def __repr__(self) -> str:
        return f"a deep bankroll {self.dollars:+g}"
