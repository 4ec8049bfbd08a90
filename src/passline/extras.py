"""The optional extras of the package, and the message for one that is not installed."""

from __future__ import annotations

#: The modules of each extra.
EXTRAS = {
    "lab": ("numpy", "numba", "llvmlite"),
    "plot": ("matplotlib",),
    "dask": ("dask", "distributed"),
    "gpu": ("cupy",),
    "gym": ("gymnasium",),
    "crapssim": ("crapssim",),
    "school": ("fsrs",),
    "html": ("jinja2", "markupsafe"),
    "live": ("starlette", "uvicorn", "apsw", "psycopg", "httpx", "cryptography"),
}


class MissingExtra(ModuleNotFoundError):  # noqa: N818
    """A package is not installed; the message is one line that names the extra to install."""


def missing_extra(error: ImportError, what: str = "this") -> MissingExtra | None:
    """Return the error that names the extra to install for a failed import, or None if none has it.

    ``what`` is the feature that needs it, for the message.

    >>> str(missing_extra(ModuleNotFoundError(name="numba"), "session"))
    "session needs passline[lab]: pip install 'passline[lab]'"
    """
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            words = f"{what} needs passline[{extra}]: pip install 'passline[{extra}]'"
            return MissingExtra(words, name=module)
    return None
