"""Helpers for every command: common options, one-line errors with exit 2, JSON, completion."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from passline.game.house.house import House
    from passline.game.layout.spots import Layout

_Command = TypeVar("_Command", bound=Callable[..., Any])
#: Characters that JSON allows unescaped but that a terminal would act on (control codes, changes of
#: writing direction), and lone surrogates, which UTF-8 cannot encode.
_CONTROL_CODES = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


def complete_rulebook(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the rulebook ids that complete the typed text. The shell itself completes file
    names.
    """
    from passline.game.law.book_files import book_ids

    return _complete(book_ids(), incomplete)


def complete_strategy(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the built-in strategies that complete the typed text. The shell itself completes file
    names.
    """
    from passline.lab.strategies.built_in import BUILT_IN

    return _complete(BUILT_IN, incomplete)


def complete_lesson(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the lessons and drills that complete the typed text."""
    from passline.school.drills import list_drill_names
    from passline.school.lessons.lesson_files import list_lesson_ids

    names = (*list_lesson_ids(), *list_drill_names())
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _complete(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    found = [CompletionItem(name) for name in names if name.startswith(incomplete)]
    return [*found, CompletionItem(incomplete, type="file")]


def fail(message: str) -> NoReturn:
    """Print a message in one line on standard error and exit with status 2 (unusable input)."""
    tell(f"{click.get_current_context().command_path}: {message}")
    raise SystemExit(2)


def tell(words: str) -> None:
    """Print a line on standard error, with control codes from the input escaped."""
    from passline.text import escape_unprintable

    click.echo(escape_unprintable(words), err=True)


@contextmanager
def exit_on_house_error() -> Iterator[None]:
    """On a HouseError in the body, print its message and exit with status 2."""
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
    """Add the ``-o KEY=VALUE`` option, which sets one house rule. The pairs are passed in
    ``options``.
    """
    return click.option(
        "-o",
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        callback=_parse_elections,
        help="Set one house rule, such as odds.multiple=10. Repeat for more.",
    )(command)


def game_option(command: _Command) -> _Command:
    """Add the ``--game`` option."""
    return click.option(
        "--game", metavar="GAME", help="One of the rulebook's games (default: its first)."
    )(command)


def school_rulebook_option(command: _Command) -> _Command:
    """Add the ``--rulebook`` option of commands for dealers, with the school's book as default."""
    from passline.game.law.book_files import SCHOOL_BOOK

    return click.option(
        "--rulebook",
        default=SCHOOL_BOOK,
        metavar="RULEBOOK|FILE",
        show_default=True,
        shell_complete=complete_rulebook,
        help="A rulebook, or a house-rules file.",
    )(command)


def print_json(value: object) -> None:
    """Print one JSON value on standard output."""
    click.echo(json_text(value))


def json_text(value: object) -> str:
    """Return a value as indented JSON, with characters escaped that a terminal would act on."""
    return _CONTROL_CODES.sub(
        lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=1, ensure_ascii=False)
    )


def house_title(house: House, name: str = "") -> str:
    """Return a heading: the table or the house, its game, and its rulebook if the name is another.

    >>> from passline.game.house.load import house_for
    >>> house_title(house_for("iowa"))
    'Iowa craps manual: craps'
    >>> house_title(house_for("iowa"), "Table 1")
    'Table 1: craps under Iowa craps manual'
    """
    name = name or house.name
    title = house.book.title
    return f"{name}: {house.game}" + (f" under {title}" if name != title else "")


def resolve_wager(layout: Layout, text: str) -> str:
    """Return the wager that a text names: its id, or what a player says at the table.

    Return the text itself if it names no wager of the layout, or several.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(house_for("dealer-school"))
    >>> [resolve_wager(layout, text) for text in ("place 6", "any 7", "pass odds", "hops-6")]
    ['place-win-6', 'any-seven', 'pass-odds', 'hops-6']
    """
    from passline.lab.pricing.wager_odds import find_meant_slugs

    slug = layout.slug("-".join(text.lower().replace("'", "").split()))
    meant = [slug] if slug in layout.spots else find_meant_slugs(layout.house, text, ())
    return meant[0] if len(meant) == 1 else text


def suggest_wagers(layout: Layout, text: str) -> str:
    """Return the wagers whose names are nearest to a text, as a question, or some examples."""
    from difflib import get_close_matches

    from passline.game.words.wagers import layout_name

    names = [layout_name(slug) for slug in layout.spots]
    near = get_close_matches(text.lower().replace("-", " "), names, 3, 0.6)
    return f"did you mean {' or '.join(near)}?" if near else "try place 6, pass odds or horn"
