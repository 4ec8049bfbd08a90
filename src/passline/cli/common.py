"""Helpers for every command: common options, one-line errors with exit 2, JSON, completion."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from passline.crew.motions import Motion
    from passline.game.house.house import House
    from passline.game.layout.spots import Layout
    from passline.game.money.chips import Chips, Rack

_Command = TypeVar("_Command", bound=Callable[..., Any])
#: House rules that the user sets: pairs of a key and its value.
Elections = tuple[tuple[str, str], ...]
#: Characters that JSON allows unescaped but that a terminal would act on (control codes, changes of
#: writing direction), and lone surrogates, which UTF-8 cannot encode.
_CONTROL_CODES = re.compile(
    "[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


class NumberRange(click.ParamType):  # type: ignore[type-arg]  # Older versions are not generic.
    """The type of a click option that takes a number from ``least`` to ``most``.

    ``kind`` is ``int`` for whole numbers, or ``float``.
    """

    name = "N"

    def __init__(self, least: int, most: int | None = None, kind: type[int | float] = int) -> None:
        self.least, self.most, self.kind = least, most, kind

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float:
        """Return the number in a text. For any other text, fail with the expected range."""
        try:
            number = self.kind(value)
        except ValueError:
            number = self.least - 1
        if not self.least <= number <= (number if self.most is None else self.most):
            what = "whole number" if self.kind is int else "number"
            to = "" if self.most is None else f" to {self.most:,}"
            self.fail(f"{str(value)[:40]!r}: expected a {what} from {self.least:,}{to}", param, ctx)
        return number


def complete_file(_: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
    """Return the completion item that makes the shell complete file names itself.

    Put it first in a list, because click's script for bash drops what came before it.
    """
    return [CompletionItem(text, type="file")]


def complete_rulebook(
    ctx: click.Context, param: click.Parameter, text: str
) -> list[CompletionItem]:
    """Return completions for a rulebook: ids that begin with the text, or a file by the shell."""
    from passline.game.law.book_files import book_ids

    return complete_file(ctx, param, text) + _complete(book_ids(), text)


def complete_strategy(
    ctx: click.Context, param: click.Parameter, text: str
) -> list[CompletionItem]:
    """Return completions for a strategy: built-in names that begin with the text, or a file."""
    from passline.lab.strategies.built_in import BUILT_IN

    return complete_file(ctx, param, text) + _complete(BUILT_IN, text)


def complete_lesson(_: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
    """Return the lessons and drills that complete the typed text."""
    from passline.school.drills import list_drill_names
    from passline.school.lessons.lesson_files import list_lesson_ids

    return _complete((*list_lesson_ids(), *list_drill_names()), text)


def complete_wager(ctx: click.Context, __: click.Parameter, text: str) -> list[CompletionItem]:
    """Return the wagers of the command's house that complete the typed text."""
    from passline.game.house.load import HouseError, house_for
    from passline.game.law.book_files import SCHOOL_BOOK
    from passline.game.layout.compile import compile_layout

    chosen = ctx.params
    try:
        house = house_for(chosen.get("source") or SCHOOL_BOOK, chosen.get("game"))
    except HouseError:
        return []
    return _complete(compile_layout(house).spots, text)


def _complete(names: Iterable[str], text: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(text)]


def fail(message: str) -> NoReturn:
    """Print a message in one line on standard error and exit with status 2 (unusable input)."""
    print_error(f"{click.get_current_context().command_path}: {message}")
    raise SystemExit(2)


def print_error(words: str) -> None:
    """Print a line on standard error; escape control codes that came from the input."""
    from passline.text import escape_unprintable

    click.echo(escape_unprintable(words), err=True)


@contextmanager
def exit_on_house_error() -> Iterator[None]:
    """On a HouseError in the body, print its message and exit with status 2."""
    from passline.game.house.load import HouseError

    try:
        yield
    except HouseError as error:
        fail(str(error))


def _parse_elections(
    _ctx: click.Context, _param: click.Parameter, given: tuple[str, ...]
) -> Elections:
    pairs = []
    for text in given:
        key, sign, value = text.partition("=")
        if not sign or not key.strip() or not value.strip():
            fail(f"-o {text!r}: expected KEY=VALUE, such as -o odds.multiple=10")
        pairs.append((key.strip(), value.strip()))
    return tuple(pairs)


#: ``-o KEY=VALUE`` sets one house rule. The function receives the pairs in ``options``.
election_option = click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    callback=_parse_elections,
    help="Set one house rule, such as odds.multiple=10. Repeat for more.",
)
game_option = click.option(
    "--game", metavar="GAME", help="One of the rulebook's games (default: its first)."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
source_argument = click.argument(
    "source", metavar="RULEBOOK|FILE", shell_complete=complete_rulebook
)


def school_options(command: _Command) -> _Command:
    """Add ``--rulebook`` (default: the school's book), ``--game``, ``-o`` and ``--json``."""
    from passline.game.law.book_files import SCHOOL_BOOK

    rulebook = click.option(
        "--rulebook",
        "source",
        default=SCHOOL_BOOK,
        metavar="RULEBOOK|FILE",
        show_default=True,
        shell_complete=complete_rulebook,
        help="A rulebook, or a house-rules file.",
    )
    return rulebook(game_option(election_option(json_option(command))))


def example_epilog(*examples: str) -> str:
    """Return the text with these example commands for the end of a command's help."""
    return "\n  ".join((f"\b\nExample{'s' if len(examples) > 1 else ''}:", *examples))


def house_command(*examples: str) -> Callable[[Callable[..., None]], click.Command]:
    """Return a decorator that declares a command about a house, with ``examples`` in its help.

    Use it above the click parameters. The decorated function receives ``house`` in place of
    ``source``, ``game`` and ``options``. A ValueError ends the command with its message and exit
    status 2.
    """

    def declare(function: Callable[..., None]) -> click.Command:
        @wraps(function)  # It also copies the parameters that click stored on the function.
        def run(source: str, options: Elections, game: str | None = None, **values: Any) -> None:
            from passline.game.house.load import house_for

            try:
                function(house=house_for(source, game, options), **values)
            except ValueError as error:
                fail(str(error))

        return click.command(epilog=example_epilog(*examples))(run)

    return declare


def print_json(value: object) -> None:
    """Print one JSON value on standard output."""
    click.echo(json_text(value))


def print_motions(motions: Iterable[Motion]) -> None:
    """Print the numbered motions of a dealer's hands."""
    for place, motion in enumerate(motions, 1):
        click.echo(f"{place:3}. {motion.hand:7}  {motion.words}")


def json_text(value: object) -> str:
    """Return a value as indented JSON. Characters that a terminal would act on are escaped."""
    return _CONTROL_CODES.sub(
        lambda code: f"\\u{ord(code[0]):04x}", json.dumps(value, indent=1, ensure_ascii=False)
    )


def terminal_width(most: int) -> int:
    """Return the columns for text in the terminal: at least 60, at most ``most``."""
    return min(max(shutil.get_terminal_size((88, 24)).columns, 60), most)


def labeled_text(label: str, text: str, width: int, label_width: int) -> str:
    """Return a paragraph after a label that is padded to ``label_width``, wrapped to ``width``.

    Its later lines are indented to the text.
    """
    lead = f"  {label:<{label_width}}"
    return textwrap.fill(
        text,
        width,
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )


def house_title(house: House, name: str = "") -> str:
    """Return a heading: the name, the game, and the rulebook if its title is not the name.

    ``name`` is a table's; the default is the house's.

    >>> from passline.game.house.load import house_for
    >>> house_title(house_for("iowa"))
    'Iowa craps manual: craps'
    >>> house_title(house_for("iowa"), "Table 1")
    'Table 1: craps under Iowa craps manual'
    """
    name = name or house.name
    title = house.book.title
    return f"{name}: {house.game}" + (f" under {title}" if name != title else "")


def check_point(house: House, point: int | None) -> None:
    """Exit with status 2 if ``point`` is no point of the house's rulebook."""
    if point is not None and point not in house.book.points.value:
        fail(f"{point} can't be a point")


def parse_chips(rack: Rack, text: str) -> Chips:
    """Return the chips that a text names ("30" dollars or "6 red").

    Exit with status 2 if it names none, or the rack has no such chips.
    """
    from passline.game.money.chips import ChipsError
    from passline.game.words.refusals import describe_chips_error

    try:
        return rack.read_amount(text)
    except ChipsError as error:
        fail(describe_chips_error(error))


def resolve_wager(layout: Layout, text: str) -> str:
    """Return the slug of the wager that a text names, by its id or as a player says it.

    Return the text itself if it names no wager of the layout, or several.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.layout.compile import compile_layout
    >>> layout = compile_layout(house_for("dealer-school"))
    >>> [resolve_wager(layout, text) for text in ("place 6", "any 7", "pass odds", "hops-6")]
    ['place-win-6', 'any-seven', 'pass-odds', 'hops-6']
    """
    from passline.talk.named_wagers import find_named_slugs

    slug = layout.slug("-".join(text.lower().replace("'", "").split()))
    meant = [slug] if slug in layout.spots else find_named_slugs(layout.house, text, ())
    return meant[0] if len(meant) == 1 else text
