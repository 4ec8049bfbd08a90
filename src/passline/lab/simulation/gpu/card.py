"""Find the GPU, compile kernels for it with CuPy, and upload alias tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from passline.lab.simulation.gpu.alias_table import AliasTable
from passline.optional_packages import install_command

#: The preprocessor names and values that a kernel is compiled with.
KernelSettings = Mapping[str, int | str]


class NoCardError(Exception):
    """Raised when there is no usable GPU. The message is one line that says what is missing."""


class GraphicsCard(NamedTuple):
    """A usable GPU: its name, its number of multiprocessors, and the cupy module."""

    name: str
    processors: int
    cupy: Any


def open_card() -> GraphicsCard:
    """Return the first GPU of this computer. Raise NoCardError if there is none."""
    try:
        import cupy
    except ImportError as error:
        if error.name != "cupy":
            raise NoCardError(f"CuPy cannot be loaded: {_format_error(error)}") from None
        raise NoCardError(
            f"a GPU needs CuPy and an NVIDIA card: {install_command('gpu')}"
        ) from None
    try:
        there = cupy.cuda.runtime.getDeviceCount()
        known = cupy.cuda.runtime.getDeviceProperties(0) if there else None
    except Exception as error:
        raise NoCardError(f"no GPU can be used here: {_format_error(error)}") from None
    if known is None:
        raise NoCardError("no GPU can be used here: CUDA sees none")
    name = known["name"].decode(errors="replace")
    return GraphicsCard(name=name, processors=int(known["multiProcessorCount"]), cupy=cupy)


def compile_kernel(card: GraphicsCard, source: str, entry: str, settings: KernelSettings) -> Any:
    """Return function ``entry`` of the .cu file ``source`` in this folder, compiled for the GPU.

    The file draws.cuh comes before it. ``settings`` become macros. Results are cached.
    """
    return _compile_cached(card.cupy, source, entry, tuple(sorted(settings.items())))


@cache
def _compile_cached(
    cupy: Any, source: str, entry: str, settings: tuple[tuple[str, int | str], ...]
) -> Any:
    here = files(__package__)
    text = "".join(here.joinpath(name).read_text("utf-8") for name in ("draws.cuh", source))
    defined = tuple(f"-D{name}={value}" for name, value in settings)
    return cupy.RawModule(code=text, options=defined).get_function(entry)


def _format_error(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


#: The threads of a block.
THREADS_PER_BLOCK = 1024


class TooWideError(ValueError):
    """Raised when a chain's amounts or states need more bits than the GPU's tables have."""


class DeviceTable(NamedTuple):
    """An alias table on the GPU, and what is needed to run its kernel.

    That is the kernel, its shared memory in bytes, and its blocks per processor.
    """

    kernel: Any
    cells: Any
    rests: Any
    shared: int
    blocks_per_processor: int

    def launch(self, card: GraphicsCard, blocks: int, *arguments: Any) -> None:
        """Run the kernel and wait for its end, on at most ``blocks`` blocks, or all that fit."""
        blocks = min(card.processors * self.blocks_per_processor, blocks)
        table = self.cells, self.rests, np.uint32(len(self.cells))
        grid = (blocks,), (THREADS_PER_BLOCK,)
        self.kernel(*grid, (*table, *arguments), shared_mem=self.shared)
        card.cupy.cuda.get_current_stream().synchronize()


def upload_table(
    card: GraphicsCard, table: AliasTable, source: str, entry: str, **more: int
) -> DeviceTable:
    """Copy a table to the GPU and compile function ``entry`` of the .cu file ``source`` for it.

    ``more`` are further macros for the compilation.
    """
    cells = np.zeros((table.cuts.size, 2 if table.fits_16_bits else 4), np.uint32)
    first, second = table.outcomes.reshape(-1, 2).T
    cells[:, 0] = table.cuts.ravel()
    cells[:, 1] = first | second << np.uint32(16) if table.fits_16_bits else first
    if not table.fits_16_bits:
        cells[:, 2] = second
    room = card.cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"]
    shared = table.size if table.size <= room else 0
    blocks_per_processor = more.get("BESIDE", 2 if shared <= room // 2 else 1)
    settings: dict[str, int | str] = {
        "COLUMN_BITS": table.column_bits,
        "STATE_BITS": table.state_bits,
        "WHOLE": f"{table.whole}ull",
        "LEAST": table.least,
        "NARROW": int(table.fits_16_bits),
        "SHARED": int(shared > 0),
        "BESIDE": blocks_per_processor,
        **more,
    }
    kernel = compile_kernel(card, source, entry, settings)
    if shared:
        kernel.max_dynamic_shared_size_bytes = shared
    return DeviceTable(
        kernel=kernel,
        cells=card.cupy.asarray(cells),
        rests=card.cupy.asarray(table.rests.ravel()),
        shared=shared,
        blocks_per_processor=blocks_per_processor,
    )
