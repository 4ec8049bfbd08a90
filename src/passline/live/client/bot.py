"""A bot that plays a strategy at a live table through the client.

The bot follows the log, asks the strategy once before every throw, and sends the bets that the
strategy wants. When the bot is the shooter, it throws once everyone has had time to bet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import UTC, datetime, timedelta
from secrets import token_hex
from typing import Final, Literal

from msgspec import Struct

from passline.game.layout.stakes import Refusal
from passline.game.table.dice_custody import check_dice_playable, find_next_shooter, is_automated
from passline.game.table.state import Seat
from passline.lab.strategies.ask import Strategy, ask_strategy
from passline.lab.strategies.policy import Policy
from passline.lab.strategies.table_adapter import make_view
from passline.live.client.client import Client
from passline.live.client.http import ClientError
from passline.live.client.listener import FollowedTable
from passline.live.live_table import LiveTable, parse_time
from passline.live.scheduled_actions import betting_deadline, waits_for_players
from passline.live.schema import LineResult, RefusalReason

#: Seconds to listen at a time, and to wait after a refused throw.
_LISTEN_SECONDS: Final = 30.0
_RETRY_SECONDS: Final = 1.0

#: Why a bot stops: it played its rolls, it is ahead or behind enough, it reached its goal, it
#: cannot bet any more, nobody can throw and nobody else is there, it left the table, the table
#: closed, somebody called ``Bot.stop``.
BotEnd = Literal[
    "rolls", "stop-win", "stop-loss", "goal", "broke", "stuck", "away", "closed", "interrupted"
]


class BotLimits(Struct, frozen=True):
    """When a bot stops: after so many rolls, or so many cents ahead or behind. None means never."""

    rolls: int | None = None
    stop_win: int | None = None
    stop_loss: int | None = None


class BotTurn(Struct, frozen=True, kw_only=True):
    """One decision before a throw: commands wanted, accepted and refused, and the rail in cents.

    ``throws`` counts the throws so far, ``dice`` are the faces of the last one, and ``puck`` is the
    point or 0. ``idle`` says why nobody can throw until another player comes, or is None.
    """

    throws: int
    dice: tuple[int, int] | None
    puck: int
    wanted: tuple[str, ...]
    taken: tuple[str, ...]
    refused: tuple[LineResult, ...]
    rail: int
    idle: Refusal | None = None


class Bot:
    """Plays a strategy on a seat that the client has taken already.

    ``plan`` says when to stop. ``tell`` is called with every decision. ``throws`` counts the throws
    since the bot sat down.
    """

    def __init__(
        self, client: Client, strategy: Strategy, plan: BotLimits, tell: Callable[[BotTurn], None]
    ) -> None:
        self.client, self.name = client, client.name
        self._strategy, self._plan, self._tell = strategy, plan, tell
        self._followed = FollowedTable(client)
        self._memory: Hashable = None
        self.throws = 0
        self._decided_at = -1  # The number of throws when the strategy was last asked.
        self._nothing_taken = self._stopping = False
        self._throw_id = token_hex(12)
        self._clock_lag = timedelta.max  # At most how far our clock is behind the server's.

    @property
    def live(self) -> LiveTable:
        """The table's state as the bot knows it."""
        return self._followed.live

    @property
    def seat(self) -> Seat:
        """The bot's seat."""
        return self.live.table.seat(self.name)

    def play(self) -> BotEnd:
        """Play until the bot must stop, and return why.

        Raise the errors of the strategy and the client.
        """
        while not self._seated():
            if self._stopping:
                return "interrupted"
            self._read_entry(_LISTEN_SECONDS)
        if isinstance(self._strategy, Policy):
            self._strategy.check_house(self.live.table.house)
        # The strategy itself says what it wants after a win: the server repeats no line bet.
        self._wait_for_entry(self.client.say("leave my line down").seq)
        while (end := self._find_end()) is None:
            if self._decided_at != self.throws:
                self._decide()
            elif not self._read_entry(0.0):
                self._read_entry(self._throw())
        return end

    def stop(self, seconds: float) -> None:
        """Make ``play`` return after its current step, and limit retries to ``seconds`` seconds.

        A signal handler may call this.
        """
        self._stopping = True
        self.client.retry_seconds = min(self.client.retry_seconds, seconds)
        self._followed.wake()

    def close(self) -> None:
        """Stop following the log, and close the client."""
        self._followed.close()

    # Following the log

    def _seated(self) -> bool:
        """Return whether the log says that the bot has its seat.

        The boxperson may have to agree first.
        """
        if self._clock_lag == timedelta.max:
            return False
        return self.live.table.find(self.name) is not None

    def _read_entry(self, seconds: float) -> bool:
        """Wait for one entry of the log and apply it.

        Return False if none arrives in ``seconds``.
        """
        last = self.live.last_throw if self._seated() else None
        seated = self._seated()
        entry = self._followed.next(seconds)
        if entry is None:
            return False
        self._clock_lag = min(self._clock_lag, datetime.now(UTC) - parse_time(entry.at))
        if seated and self.live.last_throw is not last:
            self.throws += 1
            self._throw_id = token_hex(12)
        return True

    def _wait_for_entry(self, seq: int | None) -> None:
        """Wait until the log's entry ``seq`` arrives, or the bot must stop.

        Return at once if ``seq`` is None.
        """
        while seq is not None and self.live.head.seq < seq and not self._stopping:
            self._read_entry(_LISTEN_SECONDS)

    # Deciding.

    def _find_end(self) -> BotEnd | None:
        """Return why the bot stops now, or None if it plays on."""
        if self._stopping:
            return "interrupted"
        live, seat, plan = self.live, self.seat, self._plan
        won = seat.rail + sum(stake.amount for stake in seat.wagers.values()) - seat.bought_in
        if not seat.here:
            return "away"
        if live.table.status == "closed":
            return "closed"
        if plan.rolls is not None and self.throws >= plan.rolls:
            return "rolls"
        if plan.stop_win is not None and won >= plan.stop_win:
            return "stop-win"
        if plan.stop_loss is not None and -won >= plan.stop_loss:
            return "stop-loss"
        if not seat.wagers:
            ending: BotEnd | None = None
            if isinstance(self._strategy, Policy):
                ending = self._strategy.ending(self._memory, seat.rail)
            if ending is not None or seat.rail < live.table.house.minimum:
                return ending or "broke"
        stuck = self._decided_at == self.throws and self._nothing_taken and not seat.wagers
        return "stuck" if stuck and self._nobody_throws() else None

    def _nobody_throws(self) -> Refusal | None:
        """Return why nobody can throw; None if somebody can, or if other players are there."""
        table = self.live.table
        if any(seat.here and seat.id != self.name for seat in table.playing):
            return None
        who = find_next_shooter(table)
        return who if isinstance(who, Refusal) else None

    def _decide(self) -> None:
        """Ask the strategy what it wants, send that, and pass the decision to ``tell``.

        If other players are waiting to throw, say ``ready`` afterwards.
        """
        live, last = self.live, self.live.last_throw
        rolled = last.rolled if last is not None and self.throws else None
        view = make_view(live.table, self.name, rolled, self._memory)
        wanted, self._memory = ask_strategy(self._strategy, view)
        self._decided_at = self.throws
        said = self._say(wanted)
        taken = tuple(one.words for one in said if one.refusal is None)
        self._nothing_taken = bool(wanted) and not taken
        refused = tuple(one for one in said if one.refusal is not None)
        turn = BotTurn(
            throws=self._decided_at,
            dice=(rolled.first, rolled.second) if rolled is not None else None,
            puck=live.table.point,
            wanted=wanted,
            taken=taken,
            refused=refused,
            rail=self.seat.rail,
            idle=self._nobody_throws(),
        )
        self._tell(turn)
        settings = self.live.settings
        paced = settings.dice != "typed" and settings.pace.betting > 0
        if paced and waits_for_players(self.live) and self.name not in self.live.ready:
            self._wait_for_entry(self.client.say("ready").seq)

    def _say(self, wanted: tuple[str, ...]) -> list[LineResult]:
        """Send all commands in one line, and return the result of each.

        If the server rejects the whole line (status 403 or 422), send each command by itself; one
        that it rejects then counts as refused. Raise ClientError for any other error.
        """
        if not wanted:
            return []
        try:
            said = self.client.say("; ".join(wanted))
        except ClientError as wrong:
            if wrong.status not in {403, 422}:
                raise
            if len(wanted) == 1:
                refusal = RefusalReason(wrong.message, wrong.cite or None)
                return [LineResult(wanted[0], wanted[0], refusal)]
            return [one for say in wanted for one in self._say((say,))]
        self._wait_for_entry(said.seq)
        return list(said.entries)

    # Throwing.

    def _is_shooter(self) -> bool:
        """Return whether the bot must say ``roll`` now; never where real dice are typed in."""
        live, table = self.live, self.live.table
        if live.settings.dice == "typed" or check_dice_playable(table) is not None:
            return False
        if is_automated(table):
            bettors = [seat.id for seat in table.playing if seat.here and seat.wagers]
            return not live.settings.pace.betting and bettors[:1] == [self.name]
        return live.next_shooter == self.name and (live.machine_has_stick or table.dice.out)

    def _throw(self) -> float:
        """Throw if it is time. Return how many seconds to wait for entries before the next try."""
        if not self._is_shooter():
            return _LISTEN_SECONDS
        if waits_for_players(self.live):
            now = datetime.now(UTC) - self._clock_lag
            left = (betting_deadline(self.live) - now).total_seconds()
            if left > 0:
                return min(left, _LISTEN_SECONDS)
        # One id until the dice have rolled, so that a lost reply does not throw them twice.
        said = self.client.say("roll", id=self._throw_id)
        self._wait_for_entry(said.seq)
        return _RETRY_SECONDS if said.seq is None else 0.0
