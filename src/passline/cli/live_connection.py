"""Connect to a live table by its address.

Errors of the server end the command with one line and exit status 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from passline.cli.common import fail

if TYPE_CHECKING:
    from passline.live.client.client import Client


@contextmanager
def exit_on_live_error() -> Iterator[None]:
    """End the command with exit status 2 if, in the body, the server refuses a request.

    A broken hash chain does so too.
    """
    from passline.live.client.http import ClientError
    from passline.live.hash_chain import ChainError

    try:
        yield
    except ClientError as error:
        fail(f"{error.message}{f' [{error.cite}]' if error.cite else ''}")
    except ChainError as error:
        fail(f"the server's log has a broken hash chain: {error}")


def connect_to_table(url: str, token: str) -> Client:
    """Return a client of the table at ``url``, or of the only table of the server at ``url``.

    Exit 2 if there is no such table, or several.
    """
    from passline.live.client.client import RETRY_SECONDS, Client

    try:
        client = Client(url, token, retry_seconds=0.0)
    except ValueError as error:
        fail(str(error))
    with exit_on_live_error():
        if not client.table:
            tables = client.lobby()
            if len(tables) != 1:
                shown = ", ".join(f"{client.base}/t/{one.table} ({one.name})" for one in tables)
                fail(f"name one of its tables: {shown}" if shown else "no table is open there")
            client.table = tables[0].table
        client.view()  # Fail now, not after a minute, if the table does not exist or is private.
    client.retry_seconds = RETRY_SECONDS
    return client
