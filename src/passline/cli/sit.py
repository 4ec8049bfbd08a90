"""``passline sit``: let a strategy play at a live table."""

from __future__ import annotations

from signal import SIGINT
from typing import TYPE_CHECKING, Any

import click

from passline.cli.common import complete_strategy, fail, print_json
from passline.cli.lab_commands import JSON_OPTION, parse_count, parse_dollars_option
from passline.cli.live_connection import connect_to_table, exit_on_live_error
from passline.game.money.amounts import from_dollars, show_dollars, to_dollars

if TYPE_CHECKING:
    from passline.live.client.bot import Bot, BotTurn
    from passline.live.client.client import Client
    from passline.live.schema import PlayerView

#: Why a strategy stopped playing.
_END_WORDS = {
    "rolls": "all rolls played",
    "stop-win": "reached the stop-win",
    "stop-loss": "reached the stop-loss",
    "goal": "reached the goal",
    "broke": "too little left to bet",
    "stuck": "every bet is refused, and nobody else plays",
    "away": "no longer at the table",
    "closed": "the table has closed",
    "interrupted": "interrupted",
}
#: Seconds to wait for each answer of the server when leaving.
_LEAVE_SECONDS = 5.0


@click.command(
    epilog="\b\nExample, with a server of your own (passline serve) and a table open there:\n"
    "  passline sit http://127.0.0.1:7117 --strategy pass-odds --rolls 100"
)
@click.argument("url", metavar="URL")
@click.option(
    "--strategy",
    required=True,
    metavar="STRATEGY",
    shell_complete=complete_strategy,
    help="A built-in strategy, file.py:function or best:FILE.json.",
)
@click.option("--name", default="", metavar="NAME", help="The player's name (default: your login).")
@click.option(
    "--buy-in", default="500", show_default=True, metavar="DOLLARS", help="The player's buy-in."
)
@click.option("--rolls", metavar="N", help="Leave after N rolls (default: play until Ctrl-C).")
@click.option("--stop-win", metavar="DOLLARS", help="Leave when ahead by this much.")
@click.option("--stop-loss", metavar="DOLLARS", help="Leave when behind by this much.")
@click.option("--token", default="", help="The token of an invitation, or of a seat taken before.")
@JSON_OPTION
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
    """Let a strategy play at the live table at URL, until Ctrl-C.

    URL is a table's address, such as http://127.0.0.1:7117/t/TABLE, with an invitation's token
    after # if there is one. A server's address means the only table open there. The strategy
    bets before every roll. When it has the dice, it rolls after the betting time, with a nonce of
    its own. It leaves the table when it stops. Check the receipt printed at the end with
    passline audit --receipt.
    """
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.strategies.load import load_strategy
    from passline.lab.strategies.policy import Policy
    from passline.live.client.bot import BotLimits
    from passline.play.open_game import default_player_name

    plan = BotLimits(
        parse_count("--rolls", rolls, 1, 10**12),
        parse_dollars_option("--stop-win", stop_win),
        parse_dollars_option("--stop-loss", stop_loss),
    )
    amount = parse_dollars_option("--buy-in", buy_in)
    try:
        loaded = load_strategy(strategy)
        if isinstance(loaded.function, Policy):
            loaded.function.check_bankroll(amount or 0)
    except StrategyError as wrong:
        fail(str(wrong))
    with connect_to_table(url, token) as client, exit_on_live_error():
        seat = client.sit(name or default_player_name(), to_dollars(amount or 0))
        there = None if seat.pending else client.view().player(seat.name)
        if there is not None and not there.here:  # The player left this table earlier.
            client.say(f"buy in {to_dollars(amount or 0)}")
        if not as_json:
            where = "waiting for the boxperson" if seat.pending else f"at place {seat.place}"
            click.echo(f"{seat.name} plays {loaded.name} at {client.url}, {where}.")
        _play(client, loaded.function, plan, as_json)


def _play(client: Client, strategy: Any, plan: Any, as_json: bool) -> None:
    from passline.lab.machines.bettor import StrategyError
    from passline.live.client.bot import Bot
    from passline.termination_signals import TERMINATION_SIGNALS, StopRequest, TerminationExit

    trouble = ""
    bot = Bot(client, strategy, plan, _print_nothing if as_json else _print_turn)
    with StopRequest(*TERMINATION_SIGNALS, on_stop=lambda: bot.stop(_LEAVE_SECONDS)) as stop:
        try:
            end: str = bot.play()
        except StrategyError as error:
            end, trouble = "strategy", str(error)
        seen = _leave(client)
        bot.close()
    if stop.number not in (0, SIGINT):
        raise TerminationExit(stop.number)
    if trouble:
        fail(trouble)
    if as_json:
        print_json(_json(client, bot, end, seen))
    else:
        _print_summary(client, bot, end, seen)


def _leave(client: Client) -> PlayerView | None:
    """Leave the table; return the server's last view of the player, or None if not seated."""
    from passline.text import escape_unprintable

    client.hurry(_LEAVE_SECONDS)
    there = client.view().player(client.name)
    if there is not None and there.here:
        said = client.leave()
        for one in said.refused:
            assert one.refusal is not None
            click.echo(escape_unprintable(f"could not leave: {one.refusal.reason}"), err=True)
        there = client.view().player(client.name)
    return there


def _print_nothing(_turn: BotTurn) -> None:
    """Do nothing: with ``--json``, one object is printed at the end."""


def _print_turn(turn: BotTurn) -> None:
    """Print one line for a turn of the strategy: its bets, refusals and the rail."""
    from passline.game.words.refusals import describe_refusal
    from passline.text import escape_unprintable

    dice = f"{turn.dice[0]}-{turn.dice[1]}" if turn.dice else "   "
    puck = f"point {turn.puck}" if turn.puck else "come-out"
    words = "; ".join(turn.taken) or ("nothing accepted" if turn.wanted else "no bet")
    for one in turn.refused:
        assert one.refusal is not None
        cite = f" [{one.refusal.cite}]" if one.refusal.cite else ""
        words += f"; refused {one.words}: {one.refusal.reason}{cite}"
    if turn.idle is not None:
        words += f"; waits for others: {describe_refusal(turn.idle)}"
    rail = show_dollars(turn.rail)
    line = f"{turn.throws:>5}  {dice}  {puck:<8}  {words}  ({rail} in the rail)"
    click.echo(escape_unprintable(line))


def _cents_up(seen: PlayerView | None) -> int:
    return sum(from_dollars(one.amount) for one in seen.wagers) if seen else 0


def _net_change(seen: PlayerView) -> int:
    return from_dollars(seen.rail) + _cents_up(seen) - from_dollars(seen.bought_in)


def _print_summary(client: Client, bot: Bot, end: str, seen: PlayerView | None) -> None:
    rolls = f"{bot.throws} roll{'' if bot.throws == 1 else 's'}"
    if seen is None:
        waits = f"the boxperson has not approved {bot.name}'s buy-in"
        click.echo(f"After {rolls}: {_END_WORDS[end]}; {waits}.")
        return
    change, up = _net_change(seen), _cents_up(seen)
    rail = show_dollars(from_dollars(seen.rail))
    still = f", {show_dollars(up)} still up" if up else ""
    click.echo(f"After {rolls}: {_END_WORDS[end]}.")
    click.echo(f"{seen.name} has {rail}{still} ({show_dollars(change, plus=True)}).")
    if client.receipts:
        click.echo(f"Receipt: {client.receipts[-1]}")


def _json(client: Client, bot: Bot, end: str, seen: PlayerView | None) -> dict[str, Any]:
    return {
        "table": client.table,
        "name": bot.name,
        "rolls": bot.throws,
        "end": end,
        "rail": seen.rail if seen else None,
        "up": to_dollars(_cents_up(seen)),
        "bought_in": seen.bought_in if seen else None,
        "change": to_dollars(_net_change(seen)) if seen else None,
        "receipts": [str(receipt) for receipt in client.receipts],
    }
