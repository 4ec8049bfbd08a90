"""Where Passline keeps what is to last: games at the prompt, its history, live tables' logs."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["folder"]


def folder() -> Path:
    """``PASSLINE_HOME``, or the system's place for such things.

    RuntimeError where there is no such home.
    """
    chosen = os.environ.get("PASSLINE_HOME")
    if chosen:
        return Path(chosen).expanduser()
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "passline"
