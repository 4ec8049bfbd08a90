"""Table talk: what people at the table say, understood as commands, and said back to them."""

from passline.talk.errors import RecordError
from passline.talk.nearest import NotUnderstoodError
from passline.talk.repeat import echo
from passline.talk.says import read_say, say_words
from passline.talk.understand import understand
from passline.talk.utterance import UnplayableError

__all__ = [
    "NotUnderstoodError",
    "RecordError",
    "UnplayableError",
    "echo",
    "read_say",
    "say_words",
    "understand",
]
