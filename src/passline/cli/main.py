"""The ``passline`` command. A subcommand's module is imported only when that command runs."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import Any

import click
from click.shell_completion import shell_complete

from passline.cli.common import print_error

#: Each command (also the name of its module here) and its line in the list.
_COMMANDS = {
    "audit": "Audit a live table's log, and print shift reports.",
    "bankroll": "Show the bankroll that a strategy needs for a chance of ruin.",
    "best": "Find the play with the best chance of a goal before ruin.",
    "compare": "Compare strategies on the same dice.",
    "conformance": "Write every settlement that a table can meet, for other implementers.",
    "cost": "Show what a strategy costs: handle, theoretical win, comps, rebates.",
    "deal": "Deal a table record and show what was paid, and why.",
    "dice": "Show what biased dice are worth, and how to detect them.",
    "diff": "Compare two rulebooks or houses, wager by wager.",
    "duties": "Show what each post at the table has to do.",
    "evidence": "Show whether recorded rolls look like fair dice.",
    "felt": "Draw a layout and the bets on it.",
    "hand": "Show how long a shooter's hand lasts, and what it collects.",
    "key": "Show how a dealer works out a payoff in the head.",
    "law": "Show a rulebook clause by clause, or search it.",
    "lint": "Check a house-rules file against its rulebook.",
    "luck": "Separate the luck of a game from its decisions.",
    "machine": "Turn a strategy into a finite machine, and save it.",
    "backup": "Write everything that a server keeps to one file.",
    "restore": "Put a backup into an empty folder or database.",
    "move": "Move live tables to another store.",
    "tables": "Delete old tables of a server.",
    "keys": "Replace the keys of a server.",
    "odds": "Show every wager's exact odds and house edge.",
    "par": "Write a par sheet for a test lab: every wager, every figure.",
    "payoff": "Show what a winning bet is paid, in chips.",
    "placard": "Print the payout card of a rulebook or a house.",
    "play": "Play at a table in the terminal.",
    "press": "Show how a dealer presses a bet, motion by motion.",
    "replay": "Step through a game in the browser: a record or a log.",
    "school": "Learn to deal: lessons, drills and grades.",
    "serve": "Serve live tables on the network.",
    "session": "Show how a session of a strategy ends, exactly or by sampling.",
    "shift": "Show what a table of players earns the house in a shift.",
    "simulate": "Simulate a strategy for up to billions of rolls.",
    "sit": "Let a strategy play at a live table.",
    "sweep": "Show which version of a strategy is best.",
    "strategies": "List the built-in strategies and what each costs.",
}


class _LazyGroup(click.Group):
    """A click group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command = import_module(f"passline.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name and name not in _COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(name, _COMMANDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else "'passline --help' lists all"
            ctx.fail(f"there is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; exit 2 with one line if a rulebook or a package is wrong or missing.

        The line about a missing package says which extra installs it.
        """
        if os.environ.get("PASSLINE_BOOKS"):
            from passline.game.law.book_files import BookError, book_ids

            try:
                book_ids()
            except BookError as error:
                print_error(f"passline: {error}")
                raise SystemExit(2) from None
        try:
            return super().invoke(ctx)
        except ValueError as error:
            from passline.game.law.book_files import BookError

            if not isinstance(error, BookError):
                raise
            print_error(f"{ctx.command_path} {ctx.invoked_subcommand}: {error}")
            raise SystemExit(2) from None
        except ModuleNotFoundError as error:
            from passline.optional_packages import missing_extra

            missing = missing_extra(error, f"{ctx.command_path} {ctx.invoked_subcommand or ''}")
            if missing is None:
                raise
            print_error(str(missing))
            raise SystemExit(2) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Rulebooks"):
            from passline.game.law.book_files import BOOKS, BookError, book_ids

            try:
                formatter.write_text(", ".join(book_ids()))
            except BookError as error:
                formatter.write_text(f"{', '.join(BOOKS)}; {error}")
        with formatter.section("Commands"):
            formatter.write_dl(sorted(_COMMANDS.items()))


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from passline.version import VERSION

        click.echo(f"passline {VERSION}")
        ctx.exit()


@click.command(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: passline placard new-jersey",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Play, price and deal craps under real casino rulebooks, with the clause for every payout."""


#: Set by the shell's completion script: ``eval "$(_PASSLINE_COMPLETE=bash_source passline)"``.
_COMPLETE_VARIABLE = "_PASSLINE_COMPLETE"


def main() -> None:
    """Run the command line. Bad input ends in one clear line and exit 2, never in a traceback."""
    if instruction := os.environ.get(_COMPLETE_VARIABLE):
        sys.exit(shell_complete(cli, {}, "passline", _COMPLETE_VARIABLE, instruction))
    # A dumb terminal prints escape sequences as text, so bold is off.
    color = False if os.environ.get("TERM") == "dumb" else None
    try:
        with cli.make_context("passline", sys.argv[1:] or ["--help"], color=color) as ctx:
            cli.invoke(ctx)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        print_error(f"{path or 'passline'}: {error.format_message()}")
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("passline: interrupted", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of a pipe closed it: exit quietly, and do not fail again at shutdown.
        _discard_output()
        sys.exit(0)
    except OSError as error:
        # Errors of input files are handled where they are read, so this is about the output.
        _discard_output()
        click.echo(f"passline: the output cannot be written: {error.strerror}", err=True)
        sys.exit(2)


def _discard_output() -> None:
    """Redirect standard output to the null device, so that flushing it cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
