"""What lies beside a strategy's file: its own modules, for it alone."""

from __future__ import annotations

import sys
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from passline.machines import View
from passline.strategies.answer import Strategy


class Neighbours:
    """While entered, what lies in a folder can be imported; afterwards all is as it was.

    What was imported from there is kept here and not in ``sys.modules``, so that two strategies
    may each have a ``helper.py``. No compiled files are left in the folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own: dict[str, ModuleType] = {}
        self._hidden: dict[str, ModuleType] = {}
        self._before: set[str] = set()
        self._writes = False

    def __enter__(self) -> None:
        """Put the folder first, and what was imported from it before."""
        self._hidden = {name: sys.modules[name] for name in self._own if name in sys.modules}
        sys.modules.update(self._own)
        self._before = set(sys.modules)
        self._writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        sys.path.insert(0, str(self._folder))

    def __exit__(self, *_: object) -> None:
        """Take it all away again."""
        if str(self._folder) in sys.path:
            sys.path.remove(str(self._folder))
        sys.dont_write_bytecode = self._writes
        if len(sys.modules) != len(self._before):
            self._gather()
        for name in self._own:
            sys.modules.pop(name, None)
        sys.modules.update(self._hidden)

    def _gather(self) -> None:
        """Keep what was newly imported from the folder."""
        new = [name for name in sys.modules if name not in self._before]
        tops = {name for name in new if "." not in name and self._lies_here(sys.modules[name])}
        tops |= {name for name in self._own if "." not in name}
        self._own |= {name: sys.modules[name] for name in new if name.partition(".")[0] in tops}

    def _lies_here(self, module: ModuleType) -> bool:
        """Whether a module is a file of the folder, or a folder in it."""
        places = [*getattr(module, "__path__", ())]
        if not places and getattr(module, "__file__", None):
            places = [module.__file__]
        return any(Path(place).resolve().parent == self._folder for place in places)

    def calling(self, strategy: Strategy) -> Strategy:
        """A strategy that finds its neighbours also when it imports them as it is asked."""

        @wraps(strategy)
        def ask(view: View) -> Any:
            with self:
                return strategy(view)

        return ask
