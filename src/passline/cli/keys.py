"""``passline keys``: replace a key that a server keeps."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import click

from passline.cli.backup import find_place
from passline.cli.common import fail

#: Of each key: its file, its variable, and what happens with a new one.
_KEYS = {
    "house": (
        "house.key",
        "PASSLINE_HOUSE_KEY",
        "The operator uses the new key from the next start on; the old one opens nothing then.",
    ),
    "dice": (
        "dice.key",
        "PASSLINE_DICE_KEY",
        "Each table commits to new dice before its next throw. Today's Daily changes its dice, and "
        "secrets of past days can be published with the old key only: rotate after midnight UTC.",
    ),
    "signing": (
        "signing.key",
        "PASSLINE_SIGNING_KEY",
        "Each log says so before its next line. Receipts of before are checked with the old public "
        "key, which stands in the log.",
    ),
    "metrics": (
        "metrics.key",
        "PASSLINE_METRICS_KEY",
        "The new key reads /metrics from the next start on.",
    ),
}


@click.group(epilog="\b\nExample:\n  passline keys rotate signing --data ~/passline")
def command() -> None:
    """Replace the keys that a server keeps in its folder."""


@click.command("rotate", epilog="\b\nExample:\n  passline keys rotate house --data ~/passline")
@click.argument("key", type=click.Choice(list(_KEYS)))
@click.option("--data", metavar="DIR", help="The folder of the keys (default: the usual place).")
def rotate(key: str, data: str | None) -> None:
    """Put a new key in place and keep the old one beside it. Start the server again afterwards.

    Exits 2 if there is no key file, or the environment gives the key: then change it there.
    """
    from passline.files import create_file
    from passline.live.tokens import new_token

    name, variable, effect = _KEYS[key]
    if os.environ.get(variable):
        fail(f"{variable} gives this key: change it there, for all servers")
    folder = find_place(data, None)
    assert isinstance(folder, Path)
    path = folder / name
    old_file = path.with_name(f"{name}.{datetime.now(UTC):%Y%m%dT%H%M%S}")
    fresh = new_token() if key in ("house", "metrics") else token_hex(32)
    try:
        if not path.is_file():
            fail(f"there is no {path}: the server makes it at its first start")
        if old_file.exists():
            fail(f"{old_file} exists: wait a second")
        path.rename(old_file)
        create_file(path, f"{fresh}\n".encode(), 0o600)
    except OSError as wrong:
        fail(f"{path}: {wrong.strerror or wrong}")
    click.echo(f"{path} is new; the old key is in {old_file}. Start the server again.")
    click.echo(effect)


command.add_command(rotate)
