"""A Dask cluster as an executor."""

from __future__ import annotations

import asyncio
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from passline.extras import missing_extra
from passline.simulation.workers import Workers

#: Seconds that a scheduler has to answer in.
TIMEOUT = 3
#: What Dask says it with: all that it says of a cluster that is gone is said here, in one line.
_TALKERS = ("distributed", "tornado", "asyncio")


class ClusterError(ValueError):
    """A cluster that cannot be used."""


@contextmanager
def dask_workers(address: str) -> Iterator[Workers]:
    """An executor on the Dask cluster whose scheduler is at ``address``, and its threads.

    ClusterError, in one line, where Dask is not installed, nobody answers or nobody works there.
    Dask's own log is quiet meanwhile.
    """
    try:
        import distributed
    except ModuleNotFoundError as wrong:
        raise ClusterError(str(missing_extra(wrong, address) or wrong)) from None
    with _quiet():
        _knock(address)
        connect: Any = distributed.Client
        client: Any = None
        try:
            client = connect(address, timeout=TIMEOUT, set_as_default=False)
            threads = sum(client.ncores().values())
        except Exception as wrong:  # it answered, and went away or does not understand us
            if client is not None:
                client.close()
            raise ClusterError(
                f"the Dask scheduler at {address} answers, but cannot be used: {_why(wrong)}"
            ) from None
        try:
            if not threads:
                raise ClusterError(f"the Dask scheduler at {address} has no workers")
            yield Workers(client.get_executor(pure=False), threads, "the cluster")
        finally:
            client.close()


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask's loggers hushed, each of which may have a level of its own; and its one warning."""
    found = [
        logging.getLogger(name)
        for name in {*_TALKERS, *logging.root.manager.loggerDict}
        if name.split(".")[0] in _TALKERS
    ]
    levels = [talk.level for talk in found]
    for talk in found:
        talk.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            # The table of a large machine goes with every chunk: that is known.
            warnings.filterwarnings("ignore", "(?s).*Sending large graph", UserWarning)
            yield
    finally:
        for talk, level in zip(found, levels, strict=True):
            talk.setLevel(level)


def _why(wrong: Exception) -> str:
    return " ".join(str(wrong).split())[:150] or type(wrong).__name__


def _knock(address: str) -> None:
    """Ask who is there, before a client is made: one that cannot connect does not end quietly."""
    try:
        kind = asyncio.run(asyncio.wait_for(_identity(address), TIMEOUT + 1))
    except Exception as wrong:
        raise ClusterError(
            f"no Dask scheduler answers at {address!r}: expected HOST:PORT ({_why(wrong)})"
        ) from None
    if kind != "Scheduler":
        raise ClusterError(f"at {address!r} there is a {kind}, not a Dask scheduler")


async def _identity(address: str) -> str:
    from distributed.core import rpc

    caller: Any = rpc
    async with caller(address, timeout=TIMEOUT) as remote:
        found = await remote.identity()
    return str(found.get("type"))
