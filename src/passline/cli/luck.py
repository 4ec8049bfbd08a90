"""``passline luck``: an evening's luck, split from its decisions; its throws under any strategy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from passline.cli.common import fail, print_json
from passline.cli.files import open_record_file
from passline.cli.lab_options import DICE_OPTION, read_dice_option, show_dice
from passline.game.money.amounts import show_money

if TYPE_CHECKING:
    from passline.lab.luck.review import LuckSplit, RecordReview
    from passline.record.deal import Dealt


@click.command(
    epilog="\b\nExample:\n"
    "  passline luck src/passline/samples/first-game.craps --strategy pass-odds"
)
@click.argument("file", metavar="FILE|-")
@click.option("--player", "players", metavar="NAME", multiple=True, help="This player; repeatable.")
@click.option(
    "--strategy",
    "strategies",
    metavar="STRATEGY",
    multiple=True,
    help="Also what it would have made of the same throws; repeatable.",
)
@DICE_OPTION
@click.option("--json", "as_json", is_flag=True, help="As JSON, every figure exact.")
def command(
    file: str,
    players: tuple[str, ...],
    strategies: tuple[str, ...],
    dice: str | None,
    as_json: bool,
) -> None:
    """Split an evening's luck from its decisions: FILE is a record, or the log of a live table
    ("-" is standard input).

    What a player won is, exactly, what his decisions were worth when he made them plus his luck.
    A decision is every wager made, changed or taken down, and every one left up after it was
    decided: it changes what he may expect, wagers being played out with nothing more said. All the
    rest is luck: on every throw it is nothing on average. What lies there at the end counts at its
    expectation.

    STRATEGY is a built-in's name, or file.py:function. It has chips enough, and somebody else
    shoots; its bankroll is the least that would have covered what it wagered. DICE are what was
    thrown, where they were not fair: expectations are by them.
    """
    from passline.lab.luck.review import review_json, review_record
    from passline.lab.machines.bettor import StrategyError
    from passline.lab.strategies.load import load_strategy

    thrown = read_dice_option(dice)
    try:
        loaded = [load_strategy(one) for one in strategies]
    except StrategyError as wrong:
        fail(str(wrong))
    dealt = _deal_file(file)
    known = {seat.id for seat in dealt.table.seats}
    for name in players:
        if name not in known:
            fail(f"--player {name[:60]!r}: the record has {', '.join(sorted(known)) or 'nobody'}")
    evening = review_record(dealt, players or None, loaded, thrown)
    if as_json:
        print_json(review_json(evening))
    else:
        show_dice(thrown)
        _show(evening)
    if evening.refused_strategies:
        fail("; ".join(f"{name}: {why}" for name, why in evening.refused_strategies.items()))


def _deal_file(file: str) -> Dealt:
    """The record in a file, dealt; a log is read as the record that it is of."""
    from msgspec.structs import replace

    from passline.record.deal import deal_record, load_record_house
    from passline.record.read import read_lines
    from passline.talk.errors import RecordError

    with open_record_file(file) as (lines, name, folder):
        texts = list(lines)
        first = next((text for text in texts if text.strip()), "")
        if first.lstrip().startswith("{"):
            texts, folder = _log_to_record(texts, name), Path()
        try:
            record, play = read_lines(texts)
            house = load_record_house(record, folder)
            return deal_record(replace(record, lines=tuple(play)), house)
        except RecordError as wrong:
            fail(f"{name}:{wrong.line}: {wrong.message}" if wrong.line else f"{name}: {wrong}")


def _log_to_record(texts: list[str], name: str) -> list[str]:
    from passline.live.entries import EntryError, read_entry
    from passline.live.record_export import export_record_lines

    try:
        entries = [read_entry(text.encode()) for text in texts if text.strip()]
        return list(export_record_lines(entries))
    except (EntryError, ValueError, KeyError, AssertionError) as wrong:
        fail(f"{name}: no log of a table: {wrong}")


def _show(evening: RecordReview) -> None:
    throws = "1 throw" if evening.throws == 1 else f"{evening.throws:,} throws"
    click.secho(f"{evening.rulebook}, {evening.game}: {throws}", bold=True)
    for name, split in evening.players.items():
        click.echo(f"\n{name}: {_split_words(split)}")
        _print_by_wager(split)
        if split.up:
            click.echo(f"  still up: {show_money(split.up)}, worth {show_money(split.worth)}")
    if evening.hands:
        click.echo("\nhands: " + "; ".join(hand.words for hand in evening.hands))
    if evening.strategies:
        click.echo("\nthe same throws, by")
        width = max(len(one.strategy) for one in evening.strategies)
        for one in evening.strategies:
            needs = f"bankroll {show_money(one.bankroll)}"
            click.echo(f"  {one.strategy:<{width}}  {_split_words(one.split)}; {needs}")


def _split_words(split: LuckSplit) -> str:
    net, decisions, luck = (
        show_money(cents, plus=True) for cents in (split.net, split.decisions, split.luck)
    )
    return f"{net} = decisions {decisions}, luck {luck}"


def _print_by_wager(split: LuckSplit) -> None:
    from passline.lab.luck.review import wager_name

    if not split.by_wager:
        return
    rows = [
        (wager_name(slug), show_money(part.decisions, plus=True), show_money(part.luck, plus=True))
        for slug, part in split.by_wager.items()
    ]
    rows.insert(0, ("", "decisions", "luck"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, decisions, luck in rows:
        click.echo(f"  {name:<{widths[0]}}  {decisions:>{widths[1]}}  {luck:>{widths[2]}}")
