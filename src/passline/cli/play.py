"""``passline play``: play in the terminal, at a local table or with ``--table`` at a live one."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from passline.cli.common import (
    Elections,
    NumberRange,
    complete_rulebook,
    complete_strategy,
    election_option,
    example_epilog,
    fail,
    game_option,
    house_title,
    print_error,
)
from passline.cli.live_connection import connect_to_table, exit_on_live_error

if TYPE_CHECKING:
    from passline.live.log_entries import Entry as LogEntry
    from passline.play.display import Display
    from passline.play.live_game import LiveGame
    from passline.play.open_game import GameOptions, OpenedGame
    from passline.play.terminal_session import TerminalSession
    from passline.record.deal import RecordEntry
    from passline.termination_signals import SignalGuard

_BUY_IN = "500"
_WELCOME = 'Talk to it as you would to a dealer. "help" shows how, "quit" ends the game.'


class _Prompt:
    """The prompt of a game in the terminal, at a table on this machine.

    ``look_now`` returns what the terminal can show; it is called before each line is handled.
    """

    def __init__(self, session: TerminalSession, look_now: Callable[[], Display]) -> None:
        self.session, self._look_now = session, look_now

    def run(self, greeting: str, name: str = "") -> None:
        """Read lines and show the results until the player quits, by word, Ctrl-D or Ctrl-C.

        ``greeting`` is printed first, under a heading with the table's ``name`` (default: the
        house's).
        """
        session, game, look = self.session, self.session.game, self.session.look
        try:
            with game.handling_line():
                self.show(look.fold(look.paint(house_title(game.house, name), "bold")))
                self.show([greeting])
                self.show(session.opening_lines())
            while not session.over:
                line = self.read()
                with game.handling_line():
                    session.look = self._look_now()
                    self.show(session.handle_line(line))
            self.show(())
        except (EOFError, KeyboardInterrupt):
            self.stop()
            click.echo()
            self.show(session.handle_line("quit"))

    def read(self) -> str:
        """Return a line that the player typed at the prompt."""
        from passline.play.prompt import read_input

        return read_input(self.session.prompt)

    def show(self, lines: Iterable[str]) -> None:
        """Print lines."""
        for line in lines:
            click.echo(line, color=True)

    def stop(self) -> None:
        """Do nothing. ``run`` calls this when the input ends; ``_LivePrompt`` overrides it."""


@contextmanager
def _terminal_input(session: TerminalSession) -> Iterator[SignalGuard]:
    """Yield a guard that handles signals; in a terminal, also offer completion and a history."""
    from passline.files import home_folder
    from passline.play import prompt
    from passline.termination_signals import TERMINATION_SIGNALS, SignalGuard

    history = home_folder() / "history"
    if terminal := _reads_terminal():
        prompt.set_up_readline(
            history, lambda: prompt.list_phrases(session.game.table, session.player)
        )
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        try:
            yield signals
        finally:
            if terminal:
                prompt.save_history(history)


def _reads_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def play_live(url: str, name: str, bankroll: str, look_now: Callable[[], Display]) -> None:
    """Sit down at the live table at ``url`` and play until the player quits.

    ``bankroll`` is the buy-in in dollars, and ``look_now`` returns what the terminal can show.
    """
    from passline.game.money.amounts import AmountError, parse_dollars, to_dollars
    from passline.game.words.prompt import say_prompt
    from passline.play.live_game import LiveGame
    from passline.play.open_game import default_player_name

    try:
        amount = to_dollars(parse_dollars(bankroll or _BUY_IN))
    except AmountError as error:
        fail(f"--bankroll: {error}")
    with connect_to_table(url, "") as client, exit_on_live_error():
        seat = client.sit(name or default_player_name(), amount)
        if seat.pending:
            click.echo(say_prompt("waits-for-box"))
        game = LiveGame(client)
        try:
            game.wait_for_seat()
            prompt = _LivePrompt(game, look_now)
            with _terminal_input(prompt.session):
                prompt.run(_WELCOME, game.live.settings.name)
            if game.table.seat(game.player).here:
                prompt.show([game.quit_note])
        finally:
            game.close()


class _LivePrompt(_Prompt):
    """The prompt at a live table: actions of others are printed above the line being typed."""

    def __init__(self, game: LiveGame, look_now: Callable[[], Display]) -> None:
        from passline.live.random_dice import throw_secure_dice
        from passline.play.live_game import HouseLineBets
        from passline.play.terminal_session import TerminalSession

        session = TerminalSession(
            game, game.player, [], throw_secure_dice, look_now(), line=HouseLineBets(game)
        )
        super().__init__(session, look_now)
        self.game = game
        self._shown_prompt = ""
        self._main_thread_awake = threading.Event()
        game.describe_entry = lambda entry, dealt: describe_others(session, entry, dealt)
        game.on_news = self._interrupt

    def read(self) -> str:
        """Print what others did meanwhile, and return a line that the player typed."""
        self._shown_prompt = self.session.prompt
        self.show(())
        line = super().read()
        self._check()
        self._shown_prompt = ""
        return line

    def show(self, lines: Iterable[str]) -> None:
        """Print lines. Before each, print what others did meanwhile."""
        for line in lines:
            self._print_news()
            click.echo(_strip_controls(line), color=True)
        self._print_news()

    def stop(self) -> None:
        """Raise the listener's error, if that is why the input was interrupted."""
        self._main_thread_awake.set()
        self._check()

    def _check(self) -> None:
        if self.game.failed is not None:
            self._main_thread_awake.set()
            raise self.game.failed

    def _print_news(self) -> None:
        lines, self.game.unshown_lines = self.game.unshown_lines, []
        for line in lines:
            click.echo(_strip_controls(line), color=True)

    def _interrupt(self) -> None:
        """Print what others did while a line is being typed. Runs in the listener's thread.

        If the listener failed, interrupt the main thread instead.
        """
        if self.game.failed is not None:
            _interrupt_main_thread(self._main_thread_awake)
            return
        self.game.catch_up()
        if not self.game.unshown_lines:
            return
        typed = _reads_terminal() and bool(self._shown_prompt)
        if typed:
            click.echo("\r\x1b[K", nl=False, color=True)
        self._print_news()
        if typed:
            self._shown_prompt = self.session.prompt
            click.echo(f"{self._shown_prompt}{_typed_so_far()}", nl=False, color=True)


def describe_others(
    session: TerminalSession, entry: LogEntry, dealt: list[RecordEntry]
) -> Iterator[str]:
    """Yield the lines about a log entry that another player or the house made.

    ``dealt`` are its record entries on the local table.
    """
    if dealt and dealt[0].player not in {"", session.player}:
        yield from session.look.fold(entry.line)
    elif dealt:
        refused = session.refused
        yield from session.show_results(dealt)
        session.refused = refused if session.refused is None else session.refused


def _strip_controls(line: str) -> str:
    """Return a line from a server with its control codes escaped, except colors."""
    from passline.text import escape_unprintable

    parts = re.split(r"(\x1b\[[0-9;]*m)", line)
    return "".join(part if n % 2 else escape_unprintable(part) for n, part in enumerate(parts))


def _typed_so_far() -> str:
    with suppress(ImportError):
        import readline

        return readline.get_line_buffer()
    return ""


def _interrupt_main_thread(awake: threading.Event) -> None:
    """Interrupt the main thread, which waits for a typed line.

    A signal that arrives just before the wait is lost, so send it again until ``awake`` is set.
    """
    main = threading.main_thread().ident
    while main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
        if awake.wait(1.0):
            return


_DEFAULT_RAIL = ("pass-odds", "inside")
_DEFAULT_TYPED_RAIL = ("pass",)  # At a real table somebody always shoots.
#: Parameters that a resumed game takes from its record.
_NOT_WITH_RESUME = ("bankroll", "alone", "options", "game")
#: Parameters of a local game only.
_NOT_WITH_TABLE = ("source", "rail", "alone", "typed", "seed", "resume", "options", "game")


@click.command(
    epilog=example_epilog("printf 'pass line for 10\\nroll\\nquit\\n' | passline play iowa --alone")
)
@click.argument("source", metavar="[RULEBOOK|FILE]", default="", shell_complete=complete_rulebook)
@click.option("--bankroll", default="", metavar="DOLLARS", help="Your buy-in (default: 500).")
@click.option("--name", default="", metavar="NAME", help="Your name (default: your login).")
@click.option(
    "--rail",
    multiple=True,
    metavar="STRATEGY",
    shell_complete=complete_strategy,
    help="Add a player who bets by this strategy (a built-in or file.py:function). Repeat for "
    "more. With --resume FILE: allow a strategy file that the record names.",
)
@click.option("--alone", is_flag=True, help="Play without other players.")
@click.option("--typed", is_flag=True, help="Type the dice yourself, to follow a real table.")
@click.option("--seed", type=NumberRange(0), metavar="N", help="Roll the same dice every time.")
@click.option("--plain", is_flag=True, help="Describe the table in sentences, for a screen reader.")
@click.option("--resume", is_flag=True, help="Resume the last game, or the one in FILE.")
@click.option("--table", "url", default="", metavar="URL", help="Play at a live table.")
@election_option
@game_option
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    bankroll: str,
    name: str,
    rail: tuple[str, ...],
    alone: bool,
    typed: bool,
    seed: int | None,
    plain: bool,
    resume: bool,
    url: str,
    options: Elections,
    game: str | None,
) -> None:
    """Play in the terminal under RULEBOOK (default: new-jersey) or a house-rules FILE.

    Say what you would say to a dealer ("pass line for 10", "place the six for 12"), then "roll".
    The game is saved after every line. --resume continues the last game, the last one under
    RULEBOOK, or the one in FILE.craps. --table sits down at a live table of a server (see
    passline serve): URL is the table's address, with an invitation's token after # if you have one.
    """

    def look_now() -> Display:
        from passline.play.display import detect_display

        return detect_display(sys.stdout, plain or bool(os.environ.get("PASSLINE_PLAIN")))

    if url:
        _reject_options(ctx, _NOT_WITH_TABLE, "--table: a live table keeps its own")
        _replace_undecodable()
        play_live(url, name, bankroll, look_now)
        return
    if typed and seed is not None:
        fail("choose one of --typed and --seed")
    if alone and rail:
        fail("choose one of --alone and --rail")
    if resume:
        _reject_options(ctx, _NOT_WITH_RESUME, "--resume: a resumed game keeps its own")
    elif source.endswith(".craps"):
        fail(f"{source} is a record. To resume that game: passline play --resume {source}")
    from passline.game.law.book_files import DEFAULT_BOOK
    from passline.play.open_game import GameOptions

    wanted = GameOptions(
        source=source if resume else source or DEFAULT_BOOK,
        game=game,
        options=options,
        bankroll=bankroll,
        name=name,
        rail=rail if alone or resume else rail or (_DEFAULT_TYPED_RAIL if typed else _DEFAULT_RAIL),
        dice="typed" if typed else "" if seed is None else f"seed {seed}",
    )
    _replace_undecodable()
    _play(_open_or_resume(wanted, look_now(), resume), look_now)


def _reject_options(ctx: click.Context, names: Iterable[str], reason: str) -> None:
    """Exit with status 2 if one of these parameters was typed on the command line.

    ``reason`` ends the message "... can't be used with ...".
    """
    for name in names:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            shown = {"options": "-o", "source": "RULEBOOK|FILE"}.get(name, f"--{name}")
            fail(f"{shown} can't be used with {reason}")


def _replace_undecodable() -> None:
    """Set standard input and output to replace characters that their encoding does not have."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _open_or_resume(wanted: GameOptions, look: Display, resume: bool) -> OpenedGame:
    from passline.play.open_game import open_game, resume_saved_game

    try:
        return (resume_saved_game if resume else open_game)(wanted, look, print_error)
    except ValueError as error:
        fail(str(error))


def _play(table: OpenedGame, look_now: Callable[[], Display]) -> None:
    from passline.play import saved_games
    from passline.termination_signals import TerminationExit

    session, keeper, throws = table.session, table.keeper, table.session.game.throws
    resumed = f"Resumed after {throws} roll{'' if throws == 1 else 's'}."
    with _terminal_input(session) as signals:
        session.game.guard = signals.defer
        try:
            _Prompt(session, look_now).run(_WELCOME if table.new else resumed)
        except TerminationExit:
            _silence_terminal()
            raise
        finally:
            if table.new and (not session.played or saved_games.is_empty_file(keeper.path)):
                saved_games.delete_file(keeper.path)
            table.claim.release()
    if keeper.failed:
        click.echo(f"This game is not saved: {keeper.path} could not be written.", err=True)
    elif session.played or not table.new:
        again = saved_games.resume_command(keeper.path, session.game.text)
        for line in look_now().fold(f"Saved in {keeper.path}. To resume it: {again}"):
            click.echo(line)


def _silence_terminal() -> None:
    """Redirect standard output and error to the null device, since the terminal is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            os.dup2(nowhere, stream.fileno())
