"""Luck and decisions: a hand's luck, an evening's split, the same throws under any strategy."""

from passline.luck.hands import EndedHand, ended_hand, hand_length
from passline.luck.same_throws import SameThrows, play_same_throws, thrown_dice
from passline.luck.split import LuckSplit, split_luck

__all__ = [
    "EndedHand",
    "LuckSplit",
    "SameThrows",
    "ended_hand",
    "hand_length",
    "play_same_throws",
    "split_luck",
    "thrown_dice",
]
