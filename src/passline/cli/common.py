"""What commands share: the ``-o`` option, errors as one line and exit 2, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])
#: What JSON may hold as it is and a terminal would obey: more control codes, and what turns the
#: direction of writing. And halves of characters, which UTF-8 does not hold.
_CONTROL_CODES = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def fail(message: str) -> NoReturn:
    """End the command: the input cannot be used, and one line on standard error says why."""
    tell(f"{click.get_current_context().command_path}: {message}")
    raise SystemExit(2)


def tell(words: str) -> None:
    """A line on standard error. Whatever of an input stands in it, the terminal only prints."""
    from passline.text import escape_unprintable

    click.echo(escape_unprintable(words), err=True)


@contextmanager
def exit_on_house_error() -> Iterator[None]:
    """Turn a HouseError into exit 2."""
    from passline.game.house.load import HouseError

    try:
        yield
    except HouseError as wrong:
        fail(str(wrong))


def _parse_elections(
    _ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    found = []
    for text in given:
        key, sign, value = text.partition("=")
        if not sign or not key.strip() or not value.strip():
            fail(f"-o {text!r}: expected KEY=VALUE, such as -o odds.multiple=10")
        found.append((key.strip(), value.strip()))
    return tuple(found)


def election_option(command: _Command) -> _Command:
    """The ``-o KEY=VALUE`` option: single elections, as pairs in ``options``."""
    return click.option(
        "-o",
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_parse_elections,
        help="Set one election, such as odds.multiple=10; may be given again.",
    )(command)


def game_option(command: _Command) -> _Command:
    """The ``--game`` option."""
    return click.option(
        "--game", metavar="GAME", help="One of the rulebook's games; its first by default."
    )(command)


def school_rulebook_option(command: _Command) -> _Command:
    """The ``--rulebook`` option of what a dealer learns: the dealer school's unless it is given."""
    return click.option(
        "--rulebook", default="dealer-school", metavar="RULEBOOK|FILE", show_default=True
    )(command)


def print_json(value: object) -> None:
    """One JSON value on standard output, and nothing else."""
    click.echo(json_text(value))


def json_text(value: object) -> str:
    """A JSON value; what a terminal would obey is escaped, which JSON reads as the same."""
    return _CONTROL_CODES.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=1, ensure_ascii=False)
    )
