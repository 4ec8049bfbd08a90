"""Check before a long computation that a picture can be made and written; write it afterwards."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.optional_packages import install_command

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ChartError(ValueError):
    """Raised for a picture that cannot be made. The message is one line that says why."""


_SUFFIXES = (".png", ".svg")
_DPI = 150  # pixels for each inch of a PNG
#: Settings that make a picture independent of the date, the computer and the user's settings.
_MATPLOTLIB_SETTINGS: Any = {
    "text.parse_math": False,  # A dollar sign does not start a formula.
    "svg.hashsalt": "passline",
    "font.size": 9,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "hatch.linewidth": 0.6,
}


def check_path(path: str | Path) -> None:
    """Raise ChartError (message of one line) unless a picture can be written at this path.

    Call this before a long computation. It leaves no new file, and does not change an existing one.
    """
    target = Path(path)
    if target.suffix.lower() not in _SUFFIXES:
        raise ChartError(f"{path}: expected a picture's name ending in .png or .svg")
    if find_spec("matplotlib") is None:
        raise ChartError(f"{path} needs passline[plot]: {install_command('plot')}")
    try:
        if target.exists() and not target.is_file():
            raise ChartError(f"{path} cannot be written: it is not a regular file")
        new = not target.exists()
        with target.open("ab"):
            pass
        if new:
            target.unlink()
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        raise _make_write_error(path, error) from None


def _make_write_error(path: str | Path, error: Exception) -> ChartError:
    if isinstance(error, ChartError):
        return error
    return ChartError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}")


@contextmanager
def matplotlib_settings() -> Iterator[None]:
    """Use matplotlib's defaults and a few settings of ours inside a ``with`` block."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        with matplotlib.rc_context(_MATPLOTLIB_SETTINGS):
            yield


@matplotlib_settings()
def write_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure as PNG or SVG, by the path's ending. Raise ChartError if it cannot be written.

    The picture is drawn completely before the file is opened.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    undated: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
    page = io.BytesIO()
    figure.savefig(page, format=kind, dpi=_DPI, metadata=undated)
    try:
        Path(path).write_bytes(page.getvalue())
    except OSError as error:
        raise _make_write_error(path, error) from None
