"""``passline play --table URL``: the prompt, seated at a live table.

``passline play``: a table in the terminal.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, exit_on_house_error, fail, game_option
from passline.cli.live_connection import connect_to_table, exit_on_live_error
from passline.game.law.book_files import DEFAULT_BOOK

if TYPE_CHECKING:
    from passline.live.entries import Entry as LogEntry
    from passline.play.display import Display
    from passline.play.live_game import LiveGame
    from passline.play.opening import GameOptions, OpenedGame
    from passline.play.session import TerminalSession
    from passline.record.deal import RecordEntry

_BUY_IN = "500"


def play_live(url: str, name: str, bankroll: str, look_now: Callable[[], Display]) -> None:
    """Sit down at a live table and play there, until the player goes."""
    from passline.game.money.amounts import AmountError, parse_dollars, to_dollars
    from passline.play.live_game import LiveGame
    from passline.play.opening import default_player_name

    try:
        amount = to_dollars(parse_dollars(bankroll or _BUY_IN))
    except AmountError as wrong:
        fail(f"--bankroll: {wrong}")
    with connect_to_table(url, "") as client, exit_on_live_error():
        seat = client.sit(name or default_player_name(), amount)
        if seat.waits:
            click.echo("The box is asked for your buy-in: you sit when the box says so.")
        game = LiveGame(client)
        try:
            game.wait_for_seat()
            _LivePrompt(game, look_now).play()
        finally:
            game.close()


class _LivePrompt:
    """Lines in and out; what others do stands above the line that is being typed."""

    def __init__(self, game: LiveGame, look_now: Callable[[], Display]) -> None:
        from passline.live.random_dice import throw_secure_dice
        from passline.play.live_game import HouseLineBets
        from passline.play.session import TerminalSession

        self.game, self._look_now = game, look_now
        self.sitting = TerminalSession(
            game, game.player, [], throw_secure_dice, look_now(), line=HouseLineBets(game)
        )
        self._terminal = sys.stdin is not None and sys.stdin.isatty()
        self._asked = ""
        self._main_thread_awake = threading.Event()
        game.tell = lambda entry, dealt: describe_others(self.sitting, entry, dealt)
        game.on_news = self._interrupt

    def play(self) -> None:
        """Until the player goes: by word, by Ctrl-D or by Ctrl-C."""
        from passline.files import home_folder
        from passline.play import prompt
        from passline.signals import TERMINATION_SIGNALS, SignalGuard

        sitting, history = self.sitting, home_folder() / "history"
        if self._terminal:
            prompt.set_up_readline(
                history, lambda: prompt.list_phrases(self.game.table, sitting.player)
            )
        with SignalGuard(*TERMINATION_SIGNALS):
            try:
                self._rounds()
            except (EOFError, KeyboardInterrupt):
                self._main_thread_awake.set()
                self._check()
                click.echo()
                self._show(sitting.hear("quit"))
            finally:
                if self._terminal:
                    prompt.save_history(history)
        if self.game.table.seat(sitting.player).here:
            self._show([self.game.parting])

    def _rounds(self) -> None:
        from passline.play import prompt

        sitting, house = self.sitting, self.game.house
        title = f"{self.game.live.settings.name}: {house.game} under {house.book.id}"
        with self.game.speaking():
            self._show(sitting.look.fold(sitting.look.paint(title, "bold")))
            self._show(["Talk to it as to a dealer. help shows how, quit ends."])
            self._show(sitting.begin())
        while not sitting.over:
            self._asked = sitting.ask
            self._show(())
            said = prompt.read_input(self._asked)
            self._check()
            self._asked = ""
            with self.game.speaking():
                sitting.look = self._look_now()
                self._show(sitting.hear(said))
            self._show(())

    def _check(self) -> None:
        """Whether we are still listening: raises what ended it."""
        if self.game.failed is not None:
            self._main_thread_awake.set()
            raise self.game.failed

    def _show(self, lines: Iterable[str]) -> None:
        """Lines, each after what others did before it."""
        for line in lines:
            self._flush()
            click.echo(_strip_controls(line), color=True)
        self._flush()

    def _flush(self) -> None:
        untold, self.game.untold = self.game.untold, []
        for line in untold:
            click.echo(_strip_controls(line), color=True)

    def _interrupt(self) -> None:
        """In the listener's thread, while a line is being typed: show what others do."""
        if self.game.failed is not None:
            _interrupt_main_thread(self._main_thread_awake)
            return
        self.game.catch_up()
        if not self.game.untold:
            return
        typed = self._terminal and bool(self._asked)
        if typed:
            click.echo("\r\x1b[K", nl=False, color=True)
        self._flush()
        if typed:
            self._asked = self.sitting.ask
            click.echo(f"{self._asked}{_typed_so_far()}", nl=False, color=True)


def describe_others(
    sitting: TerminalSession, entry: LogEntry, dealt: list[RecordEntry]
) -> Iterator[str]:
    """What others did, or the house for us, as the table stands right after it."""
    if dealt and dealt[0].player not in {"", sitting.player}:
        yield from sitting.look.fold(entry.line)
    elif dealt:
        refused = sitting.refused
        yield from sitting.came(dealt)
        sitting.refused = refused if sitting.refused is None else sitting.refused


def _strip_controls(line: str) -> str:
    """A line that a terminal only prints and colours, whatever a server put into it."""
    import re

    from passline.text import escape_unprintable

    parts = re.split(r"(\x1b\[[0-9;]*m)", line)
    return "".join(part if n % 2 else escape_unprintable(part) for n, part in enumerate(parts))


def _typed_so_far() -> str:
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()


def _interrupt_main_thread(looked_up: threading.Event) -> None:
    """Have the main thread, which waits for a line, look up. A signal that comes just before it
    begins to wait is not noticed: it comes again."""
    main = threading.main_thread().ident
    while main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
        if looked_up.wait(1.0):
            return


_DEFAULT_RAIL = ("pass-odds", "inside")
_DEFAULT_TYPED_RAIL = ("pass",)  # at a real table somebody always shoots
#: What a game that goes on already has.
_NOT_WITH_RESUME = ("bankroll", "alone", "options", "game")
#: What only a game of our own takes.
_NOT_WITH_TABLE = ("source", "rail", "alone", "typed", "seed", "resume", "options", "game")


@click.command(
    epilog="\b\nExample:\n  printf 'pass line for 10\\nroll\\nquit\\n' | passline play iowa --alone"
)
@click.argument("source", metavar="[RULEBOOK|FILE]", default="")
@click.option("--bankroll", default="", metavar="DOLLARS", help="Your buy-in (500).")
@click.option("--name", default="", metavar="NAME", help="Your name in the record (your login).")
@click.option(
    "--rail",
    multiple=True,
    metavar="STRATEGY",
    help="Another player, who bets by a strategy (a built-in or file.py:function); "
    "may be given again. With --resume FILE: a file's strategy that the record names may be used.",
)
@click.option("--alone", is_flag=True, help="Nobody else at the rail.")
@click.option("--typed", is_flag=True, help="Type the dice in, to play along with a real table.")
@click.option("--seed", type=int, metavar="N", help="Dice that fall the same way every time.")
@click.option("--plain", is_flag=True, help="Sentences and no drawing, for a screen reader.")
@click.option("--resume", is_flag=True, help="Go on with the game played last, or with FILE.")
@click.option("--table", "url", default="", metavar="URL", help="Sit down at a live table.")
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
    options: tuple[tuple[str, str], ...],
    game: str | None,
) -> None:
    """Play at a table under RULEBOOK (new-jersey) or a house-rules FILE.

    Say what you would say to a dealer ("pass line for 10", "place the six for 12"), then roll.
    Every line is kept on disk as you play. With --resume you go on with the last game, the last
    one under RULEBOOK, or the one in FILE.craps. With --table you sit down at a live table, which
    passline serve keeps: URL is its address, perhaps with an invitation's token after #.
    """
    if url:
        _check_live(ctx)
        _replace_undecodable()
        play_live(url, name, bankroll, lambda: _read_look(plain))
        return
    if typed and seed is not None:
        fail("--typed and --seed exclude each other")
    if alone and rail:
        fail("--alone and --rail exclude each other")
    if resume:
        _check_resumed(ctx)
    elif source.endswith(".craps"):
        fail(f"{source} is a record: passline play --resume {source} goes on with it")
    from passline.play.opening import GameOptions

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
    _play(_open_or_resume(wanted, _read_look(plain), resume), lambda: _read_look(plain))


def _read_look(plain: bool) -> Display:
    """The window may have another size by now."""
    from passline.play.display import detect_display

    return detect_display(sys.stdout, plain or bool(os.environ.get("PASSLINE_PLAIN")))


def _given_options(ctx: click.Context, names: Iterable[str]) -> Iterable[str]:
    """Those of the options that were given, as they are typed."""
    for name in names:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            yield {"options": "-o", "source": "RULEBOOK|FILE"}.get(name, f"--{name}")


def _check_resumed(ctx: click.Context) -> None:
    for shown in _given_options(ctx, _NOT_WITH_RESUME):
        fail(f"--resume goes on with a game as it was: {shown} cannot change it")


def _check_live(ctx: click.Context) -> None:
    for shown in _given_options(ctx, _NOT_WITH_TABLE):
        fail(f"--table: a live table is as it was opened: {shown} cannot change it")


def _replace_undecodable() -> None:
    """What cannot be read or shown in this terminal's encoding does not end the game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _open_or_resume(wanted: GameOptions, look: Display, resume: bool) -> OpenedGame:
    from passline.play.opening import PlayError, open_game, resume_saved_game

    def tell(words: str) -> None:
        click.echo(words, err=True)

    with exit_on_house_error():
        try:
            return (resume_saved_game if resume else open_game)(wanted, look, tell)
        except PlayError as wrong:
            fail(str(wrong))


def _play(table: OpenedGame, look_now: Callable[[], Display]) -> None:
    from passline.files import home_folder
    from passline.play import prompt, saved_games
    from passline.play.saved_games import resume_command
    from passline.signals import TERMINATION_SIGNALS, SignalGuard, TerminationExit

    sitting, keeper = table.sitting, table.keeper
    terminal = sys.stdin is not None and sys.stdin.isatty()
    history = home_folder() / "history"
    if terminal:
        prompt.set_up_readline(
            history, lambda: prompt.list_phrases(sitting.game.table, sitting.player)
        )
    with SignalGuard(*TERMINATION_SIGNALS) as signals:
        table.game.guard = signals.held
        try:
            _play_rounds(table, look_now)
        except TerminationExit:
            _silence_terminal()
            raise
        finally:
            if terminal:
                prompt.save_history(history)
            if table.new and (not sitting.played or saved_games.is_empty_file(keeper.path)):
                saved_games.delete_file(keeper.path)
            table.claim.release()
    if keeper.failed:
        click.echo(f"This game is not on disk: {keeper.path} could not be written.", err=True)
    elif sitting.played or not table.new:
        again = resume_command(keeper.path, sitting.game.text)
        for line in look_now().fold(f"Kept in {keeper.path}; {again} goes on with it."):
            click.echo(line)


def _play_rounds(table: OpenedGame, look_now: Callable[[], Display]) -> None:
    """Lines in, lines out, until the player goes: by word, by Ctrl-D or by Ctrl-C."""
    from passline.play import prompt

    sitting, house = table.sitting, table.sitting.game.house
    look = sitting.look
    _show(look.fold(look.paint(f"{house.name}: {house.game} under {house.book.id}", "bold")))
    try:
        if table.new:
            _show(["Talk to it as to a dealer. help shows how, quit ends."])
        else:
            throws = sitting.game.throws
            _show([f"You go on after {throws} throw{'' if throws == 1 else 's'}."])
        _show(sitting.begin())
        while not sitting.over:
            said = prompt.read_input(sitting.ask)
            sitting.look = look_now()
            _show(sitting.hear(said))
    except (EOFError, KeyboardInterrupt):
        click.echo()
        _show(sitting.hear("quit"))


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line, color=True)


def _silence_terminal() -> None:
    """The terminal is gone: nothing more is written to it, not even at the very end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            os.dup2(nowhere, stream.fileno())
