"""``passline sit``: a strategy at a live table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import fail, print_json
from passline.cli.live_options import client_at, live_errors
from passline.cli.strategy_options import JSON, read_count

if TYPE_CHECKING:
    from passline.live.client import Client, PlayerSeen, SeatTaken
    from passline.live.client.bot import Bot, BotTurn

#: Why it stopped, in words.
_ENDS = {
    "rolls": "the rolls are played",
    "stop-win": "far enough ahead",
    "stop-loss": "far enough behind",
    "goal": "the goal is in the rail",
    "broke": "too little left to bet",
    "stuck": "nothing it says is taken, and nobody else plays",
    "away": "no longer at the table",
    "closed": "the table has closed",
    "interrupted": "interrupted",
}
#: Seconds that leaving may take when somebody wants to go.
_GOING = 5.0


@click.command(
    epilog="\b\nExample, with a server of your own (passline serve) and a table open there:\n"
    "  passline sit http://127.0.0.1:7117 --strategy pass-odds --rolls 100"
)
@click.argument("url", metavar="URL")
@click.option(
    "--strategy",
    required=True,
    metavar="STRATEGY",
    help="What plays: a built-in's name, file.py:function or best:FILE.json.",
)
@click.option("--name", default="", metavar="NAME", help="The player's name (your login).")
@click.option("--buy-in", default="500", show_default=True, metavar="DOLLARS", help="Its chips.")
@click.option("--rolls", metavar="N", help="Leave after so many rolls; else it plays on.")
@click.option("--stop-win", metavar="DOLLARS", help="Leave when ahead by so much.")
@click.option("--stop-loss", metavar="DOLLARS", help="Leave when behind by so much.")
@click.option("--token", default="", help="An invitation's token, or that of a seat it has.")
@JSON
def command(
    url: str,
    strategy: str,
    name: str,
    buy_in: str,
    rolls: str | None,
    stop_win: str | None,
    stop_loss: str | None,
    token: str,
    as_json: bool,
) -> None:
    """Have a STRATEGY play at the live table at URL, until Ctrl-C.

    URL is a table's address, such as http://127.0.0.1:7117/t/TABLE, perhaps with an invitation's
    token after #; a server's own address means the only table that is open there. The strategy is
    asked before every throw; when it has the dice, it throws after the betting time, with a nonce
    of its own. It leaves the table when it stops. The receipt at the end is for passline audit
    --receipt.
    """
    from passline.live.client.bot import BotPlan
    from passline.machines import StrategyError
    from passline.play.opening import own_name
    from passline.strategies import load_strategy
    from passline.strategies.policy import Policy

    plan = BotPlan(
        read_count("--rolls", rolls, 1, 10**12),
        _cents("--stop-win", stop_win),
        _cents("--stop-loss", stop_loss),
    )
    amount = _cents("--buy-in", buy_in)
    try:
        loaded = load_strategy(strategy)
        if isinstance(loaded.function, Policy):
            loaded.function.check_bankroll(amount or 0)
    except StrategyError as wrong:
        fail(str(wrong))
    with client_at(url, token) as client, live_errors():
        seat = client.sit(name or own_name(), _dollars(amount or 0))
        _come_back(client, seat, amount or 0)
        if not as_json:
            click.echo(_seated(client, seat, loaded.name))
        _play(client, loaded.function, plan, as_json)


def _cents(option: str, text: str | None) -> int | None:
    from passline.money import AmountError, parse_dollars

    try:
        return None if text is None else parse_dollars(text)
    except AmountError as wrong:
        fail(f"{option} {wrong}")


def _dollars(cents: int) -> str:
    from passline.money import dollars

    return dollars(cents)


def _come_back(client: Client, seat: SeatTaken, cents: int) -> None:
    """A player who left comes back by buying in."""
    there = None if seat.waits else client.view().player(seat.name)
    if there is not None and not there.here:
        client.say(f"buy in {_dollars(cents)}")


def _seated(client: Client, seat: SeatTaken, strategy: str) -> str:
    where = "waits for the box" if seat.waits else f"at place {seat.place}"
    return f"{seat.name} plays {strategy} at {client.url}, {where}."


def _play(client: Client, strategy: Any, plan: Any, as_json: bool) -> None:
    from passline.live.client.bot import Bot
    from passline.machines import StrategyError
    from passline.signals import Gone, SignalGuard

    trouble = ""
    with SignalGuard("SIGINT", "SIGTERM", "SIGHUP"):
        bot = Bot(client, strategy, plan, _silent if as_json else _tell)
        try:
            end: str = bot.play()
        except KeyboardInterrupt:
            end = "interrupted"
        except Gone:
            _leave(client)
            raise
        except StrategyError as wrong:
            end, trouble = "strategy", str(wrong)
        seen = _leave(client)
        bot.close()
    if trouble:
        fail(trouble)
    if as_json:
        print_json(_json(client, bot, end, seen))
    else:
        _sum_up(client, bot, end, seen)


def _leave(client: Client) -> PlayerSeen | None:
    """Leave the table as one should; what the player has then."""
    from passline.plain import plain

    client.patience = min(client.patience, _GOING)
    there = client.view().player(client.name)
    if there is not None and there.here:
        said = client.leave()
        for one in said.refused:
            assert one.refusal is not None
            click.echo(plain(f"could not leave: {one.refusal.reason}"), err=True)
        there = client.view().player(client.name)
    return there


def _silent(_turn: BotTurn) -> None:
    """Nothing is told while JSON is awaited."""


def _tell(turn: BotTurn) -> None:
    """One line for a decision."""
    from passline.money import show_dollars
    from passline.plain import plain
    from passline.words import refusal_words

    dice = f"{turn.dice[0]}-{turn.dice[1]}" if turn.dice else "   "
    puck = f"point {turn.puck}" if turn.puck else "come-out"
    words = "; ".join(turn.taken) or ("nothing taken" if turn.wanted else "nothing to say")
    for one in turn.refused:
        assert one.refusal is not None
        cite = f" [{one.refusal.cite}]" if one.refusal.cite else ""
        words += f"; refused {one.words}: {one.refusal.reason}{cite}"
    if turn.idle is not None:
        words += f"; waits for others: {refusal_words(turn.idle)}"
    rail = show_dollars(turn.rail)
    click.echo(plain(f"{turn.throws:>5}  {dice}  {puck:<8}  {words}  ({rail} in the rail)"))


def _up(seen: PlayerSeen | None) -> int:
    return sum(_told(one.amount) for one in seen.wagers) if seen else 0


def _change(seen: PlayerSeen) -> int:
    return _told(seen.rail) + _up(seen) - _told(seen.bought_in)


def _told(amount: str) -> int:
    """Cents of an amount as a server tells it: an empty rail is one too."""
    from decimal import Decimal

    return int(Decimal(amount) * 100)


def _sum_up(client: Client, bot: Bot, end: str, seen: PlayerSeen | None) -> None:
    from passline.money import show_dollars

    rolls = f"{bot.throws} roll{'' if bot.throws == 1 else 's'}"
    if seen is None:
        click.echo(f"After {rolls}: {_ENDS[end]}; the box has not let {bot.name} in.")
        return
    change, up = _change(seen), _up(seen)
    still = f", {show_dollars(up)} still up" if up else ""
    sign = "+" if change > 0 else ""
    click.echo(f"After {rolls}: {_ENDS[end]}.")
    click.echo(f"{seen.name} has ${seen.rail}{still} ({sign}{show_dollars(change)}).")
    if client.receipts:
        click.echo(f"Receipt: {client.receipts[-1]}")


def _json(client: Client, bot: Bot, end: str, seen: PlayerSeen | None) -> dict[str, Any]:
    return {
        "table": client.table,
        "name": bot.name,
        "rolls": bot.throws,
        "end": end,
        "rail": seen.rail if seen else None,
        "up": _dollars(_up(seen)),
        "bought_in": seen.bought_in if seen else None,
        "change": _signed(_change(seen)) if seen else None,
        "receipts": [str(receipt) for receipt in client.receipts],
    }


def _signed(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{_dollars(abs(cents))}"
