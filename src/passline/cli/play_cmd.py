"""``passline play``: a table in the terminal."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from passline.cli.common import election_option, fail, game_option, house_errors
from passline.cli.play_live import play_live

if TYPE_CHECKING:
    from passline.play import Look
    from passline.play.opening import GameWanted, OpenedGame

_RAIL = ("pass-odds", "inside")
_TYPED_RAIL = ("pass",)  # at a real table somebody always shoots
#: What a game that goes on already has.
_SETTLED = ("bankroll", "alone", "options", "game")
#: What only a game of our own takes.
_OF_OUR_OWN = ("source", "rail", "alone", "typed", "seed", "resume", "options", "game")


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
        _lenient_streams()
        play_live(url, name, bankroll, lambda: _look(plain))
        return
    if typed and seed is not None:
        fail("--typed and --seed exclude each other")
    if alone and rail:
        fail("--alone and --rail exclude each other")
    if resume:
        _check_resumed(ctx)
    elif source.endswith(".craps"):
        fail(f"{source} is a record: passline play --resume {source} goes on with it")
    from passline.play.opening import GameWanted

    wanted = GameWanted(
        source=source if resume else source or "new-jersey",
        game=game,
        options=options,
        bankroll=bankroll,
        name=name,
        rail=rail if alone or resume else rail or (_TYPED_RAIL if typed else _RAIL),
        dice="typed" if typed else "" if seed is None else f"seed {seed}",
    )
    _lenient_streams()
    _play(_opened(wanted, _look(plain), resume), lambda: _look(plain))


def _look(plain: bool) -> Look:
    """The window may have another size by now."""
    from passline.play.look import look_of

    return look_of(sys.stdout, plain or bool(os.environ.get("PASSLINE_PLAIN")))


def _given(ctx: click.Context, names: Iterable[str]) -> Iterable[str]:
    """Those of the options that were given, as they are typed."""
    for name in names:
        if ctx.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            yield {"options": "-o", "source": "RULEBOOK|FILE"}.get(name, f"--{name}")


def _check_resumed(ctx: click.Context) -> None:
    for shown in _given(ctx, _SETTLED):
        fail(f"--resume goes on with a game as it was: {shown} cannot change it")


def _check_live(ctx: click.Context) -> None:
    for shown in _given(ctx, _OF_OUR_OWN):
        fail(f"--table: a live table is as it was opened: {shown} cannot change it")


def _lenient_streams() -> None:
    """What cannot be read or shown in this terminal's encoding does not end the game."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _opened(wanted: GameWanted, look: Look, resume: bool) -> OpenedGame:
    from passline.play.opening import PlayError, go_on, open_game

    def tell(words: str) -> None:
        click.echo(words, err=True)

    with house_errors():
        try:
            return (go_on if resume else open_game)(wanted, look, tell)
        except PlayError as wrong:
            fail(str(wrong))


def _play(table: OpenedGame, look_now: Callable[[], Look]) -> None:
    from passline.home import folder
    from passline.play import prompt, saved_games
    from passline.play.saving import going_on
    from passline.signals import ENDINGS, Gone, SignalGuard

    sitting, keeper = table.sitting, table.keeper
    terminal = sys.stdin is not None and sys.stdin.isatty()
    history = folder() / "history"
    if terminal:
        prompt.set_up_line(history, lambda: prompt.phrases(sitting.game.table, sitting.player))
    with SignalGuard(*ENDINGS) as signals:
        table.game.guard = signals.held
        try:
            _rounds(table, look_now)
        except Gone:
            _deaf()
            raise
        finally:
            if terminal:
                prompt.keep_history(history)
            if table.new and (not sitting.played or saved_games.is_empty(keeper.path)):
                saved_games.forget(keeper.path)
            table.claim.release()
    if keeper.failed:
        click.echo(f"This game is not on disk: {keeper.path} could not be written.", err=True)
    elif sitting.played or not table.new:
        again = going_on(keeper.path, sitting.game.text)
        for line in look_now().fold(f"Kept in {keeper.path}; {again} goes on with it."):
            click.echo(line)


def _rounds(table: OpenedGame, look_now: Callable[[], Look]) -> None:
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
            said = prompt.ask(sitting.ask)
            sitting.look = look_now()
            _show(sitting.hear(said))
    except (EOFError, KeyboardInterrupt):
        click.echo()
        _show(sitting.hear("quit"))


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line, color=True)


def _deaf() -> None:
    """The terminal is gone: nothing more is written to it, not even at the very end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            os.dup2(nowhere, stream.fileno())
