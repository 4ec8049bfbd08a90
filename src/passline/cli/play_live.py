"""``passline play --table URL``: the prompt, seated at a live table."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail
from passline.cli.live_options import client_at, live_errors

if TYPE_CHECKING:
    from passline.live.client.live_game import LiveGame
    from passline.live.entries import Entry as LogEntry
    from passline.play import Look, Sitting
    from passline.record.deal import RecordEntry

_BUY_IN = "500"


def play_live(url: str, name: str, bankroll: str, look_now: Callable[[], Look]) -> None:
    """Sit down at a live table and play there, until the player goes."""
    from passline.live.client.live_game import LiveGame
    from passline.money import AmountError, dollars, parse_dollars
    from passline.play.opening import own_name

    try:
        amount = dollars(parse_dollars(bankroll or _BUY_IN))
    except AmountError as wrong:
        fail(f"--bankroll: {wrong}")
    with client_at(url, "") as client, live_errors():
        seat = client.sit(name or own_name(), amount)
        if seat.waits:
            click.echo("The box is asked for your buy-in: you sit when the box says so.")
        game = LiveGame(client)
        try:
            game.wait_seat()
            _Prompt(game, look_now).play()
        finally:
            game.close()


class _Prompt:
    """Lines in and out; what others do stands above the line that is being typed."""

    def __init__(self, game: LiveGame, look_now: Callable[[], Look]) -> None:
        from passline.dice.sources import secure
        from passline.live.client.live_game import HouseLine
        from passline.play import Sitting

        self.game, self._look_now = game, look_now
        self.sitting = Sitting(game, game.player, [], secure, look_now(), line=HouseLine(game))
        self._terminal = sys.stdin is not None and sys.stdin.isatty()
        self._asked = ""
        self._looked_up = threading.Event()
        game.tell = lambda entry, dealt: others_words(self.sitting, entry, dealt)
        game.on_news = self._interrupt

    def play(self) -> None:
        """Until the player goes: by word, by Ctrl-D or by Ctrl-C."""
        from passline.home import folder
        from passline.play import prompt
        from passline.signals import ENDINGS, SignalGuard

        sitting, history = self.sitting, folder() / "history"
        if self._terminal:
            prompt.set_up_line(history, lambda: prompt.phrases(self.game.table, sitting.player))
        with SignalGuard(*ENDINGS):
            try:
                self._rounds()
            except (EOFError, KeyboardInterrupt):
                self._looked_up.set()
                self._check()
                click.echo()
                self._show(sitting.hear("quit"))
            finally:
                if self._terminal:
                    prompt.keep_history(history)
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
            said = prompt.ask(self._asked)
            self._check()
            self._asked = ""
            with self.game.speaking():
                sitting.look = self._look_now()
                self._show(sitting.hear(said))
            self._show(())

    def _check(self) -> None:
        """Whether we are still listening: raises what ended it."""
        if self.game.failed is not None:
            self._looked_up.set()
            raise self.game.failed

    def _show(self, lines: Iterable[str]) -> None:
        """Lines, each after what others did before it."""
        for line in lines:
            self._flush()
            click.echo(_clean(line), color=True)
        self._flush()

    def _flush(self) -> None:
        untold, self.game.untold = self.game.untold, []
        for line in untold:
            click.echo(_clean(line), color=True)

    def _interrupt(self) -> None:
        """In the listener's thread, while a line is being typed: show what others do."""
        if self.game.failed is not None:
            _wake(self._looked_up)
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
            click.echo(f"{self._asked}{_line_so_far()}", nl=False, color=True)


def others_words(sitting: Sitting, entry: LogEntry, dealt: list[RecordEntry]) -> Iterator[str]:
    """What others did, or the house for us, as the table stands right after it."""
    if dealt and dealt[0].player not in {"", sitting.player}:
        yield from sitting.look.fold(entry.line)
    elif dealt:
        refused = sitting.refused
        yield from sitting.came(dealt)
        sitting.refused = refused if sitting.refused is None else sitting.refused


def _clean(line: str) -> str:
    """A line that a terminal only prints and colours, whatever a server put into it."""
    import re

    from passline.plain import plain

    parts = re.split(r"(\x1b\[[0-9;]*m)", line)
    return "".join(part if n % 2 else plain(part) for n, part in enumerate(parts))


def _line_so_far() -> str:
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()


def _wake(looked_up: threading.Event) -> None:
    """Have the main thread, which waits for a line, look up. A signal that comes just before it
    begins to wait is not noticed: it comes again."""
    main = threading.main_thread().ident
    while main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
        if looked_up.wait(1.0):
            return
