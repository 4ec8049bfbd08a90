"""The drills, one module each; this package finds them and puts them in teaching order.

To add a drill, add a module here whose ``DRILL`` is a ``Drill`` with the module's name.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.school.drill import Drill


@cache
def _load_drills() -> dict[str, Drill]:
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    drills: list[Drill] = sorted(
        (module.DRILL for module in modules), key=lambda drill: drill.teaching_order
    )
    return {drill.name: drill for drill in drills}


def list_drill_names() -> tuple[str, ...]:
    """Return the names of all drills in the order in which dealers learn them.

    >>> list_drill_names()[:3]
    ('terms', 'positions', 'booking')
    """
    return tuple(_load_drills())


def load_drill(name: str) -> Drill:
    """Return a drill by its name. Raise KeyError if there is none.

    >>> load_drill("vig").skill
    'the vigorish on a buy or lay bet, and what the bet pays'
    """
    return _load_drills()[name]
