"""The optional extras of the package (such as ``lab``), and the error if one is not installed.

In a checkout of the source, the error says how to install the extra from that checkout.
"""

from __future__ import annotations

import sys
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]

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
    """Return the error to show for a failed import: it names the extra to install.

    Return None if no extra contains the package. ``what`` is the feature that needs it, for the
    message.
    """
    extra = find_extra(error)
    if extra is None:
        return None
    return MissingExtra(
        f"{what} needs passline[{extra}]: {install_command(extra)}", name=error.name
    )


def find_extra(error: ImportError) -> str | None:
    """Return the extra that contains the package of a failed import, or None.

    >>> find_extra(ModuleNotFoundError(name="numba.core"))
    'lab'
    """
    module = (error.name or "").partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if module in modules), None)


def install_command(extra: str, checkout: Path = _CHECKOUT) -> str:
    """Return the shell command that installs an extra, for a message.

    It installs the published package, or ``checkout`` if that folder has Passline's source. Paths
    inside the current folder are shown relative to it.

    >>> install_command("lab", Path("/nowhere"))
    "pip install 'passline[lab]'"
    """
    if not (checkout / "pyproject.toml").is_file():
        return f"pip install 'passline[{extra}]'"
    python, project = _shorten(Path(sys.executable)), _shorten(checkout)
    return f"{python} -m pip install -e '{project}[{extra}]'"


def _shorten(path: Path) -> str:
    """Return a path relative to the current folder if it is inside, else the whole path."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
