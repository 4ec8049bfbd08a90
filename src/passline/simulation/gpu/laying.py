"""Alias tables on a card: in shared memory where they fit, with the kernel that draws from them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from passline.simulation.gpu.alias import AliasTable
from passline.simulation.gpu.card import GraphicsCard, kernel

#: Threads of a block.
THREADS = 1024


class TooWideError(ValueError):
    """The chain's numbers do not fit a card's tables."""


class LaidTable(NamedTuple):
    """A table on the card: its kernel, cells and rests, the shared memory that it takes, and how
    many blocks are beside each other on a multiprocessor."""

    kernel: Any
    cells: Any
    rests: Any
    shared: int
    beside: int


def lay_table(
    card: GraphicsCard, table: AliasTable, source: str, entry: str, **more: int
) -> LaidTable:
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
    made = kernel(card, source, entry, settings)
    if shared:
        made.max_dynamic_shared_size_bytes = shared
    return LaidTable(
        kernel=made,
        cells=card.cupy.asarray(cells),
        rests=card.cupy.asarray(table.rests.ravel()),
        shared=shared,
        beside=beside,
    )
