"""Several things in one breath: ``12 on the 6 and 18 on the 8``, ``place 6 for 12, hard 8 for 5``.

Each of them must be whole by itself. Where one could take its verb from another, nothing is taken:
``buy the 4 for 25 and the 10 for 25`` may place the ten, or buy it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from passline.table import commands as cmd
from passline.talk.groups import PLACE
from passline.talk.says import say_words
from passline.talk.utterance import Heard, HowMuchError, UnheardError, offer_choices

_JOINTS = (",", "and")
#: Verbs that a later bet may be meant to go on with, and the wagers that they make.
_BEGINS = {"buy": "buy", "lay": "lay", "against": "lay", "no": "lay", "lose": "place-lose"}
#: Those that go on with something else than a bet.
_VERBS = frozenset(
    {"press", "full-press", "half-press", "power-press", "add", "take", "make", "turn", "call"}
    | {"keep", "leave", "raise", "lower", "bring", "two-way", "for-dealers", "max", "same", "hop"}
)
#: Words that name neither a wager nor what is done with it.
_JOINING = frozenset(
    ["for", "on", "in", "to", "by", "each", "total", "down", "up", "off", "unit", "x", "times"]
)
#: A wager on a number that another number may go on with: ``hard-6``, ``big-6``.
_NUMBERED = re.compile(r"(?!place-win|craps|horn-high|hop)([a-z-]+)-\d+|hops?-.+|.*odds")
#: Breaths of more parts than this are not tried.
_MOST = 12
One = Callable[[Heard], list[cmd.AnyCommand]]


def part_breath(heard: Heard, hear: One, hear_part: One) -> list[cmd.AnyCommand]:
    """What was said as one thing, or else as several, each of which is whole."""
    try:
        return hear(heard)
    except UnheardError as unheard:
        parts = [part for part in _parts(heard.words) if part]
        if not 1 < len(parts) <= _MOST:
            raise
        found = _joined(heard, parts, hear_part)
        if found is None:
            raise unheard from None
    _sure_of_verbs(heard, parts, found)
    return [command for commands in found for command in commands]


def _parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    start = 0
    for at, word in enumerate(words):
        if word in _JOINTS:
            yield words[start:at]
            start = at + 1
    yield words[start:]


def _joined(
    heard: Heard, parts: list[tuple[str, ...]], hear: One
) -> list[list[cmd.AnyCommand]] | None:
    """Each part by itself; as many of them together as make one thing: ``6 and 8 for 12 each``."""
    found: list[list[cmd.AnyCommand]] = []
    start = 0
    while start < len(parts):
        for end in range(start + 1, len(parts) + 1):
            words = tuple(word for part in parts[start:end] for word in (*part, "and"))[:-1]
            try:
                found.append(hear(heard._replace(words=words)))
            except (UnheardError, HowMuchError):
                continue
            start = end
            break
        else:
            return None
    return found


def _sure_of_verbs(
    heard: Heard, parts: list[tuple[str, ...]], found: list[list[cmd.AnyCommand]]
) -> None:
    """No later part may be meant to go on with what an earlier one began."""
    began: list[str] = []
    for part in parts:
        named = [word for word in part if word[:1].isalpha() and word not in _JOINING]
        if named:
            began = [word for word in named if _begins(word)]
        elif began:
            raise _carried(heard, began, [command for commands in found for command in commands])


def _begins(word: str) -> bool:
    return word in _BEGINS or word in _VERBS or _NUMBERED.fullmatch(word) is not None


def _carried(heard: Heard, began: list[str], says: list[cmd.AnyCommand]) -> Exception:
    """``buy 4 for 25 and 10 for 25``: both ways to take it, where they can be told."""
    families = {_family(word) for word in began}
    family = families.pop()
    if families or not family or not all(isinstance(command, cmd.Bet) for command in says):
        return UnheardError()
    ways = [says, [_by(heard, family, command) for command in says]]
    said = [", ".join(say_words(command) for command in way) for way in ways]
    return offer_choices("same-verb", said)


def _family(word: str) -> str:
    """The wagers that a verb makes, or that a wager on a number is one of; odds are none."""
    numbered = _NUMBERED.fullmatch(word)
    named = numbered[1] if numbered and "odds" not in word else ""
    return _BEGINS.get(word) or named or ""


def _by(heard: Heard, family: str, command: cmd.AnyCommand) -> cmd.AnyCommand:
    """A bet on a number made by the verb of another."""
    if not isinstance(command, cmd.Bet) or heard.kind(command.wager) != PLACE:
        return command
    number = command.wager.rpartition("-")[2]
    return replace(command, wager=heard.slug(f"{family}-{number}"))
