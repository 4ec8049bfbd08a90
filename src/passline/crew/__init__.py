"""The crew's side of the table: what is called, announced, taken, paid and placed."""

from passline.crew.announcements import Announcement, announce, announcements
from passline.crew.facts import Effect, Facts, facts
from passline.crew.stick import call

__all__ = [
    "Announcement",
    "Effect",
    "Facts",
    "announce",
    "announcements",
    "call",
    "facts",
]
