"""A finished evening, whole: each player's luck and decisions, its hands, its throws played by
strategies. What ``passline luck`` prints and a page shows."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from passline.dice import FAIR, Dice
from passline.luck.hands import EndedHand, ended_hand, hand_length
from passline.luck.lying import Lying
from passline.luck.same_throws import SameThrows, play_same_throws, thrown_dice
from passline.luck.split import OTHER, LuckSplit, split_luck
from passline.machines import StrategyError
from passline.money import dollars
from passline.record.deal import Dealt
from passline.results import ColumnKind, LabResult, ResultTable
from passline.strategies import Loaded


class Evening(LabResult, msgspec.Struct, frozen=True, kw_only=True):
    """What became of a record. ``mean_hand``: the throws of a hand on average;
    ``unplayed``: strategies that the house's rules refuse, and why; ``dice``: by which everything
    was expected."""

    rulebook: str
    game: str
    throws: int
    players: dict[str, LuckSplit]
    hands: tuple[EndedHand, ...]
    mean_hand: Fraction
    strategies: tuple[SameThrows, ...]
    unplayed: dict[str, str]
    dice: Dice = FAIR

    def headline(self) -> str:
        """Where, and how many throws."""
        return f"{self.rulebook}, {self.game}: {self.throws:,} throws; exact"

    def listed(self) -> ResultTable:
        """Each player, and each strategy on the same throws."""
        who = [*self.players.items(), *((one.strategy, one.split) for one in self.strategies)]
        columns: dict[str, ColumnKind] = {
            "who": "words",
            "net": "money",
            "decisions": "money",
            "luck": "money",
        }
        records = [(name, split.net, split.decisions, split.luck) for name, split in who]
        return ResultTable(columns, records, across="who", up="luck")


def review_evening(
    dealt: Dealt,
    players: Sequence[str] | None = None,
    strategies: Sequence[Loaded] = (),
    dice: Dice = FAIR,
) -> Evening:
    """Look back on a record that was dealt: all its players, unless some are named. ``dice``:
    those that were thrown, by which all is expected; fair ones unless told."""
    lying, house = Lying(dice), dealt.table.house
    named = [seat.id for seat in dealt.table.seats] if players is None else players
    throws = thrown_dice(dealt)
    played: list[SameThrows] = []
    unplayed: dict[str, str] = {}
    split = split_luck(dealt, named, lying)
    for one in strategies:
        try:
            played.append(play_same_throws(house, throws, one, lying))
        except StrategyError as wrong:
            unplayed[one.name] = str(wrong)
    ended = (ended_hand(before, rolled, dice) for _, before, rolled in dealt.throws())
    return Evening(
        rulebook=house.book.id,
        game=house.game,
        throws=len(throws),
        players=split,
        hands=tuple(hand for hand in ended if hand is not None),
        mean_hand=hand_length(dealt.table.layout, dice).mean_rolls,
        strategies=tuple(played),
        unplayed=unplayed,
        dice=dice,
    )


def evening_json(evening: Evening) -> dict[str, Any]:
    """An evening as JSON: money in dollars, exact fractions as text with floats beside them."""
    return {
        "rulebook": evening.rulebook,
        "game": evening.game,
        **({} if evening.dice.fair else {"dice": str(evening.dice)}),
        "throws": evening.throws,
        "players": [
            {"player": name, **split_json(split), "bought_in": dollars(split.bought_in)}
            for name, split in evening.players.items()
        ],
        "mean_hand": str(evening.mean_hand),
        "hands": [
            {
                "rolls": hand.rolls,
                "chance": str(hand.chance) if hand.rolls <= 200 else None,
                "chance_float": float(hand.chance),
                "words": hand.words,
            }
            for hand in evening.hands
        ],
        "strategies": [
            {"strategy": one.strategy, **split_json(one.split), "bankroll": dollars(one.bankroll)}
            for one in evening.strategies
        ],
        "unplayed": evening.unplayed,
    }


def split_json(split: LuckSplit) -> dict[str, Any]:
    """A split as JSON: ``net`` is ``decisions`` plus ``luck``, exactly."""
    return {
        **_shares(split.net, split.decisions, split.luck),
        "throws": split.throws,
        "up": dollars(split.up),
        "up_worth": str(split.worth / 100),
        "wagers": [
            {
                "wager": slug or None,
                **_shares(part.decisions + part.luck, part.decisions, part.luck),
            }
            for slug, part in split.by_wager.items()
        ],
    }


def _shares(net: Fraction, decisions: Fraction, luck: Fraction) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, cents in (("net", net), ("decisions", decisions), ("luck", luck)):
        found |= {key: str(cents / 100), f"{key}_float": float(cents / 100)}
    return found


def part_name(slug: str) -> str:
    """What a part of a split is called: its wager, or what is none."""
    return slug if slug != OTHER else "no wager (tokes, bonuses)"
