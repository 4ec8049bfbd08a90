"""The wager shapes, one module each. A shape is a way in which wagers are decided, such as odds.

A rulebook picks a shape for every wager and fills in its values. To add a shape, add a module here
with a subclass of ``WagerRule`` that has a ``tag``; this package finds it, and all other code calls
the shape's methods. Nothing here plays a game or reads a file.
"""

from functools import reduce
from importlib import import_module
from operator import or_
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from passline.game.law.wagers import WagerRule


def find_shapes() -> dict[str, type[WagerRule]]:
    """Return every shape by its tag, as the ``shape`` key of a wager in a rulebook names it.

    >>> sorted(find_shapes())[:3]
    ['collect', 'come', 'composite']
    """
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    return {
        str(member.__struct_config__.tag): member
        for module in modules
        for member in vars(module).values()
        if isinstance(member, type)
        and issubclass(member, WagerRule)
        and member.__module__ == module.__name__
        and member.__struct_config__.tag != member.__name__  # A base class has no tag of its own.
    }


if TYPE_CHECKING:
    AnyWager = WagerRule
else:
    #: Every shape: what a rulebook's wager is converted to.
    AnyWager = reduce(or_, find_shapes().values())
