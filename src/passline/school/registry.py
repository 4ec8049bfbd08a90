"""The drills by name, in the order in which dealers are taught; each is imported when asked for."""

from __future__ import annotations

from importlib import import_module

from passline.school.questions import Drill

#: Whose bet is it, where does it go, flat and odds, booking: all that before any speed.
DRILLS = (
    "terms",
    "positions",
    "booking",
    "lines",
    "payoffs",
    "keys",
    "vig",
    "limits",
    "groups",
    "press",
    "calls",
    "order",
    "errors",
    "rulings",
)


def drill_named(name: str) -> Drill:
    """A drill by its name; KeyError where there is none.

    >>> drill_named("vig").name
    'vig'
    """
    if name not in DRILLS:
        raise KeyError(name)
    drill = import_module(f"passline.school.drills.{name}").DRILL
    assert isinstance(drill, Drill)
    return drill
