"""Random moves: a few numbers that stand for a command at whatever table they meet.

Half of what is drawn looks at the table, so that games go somewhere; the rest is anything at all.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from hypothesis import strategies as st

from passline.game.law.roles import RELIEF_TITLES
from passline.game.law.wager_names import known_slugs
from passline.game.table import commands as cmd
from passline.game.table.dice_custody import check_dice_playable
from passline.game.table.dice_set import default_inspector
from passline.game.table.state import Table

SLUGS = (*known_slugs(), "place-win-7", "hop-1-1", "horn-high-7", "nonsense", "")
ROLES = ("dealer", "stickperson", "boxperson", "floorperson", "supervisor", "watcher")
GROUNDS = ("off-table", "stacked", "improper", "on-bank", "touched-chips", "no-tumble", "nonsense")
REASONS = ("delay", "invalid-rolls", "violation", "nonsense")
SETS = ("reopen", "die-lost", "tampering", "damage", "age")
SERIALS = ("4411", "4412", "4413", "4414")
COLOURS = ("white", "red", "green", "black", "mauve")
TIMES = ("2007-04-02 08:59", "2007-04-02 09:00", "2007-04-05 12:00", "2030-01-01 00:00")
#: Cents: payable, unpayable, fractions of a chip, and beyond any limit.
AMOUNTS = (
    *(500, 1000, 1200, 2000, 2400, 3000, 5000, 6000, 10_000),
    *(100, 200, 300, 400, 600, 700, 1100, 50, 1, 1250, 499_900, 500_000, 500_100, 10**17),
)
_LINES = ("pass", "dont-pass", "come", "dont-come", "pass-odds", "dont-pass-odds")


class Move(NamedTuple):
    """What kind of command, whose, and three numbers to fill it in."""

    kind: int
    who: int
    first: int
    second: int
    third: int


moves = st.lists(
    st.builds(
        Move,
        st.integers(0, 99),
        st.integers(0, 2),
        st.integers(0, 200),
        st.integers(0, 200),
        st.integers(0, 200),
    ),
    min_size=25,
    max_size=70,
)


def random_move(rng: random.Random) -> Move:
    """A move for long games, drawn evenly."""
    numbers = (rng.randint(0, 200) for _ in range(3))
    return Move(rng.randint(0, 99), rng.randint(0, 2), *numbers)


def command_for(table: Table, move: Move) -> cmd.AnyCommand:
    """The command that a move stands for at this table."""
    name = table.seats[move.who % len(table.seats)].name
    if move.kind < 35:
        if move.third % 4 and check_dice_playable(table) is not None:
            return _freed(table, name)
        if not table.puck and move.third % 8 and not _somebody_shoots(table):
            return cmd.Bet(name, "pass", 500 * (move.third % 4 + 1))
        return cmd.Roll(move.first % 6 + 1, move.second % 6 + 1, move.third == 7)
    if move.kind < 66:
        return _bet(table, name, move)
    if move.kind < 73:
        return cmd.Change(name, _up(table, move), _amount(move.second))
    if move.kind < 77:
        return cmd.TakeDown(name, _up(table, move))
    if move.kind < 84:
        return cmd.Call(name, _up(table, move) if move.third % 4 else "", bool(move.second % 2))
    if move.kind < 87:
        return cmd.BuyIn(name, min(_amount(move.first), 10**9))
    if move.kind < 90:
        likely = _likely_bet(table, name, move)
        return cmd.TokeBet(name, likely.wager, likely.amount)
    if move.kind < 95:
        return _likely_floor(table, move) or _floor(table, name, move)
    return _other(name, move)


def _freed(table: Table, name: str) -> cmd.AnyCommand:
    """What lets the dice be thrown again."""
    if table.status == "closed":
        return cmd.OpenTable()
    if table.status == "dead":
        return cmd.Bet(name, "pass", 500)
    if table.dice.held:
        return cmd.OkayDice()
    waits = table.dice.bar is not None and table.dice.bar.needs == "inspection"
    return cmd.InspectDice(default_inspector(table)) if waits else cmd.NewDice("reopen")


def _somebody_shoots(table: Table) -> bool:
    return any("pass" in seat.wagers or "dont-pass" in seat.wagers for seat in table.seats)


def _amount(number: int) -> int:
    return AMOUNTS[number % len(AMOUNTS)]


def _up(table: Table, move: Move) -> str:
    """A wager that the player has up, as a rule."""
    wagers = list(table.seats[move.who % len(table.seats)].wagers)
    return wagers[move.first % len(wagers)] if wagers and move.third % 8 else _any_slug(move)


def _any_slug(move: Move) -> str:
    return SLUGS[move.first % len(SLUGS)]


def _bet(table: Table, name: str, move: Move) -> cmd.Bet:
    if move.third < 130:
        return _likely_bet(table, name, move)
    if move.third < 160:
        return cmd.Bet(name, _any_slug(move), _amount(move.second))
    return cmd.Bet(
        name,
        _LINES[move.first % len(_LINES)] if move.third % 3 else _any_slug(move),
        _amount(move.second),
        match=_amount(move.first) if move.third % 2 else 0,
        in_air=move.third % 5 == 0,
        confirmed=ROLES[: move.third % 6],
        cash=move.third % 7 == 0,
        on_call=move.third % 11 == 0,
        dice_out=move.third % 13 == 0,
        no_bet=move.third % 17 == 0,
        unnoticed=move.third % 4 == 0,
    )


def _likely_bet(table: Table, name: str, move: Move) -> cmd.Bet:
    """Something that this house deals, in an amount that it would take."""
    spots, wagers = table.layout.spots, table.seat(name).wagers
    slugs = list(spots)
    if move.third < 40:
        slugs = ["come", "dont-come"] if table.puck else ["pass", "dont-pass"]
    elif move.third < 80:
        slugs = [spot.slug for spot in spots.values() if spot.flat in wagers] or slugs
    slug = slugs[move.first % len(slugs)]
    if slug not in spots:
        slug = "pass"
    unit = spots[slug].step
    return cmd.Bet(name, slug, -(-spots[slug].minimum // unit) * unit * (move.second % 4 + 1))


def _other(name: str, move: Move) -> cmd.AnyCommand:
    by = ROLES[move.first % len(ROLES)]
    return (
        cmd.TakeAllDown(name),
        cmd.Toke(name, _amount(move.first)),
        cmd.ColorUp(name),
        cmd.Leave(name),
        cmd.Stand(name),
        cmd.Sit(name),
        cmd.ReturnBets(name),
        cmd.TakeDice(name),
        cmd.DeclineDice(name),
        cmd.PassDice(name),
        cmd.OrderPass(by, name, REASONS[move.second % len(REASONS)]),
        cmd.SameDice(name),
        cmd.AskDice(name),
        cmd.NewDice(SETS[move.first % len(SETS)]),
        cmd.CallNoRoll(GROUNDS[move.second % len(GROUNDS)], by),
        cmd.Rule(move.first % 7, (move.second % 6 + 1) if move.first % 7 else 0, by),
        cmd.Clock(TIMES[move.first % len(TIMES)]),
    )[move.third % 16]


def _likely_floor(table: Table, move: Move) -> cmd.AnyCommand | None:
    """What the table as it stands gives occasion for, as a rule."""
    if move.third % 3 == 0:
        return None
    if table.dice.held:
        return cmd.OkayDice()
    if table.off_table or table.dice.lost:
        return cmd.LoseDie() if move.first % 2 else cmd.FindDie()
    if table.dice.out:
        return cmd.DrawBack()
    if not any(seat.wagers for seat in table.seats):
        return cmd.DeadGame() if move.first % 2 else cmd.CloseTable()
    return cmd.CallNoRoll("off-table", "stickperson") if move.third % 5 == 0 else None


def _floor(table: Table, name: str, move: Move) -> cmd.AnyCommand:
    """The set of dice, reliefs, games that die; now and then as somebody who may not."""
    by = ROLES[move.first % len(ROLES)] if move.second % 4 == 0 else default_inspector(table)
    serial = SERIALS[move.second % len(SERIALS)]
    sizes = tuple(7495 + (move.first + n) % (82 if n % 2 else 20) for n in range(4, 9))
    return (
        cmd.SendDice(),
        cmd.SendDice(),
        cmd.DrawBack(),
        cmd.InspectDice(by=by, flaws=("chipped",) if move.first % 9 == 0 else ()),
        cmd.InspectDice(by, (7500,) * 5, (serial,)),
        cmd.InspectDice(by, sizes[move.first % 2 :], (serial, SERIALS[move.first % 3])),
        cmd.RecallDice("out-of-sight" if move.first % 2 else "damage"),
        cmd.NewDice("damage", serial),
        cmd.CancelDice(serial, by, move.first % 7),
        cmd.LoseDie(),
        cmd.FindDie(),
        cmd.Relieve(
            name if move.first % 9 == 0 else "kim", RELIEF_TITLES[move.second % len(RELIEF_TITLES)]
        ),
        cmd.OkayDice(by or "boxperson"),
        cmd.DeadGame(),
        cmd.CloseTable() if move.first % 3 == 0 else cmd.OpenTable(),
        cmd.ChangeCheques(name, 2500 * (move.first % 9 + 1), COLOURS[move.second % len(COLOURS)]),
    )[move.third % 16]
