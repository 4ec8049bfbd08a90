"""Mutants of code: the function that implements a clause, with one piece of it rewritten.

``tests/breaks.toml`` lists them. A clause that a book lists only under ``also`` is implemented by
code alone: there is no value to change, so the code is changed.
"""

from __future__ import annotations

import importlib
import inspect
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

BREAKS = Path(__file__).parent.parent / "tests" / "breaks.toml"


class CodeMutant(NamedTuple):
    """A function of the engine (its full name) in whose source ``find`` becomes ``write``."""

    name: str
    function: str
    find: str
    write: str
    clauses: tuple[str, ...]

    def install(self) -> Callable[[], None]:
        """Change the function for all its callers. Return a function that undoes it.

        Exit if ``find`` is not exactly once in the source.
        """
        module_name, _, name = self.function.rpartition(".")
        module = importlib.import_module(module_name)
        whole = getattr(module, name)
        source = textwrap.dedent(inspect.getsource(whole))
        if source.count(self.find) != 1:
            raise SystemExit(f"{BREAKS.name}: {self.find!r} does not stand once in {self.function}")
        made: dict[str, FunctionType] = {}
        code = compile(
            "from __future__ import annotations\n" + source.replace(self.find, self.write),
            str(BREAKS),
            "exec",
            dont_inherit=True,
        )
        exec(code, vars(module) | {"__name__": module_name}, made)
        kept, whole.__code__ = whole.__code__, made[name].__code__

        def mend() -> None:
            whole.__code__ = kept

        return mend


def list_code_mutants() -> list[CodeMutant]:
    """Return every mutant of code, with the clauses that it breaks as "book:clause"."""
    rows = tomllib.loads(BREAKS.read_text("utf-8"))["break"]
    return [
        CodeMutant(
            row["is"],
            row["function"],
            row["find"],
            row["write"],
            tuple(f"{book}:{c}" for book, ids in row["clauses"].items() for c in ids),
        )
        for row in rows
    ]
