"""The card: found, named, and the kernels compiled for it.

Alias tables on a card: in shared memory where they fit, with the kernel that draws from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from passline.lab.simulation.gpu.alias_table import AliasTable

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
            raise NoCardError(f"CuPy cannot be loaded: {_format_error(wrong)}") from None
        raise NoCardError(
            "a GPU needs CuPy and an NVIDIA card: pip install 'passline[gpu]'"
        ) from None
    try:
        there = cupy.cuda.runtime.getDeviceCount()
        known = cupy.cuda.runtime.getDeviceProperties(0) if there else None
    except Exception as wrong:
        raise NoCardError(f"no GPU can be used here: {_format_error(wrong)}") from None
    if known is None:
        raise NoCardError("no GPU can be used here: CUDA sees none")
    name = known["name"].decode(errors="replace")
    return GraphicsCard(name=name, processors=int(known["multiProcessorCount"]), cupy=cupy)


def compile_kernel(card: GraphicsCard, source: str, entry: str, settings: KernelSettings) -> Any:
    """A kernel of ``source`` (a .cu file beside this one, after draws.cuh), compiled with these
    settings."""
    return _compile_cached(card.cupy, source, entry, tuple(sorted(settings.items())))


@cache
def _compile_cached(
    cupy: Any, source: str, entry: str, settings: tuple[tuple[str, int | str], ...]
) -> Any:
    here = files(__package__)
    text = "".join(here.joinpath(name).read_text("utf-8") for name in ("draws.cuh", source))
    defined = tuple(f"-D{name}={value}" for name, value in settings)
    return cupy.RawModule(code=text, options=defined).get_function(entry)


def _format_error(wrong: BaseException) -> str:
    return " ".join(str(wrong).split())[:200] or type(wrong).__name__


#: Threads of a block.
THREADS_PER_BLOCK = 1024


class TooWideError(ValueError):
    """The chain's numbers do not fit a card's tables."""


class DeviceTable(NamedTuple):
    """A table on the card: its kernel, cells and rests, the shared memory that it takes, and how
    many blocks are beside each other on a multiprocessor."""

    kernel: Any
    cells: Any
    rests: Any
    shared: int
    beside: int


def upload_table(
    card: GraphicsCard, table: AliasTable, source: str, entry: str, **more: int
) -> DeviceTable:
    """Put a table on the card, with the kernel that plays it; ``more`` is what that one is told."""
    cells = np.zeros((table.cuts.size, 2 if table.narrow else 4), np.uint32)
    first, second = table.outs.reshape(-1, 2).T
    cells[:, 0] = table.cuts.ravel()
    cells[:, 1] = first | second << np.uint32(16) if table.narrow else first
    if not table.narrow:
        cells[:, 2] = second
    room = card.cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    shared = table.size if table.size <= room else 0
    beside = more.get("BESIDE", 2 if shared <= room // 2 else 1)
    settings: dict[str, int | str] = {
        "COLUMN_BITS": table.column_bits,
        "STATE_BITS": table.state_bits,
        "WHOLE": f"{table.whole}ull",
        "LEAST": table.least,
        "NARROW": int(table.narrow),
        "SHARED": int(shared > 0),
        "BESIDE": beside,
        **more,
    }
    made = compile_kernel(card, source, entry, settings)
    if shared:
        made.max_dynamic_shared_size_bytes = shared
    return DeviceTable(
        kernel=made,
        cells=card.cupy.asarray(cells),
        rests=card.cupy.asarray(table.rests.ravel()),
        shared=shared,
        beside=beside,
    )
