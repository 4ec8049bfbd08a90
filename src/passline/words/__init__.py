"""Codes in, words out: wagers, refusals, calls and events as people read them, each worded once."""

from passline.words.events import event_words
from passline.words.refusals import refusal_words
from passline.words.wagers import wager_words

__all__ = ["event_words", "refusal_words", "wager_words"]
