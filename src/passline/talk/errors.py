"""Errors for what a player says: words not understood, and bets that cannot be made."""

from __future__ import annotations

from copy import copy
from typing import Self

from passline.game.layout.stakes import Refusal
from passline.game.words.refusals import TALK_SENTENCES, describe_refusal


class RecordError(ValueError):
    """Raised for a line of a record or of a player that cannot be read or used.

    The message says what is wrong. ``line`` is the line number, or 0.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def with_line(self, line: int) -> Self:
        """Return this error with a line number, unless it has one already."""
        error = copy(self)
        error.line = self.line or line
        return error

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class NotUnderstoodError(RecordError):
    """Raised for talk that is not understood.

    `known_words` are the runs of words that are understood. `suggestion` is a phrase that would be
    understood, or "". `short_message` is the message without the list of accepted forms, where the
    message has one.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        known_words: tuple[str, ...] = (),
        suggestion: str = "",
        short_message: str = "",
    ) -> None:
        super().__init__(message, line)
        self.known_words = known_words
        self.suggestion = suggestion
        self.short_message = short_message


class UnplayableError(Exception):
    """Raised for talk that is understood but cannot be played. `refusal` says why, as a code."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(describe_refusal(refusal))
        self.refusal = refusal

    @property
    def choices(self) -> tuple[str, ...]:
        """Unambiguous phrases to choose from; () if the talk was not ambiguous."""
        return tuple(map(str, self.refusal.allowed)) if self.refusal.code in TALK_SENTENCES else ()


class NoMatchError(Exception):
    """Raised by a parser when the words do not fit its form. The caller tries the next parser."""


class MissingAmountError(NoMatchError):
    """Raised if a wager is named without an amount. `word` ("for", "to") would introduce it."""

    def __init__(self, word: str = "for") -> None:
        super().__init__()
        self.word = word
