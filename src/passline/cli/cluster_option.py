"""``--dask``: what is played is played on a cluster."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.simulation.workers import Workers

DASK = click.option(
    "--dask", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler."
)


def join_cluster(address: str | None, stack: ExitStack) -> Workers | None:
    """The workers of the cluster that was asked for, until the stack is left."""
    if address is None:
        return None
    from passline.simulation import ClusterError, dask_workers

    try:
        return stack.enter_context(dask_workers(address))
    except ClusterError as wrong:
        fail(f"--dask {wrong}")
