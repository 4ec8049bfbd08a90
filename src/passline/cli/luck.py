"""``passline luck``: split what players won into decisions and luck.

It also shows what strategies would have made of the same throws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from passline.cli import lab_commands as lab
from passline.cli.common import complete_file, complete_strategy, fail
from passline.cli.files import deal_record_or_log, open_record_file
from passline.game.money.amounts import show_money
from passline.text import join_name, show_name

if TYPE_CHECKING:
    from passline.game.dice.dice import Dice
    from passline.lab.luck.review import LuckSplit, RecordReview
    from passline.record.deal import Dealt


@lab.declare(
    "passline luck src/passline/samples/first-game.craps --strategy pass-odds",
    click.argument("file", metavar="FILE|-", shell_complete=complete_file),
    click.option(
        "--player",
        "players",
        metavar="NAME",
        multiple=True,
        help="Show this player; may be repeated.",
    ),
    click.option(
        "--strategy",
        "strategies",
        metavar="STRATEGY",
        shell_complete=complete_strategy,
        multiple=True,
        help="Also show what this strategy makes of the same throws; may be repeated.",
    ),
)
def command(
    file: str, players: tuple[str, ...], strategies: tuple[str, ...], dice: Dice
) -> lab.Report:
    """Split luck from decisions: FILE is a record, or the log of a live table ("-" is standard
    input).

    What a player won is exactly the value of the decisions, at the time of each, plus luck. A
    decision is a wager made, changed, taken down, or left up after it was decided: it changes the
    expected result if every wager is then played out. The rest is luck, which is zero on average on
    each throw. Bets on the layout at the end count at their expected value.

    STRATEGY is a built-in name, or file.py:function. It has enough chips, and another player
    shoots; its bankroll is the smallest that covers what it wagered. DICE are the dice that were
    thrown, if they were not fair: expected values use them.
    """
    from passline.lab.luck.review import review_json, review_record
    from passline.lab.strategies.load import load_strategy

    for name in strategies:
        load_strategy(name)  # A mistake in a name is reported before the file is dealt.
    dealt = _deal_file(file)
    house = dealt.table.house
    loaded = [load_strategy(name, house=house) for name in strategies]
    known = {seat.id for seat in dealt.table.seats}
    players = tuple(map(join_name, players))
    for name in players:
        if name not in known:
            names = ", ".join(map(show_name, sorted(known))) or "nobody"
            fail(f"--player {show_name(name)[:60]!r}: name a player of the game: {names}")
    review = review_record(dealt, players or None, loaded, dice)
    refused = review.refused_strategies.items()
    return lab.Report(
        json=lambda: review_json(review),
        lines=lambda: _lines(review),
        error="; ".join(f"{name}: {reason}" for name, reason in refused),
    )


def _deal_file(file: str) -> Dealt:
    """Return the game in a file, dealt: a record, or the log of a live table.

    Exit 2 if it can't be read.
    """
    with open_record_file(file) as (lines, name, folder):
        return deal_record_or_log(list(lines), name, folder)


def _lines(review: RecordReview) -> Iterator[str]:
    throws = "1 throw" if review.throws == 1 else f"{review.throws:,} throws"
    yield lab.bold(f"{review.rulebook}, {review.game}: {throws}")
    for name, split in review.players.items():
        yield f"\n{show_name(name)}: {_split_text(split)}"
        yield from _wager_lines(split)
        if split.up:
            yield f"  still up: {show_money(split.up)}, worth {show_money(split.worth)}"
    if review.hands:
        yield "\nhands: " + "; ".join(hand.words for hand in review.hands)
    if review.strategies:
        yield "\nthe same throws, by"
        width = max(len(each.strategy) for each in review.strategies)
        for each in review.strategies:
            needs = f"bankroll {show_money(each.bankroll)}"
            yield f"  {each.strategy:<{width}}  {_split_text(each.split)}; {needs}"


def _split_text(split: LuckSplit) -> str:
    net, decisions, luck = (
        show_money(cents, plus=True) for cents in (split.net, split.decisions, split.luck)
    )
    return f"{net} = decisions {decisions}, luck {luck}"


def _wager_lines(split: LuckSplit) -> Iterator[str]:
    from passline.lab.luck.review import wager_name

    rows = [
        (wager_name(slug), show_money(part.decisions, plus=True), show_money(part.luck, plus=True))
        for slug, part in split.by_wager.items()
    ]
    if rows:
        yield from lab.table_lines([("", "decisions", "luck"), *rows])
