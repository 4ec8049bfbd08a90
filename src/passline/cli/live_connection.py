"""What commands that sit down at a live table share: its address, errors as one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.live.client.client import Client


@contextmanager
def exit_on_live_error() -> Iterator[None]:
    """Turn what a server does not carry out, and a log that is not whole, into exit 2."""
    from passline.live.client.http import ClientError
    from passline.live.entries import ChainError

    try:
        yield
    except ClientError as wrong:
        fail(f"{wrong.message}{f' [{wrong.cite}]' if wrong.cite else ''}")
    except ChainError as wrong:
        fail(f"the server's log is not whole: {wrong}")


def connect_to_table(url: str, token: str) -> Client:
    """A client of the table that is meant: the one that the address names, or the only one that is
    open there. Ends the command where there is none."""
    from passline.live.client.client import RETRY_SECONDS, Client

    try:
        client = Client(url, token, patience=0.0)
    except ValueError as wrong:
        fail(str(wrong))
    with exit_on_live_error():
        if not client.table:
            tables = client.lobby()
            if len(tables) != 1:
                shown = ", ".join(f"{client.base}/t/{one.table} ({one.name})" for one in tables)
                fail(f"expected one of its tables: {shown}" if shown else "no table is open there")
            client.table = tables[0].table
        client.view()  # there is such a table, and we may look at it: told at once, not in a minute
    client.patience = RETRY_SECONDS
    return client
