"""The card: found, named, and the kernels compiled for it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

#: What a kernel is compiled for: names and values.
KernelSettings = Mapping[str, int | str]


class NoCardError(Exception):
    """There is no card to play on; the message is one line that says what is missing."""


class GraphicsCard(NamedTuple):
    """A card that can be played on: its name, how many multiprocessors it has, and CuPy."""

    name: str
    processors: int
    cupy: Any


def open_card() -> GraphicsCard:
    """The first card of this machine. Raises NoCardError where there is none to be used."""
    try:
        import cupy
    except ImportError as wrong:
        if wrong.name != "cupy":
            raise NoCardError(f"CuPy cannot be loaded: {_line(wrong)}") from None
        raise NoCardError(
            "a GPU needs CuPy and an NVIDIA card: pip install 'passline[gpu]'"
        ) from None
    try:
        there = cupy.cuda.runtime.getDeviceCount()
        known = cupy.cuda.runtime.getDeviceProperties(0) if there else None
    except Exception as wrong:
        raise NoCardError(f"no GPU can be used here: {_line(wrong)}") from None
    if known is None:
        raise NoCardError("no GPU can be used here: CUDA sees none")
    name = known["name"].decode(errors="replace")
    return GraphicsCard(name=name, processors=int(known["multiProcessorCount"]), cupy=cupy)


def kernel(card: GraphicsCard, source: str, entry: str, settings: KernelSettings) -> Any:
    """A kernel of ``source`` (a .cu file beside this one, after draws.cuh), compiled with these
    settings."""
    return _compiled(card.cupy, source, entry, tuple(sorted(settings.items())))


@cache
def _compiled(
    cupy: Any, source: str, entry: str, settings: tuple[tuple[str, int | str], ...]
) -> Any:
    here = files(__package__)
    text = "".join(here.joinpath(name).read_text("utf-8") for name in ("draws.cuh", source))
    defined = tuple(f"-D{name}={value}" for name, value in settings)
    return cupy.RawModule(code=text, options=defined).get_function(entry)


def _line(wrong: BaseException) -> str:
    return " ".join(str(wrong).split())[:200] or type(wrong).__name__
