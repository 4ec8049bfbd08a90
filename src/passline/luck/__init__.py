"""Luck and decisions: a hand's luck, an evening's split, the same throws under any strategy."""

from passline.luck.hands import EndedHand, ended_hand, hand_length
from passline.luck.same_throws import SameThrows, play_same_throws, thrown_dice
from passline.luck.shooter import Gathering, NoHand, ShooterHand, shooter_hand
from passline.luck.split import LuckSplit, split_luck

__all__ = [
    "EndedHand",
    "Gathering",
    "LuckSplit",
    "NoHand",
    "SameThrows",
    "ShooterHand",
    "ended_hand",
    "hand_length",
    "play_same_throws",
    "shooter_hand",
    "split_luck",
    "thrown_dice",
]
