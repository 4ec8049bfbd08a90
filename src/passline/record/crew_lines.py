"""Lines of the floor: the set of dice, reliefs, dead games, read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passline.law import Book, grounds
from passline.law.roles import BASE_DEALER, RELIEVED, role_called
from passline.table import Table
from passline.table import commands as cmd
from passline.table.acting import inspector_of
from passline.talk.errors import RecordError
from passline.talk.says import money_words, read_amount, read_role
from passline.words.refusals import inches

_BARE: dict[str, cmd.AnyCommand] = {
    "dice out": cmd.SendDice(),
    "dice back": cmd.DrawBack(),
    "dice in the air": cmd.ReleaseDice(),
    "die lost": cmd.LoseDie(),
    "die found": cmd.FindDie(),
    "dead game": cmd.DeadGame(),
    "table closes": cmd.CloseTable(),
    "table opens": cmd.OpenTable(),
}
_SIZE = re.compile(r"([01]?)\.(\d{1,4})")
_SERIAL = re.compile(r"[\w-]{1,20}")


def read_crew_line(words: list[str], table: Table) -> cmd.AnyCommand | None:
    """A line of the crew's as a command; None: it is some other line.

    >>> from passline.house.files import house_for
    >>> from passline.table import open_table
    >>> read_crew_line("kim relieves the stickperson".split(), open_table(house_for("iowa")))
    Relieve(name='kim', post='stickperson', by='floorperson')
    """
    book = table.house.book
    lower = " ".join(words).lower()
    if lower in _BARE:
        return _BARE[lower]
    if lower.startswith("inspect dice"):
        return _inspected(words[2:], table)
    if lower.startswith("recall dice "):
        reason = " ".join(words[2:])
        return cmd.RecallDice(read_ground(reason, grounds.for_recall, book, "reason"))
    if lower.startswith("cancel dice "):
        return _cancelled(words[2:], table)
    if lower.endswith(" okays the dice"):
        return cmd.OkayDice(read_role(lower.removesuffix(" okays the dice")))
    confirms = re.fullmatch(r"(\S+) confirms (\S+) (\S+)", " ".join(words), re.IGNORECASE)
    if confirms is not None:
        name = next((s.id for s in table.seats if s.name == confirms[2]), "")
        if not name:
            raise RecordError(f"{confirms[2][:40]!r} is no player here")
        return cmd.Confirm(name, confirms[3].lower(), read_role(confirms[1]))
    player = table.find(words[0]) is not None or words[1:2] == ["joins"]
    if lower.startswith("limits ") and not player:
        return _limits(lower)
    relieved = re.fullmatch(r"(\S+) relieves the (.+)", " ".join(words), re.IGNORECASE)
    if relieved is None:
        return None
    word = relieved[2].lower()
    known = role_called(word)
    post = BASE_DEALER if known == "dealer" else known or word
    if post not in RELIEVED:
        raise RecordError(f"{word[:40]!r} is no post: expected one of {', '.join(RELIEVED)}")
    return cmd.Relieve(relieved[1], post)


def _limits(text: str) -> cmd.SetLimits:
    found = re.fullmatch(r"limits (?:([a-z][\w-]*) )?(\S+) to (\S+)", text)
    if found is None:
        raise RecordError("expected 'limits LOW to HIGH' or 'limits SLUG LOW to HIGH'")
    return cmd.SetLimits(read_amount(found[2]), read_amount(found[3]), found[1] or "")


def read_ground(word: str, kind: grounds.GroundsOf, book: Book, what: str) -> str:
    """A word of this book, or of any, for something of this kind."""
    said = word.lower()
    if said in grounds.known_grounds(kind, book):
        return said
    known = dict.fromkeys(grounds.known_grounds(kind, book))
    raise RecordError(f"{word[:40]!r} is no {what}: expected one of {', '.join(known)}")


def _by(words: list[str]) -> tuple[list[str], str]:
    """The words before ``by ROLE``, and the role."""
    lower = [word.lower() for word in words]
    if "by" not in lower:
        return words, ""
    at = lower.index("by")
    return words[:at], read_role(" ".join(words[at + 1 :]))


def _inspected(words: list[str], table: Table) -> cmd.InspectDice:
    """Measurements, ``serial`` and one number or each die's, ``flaw`` and what is wrong."""
    words, by = _by(words)
    found: dict[str, list[str]] = {"size": [], "serial": [], "flaw": []}
    part = "size"
    for word in words:
        if word.lower() in ("serial", "flaw") and part != "flaw":
            part = word.lower()
            continue
        found[part].append(word)
        part = "size" if part == "flaw" else part
    book = table.house.book
    return cmd.InspectDice(
        by=by or inspector_of(table),
        sizes=tuple(_size(word) for word in found["size"]),
        serials=tuple(serial_number(word) for word in found["serial"]),
        flaws=tuple(read_ground(word, grounds.for_flaw, book, "flaw") for word in found["flaw"]),
    )


def _size(word: str) -> int:
    found = _SIZE.fullmatch(word)
    if found is None or not word.isascii():
        raise RecordError(f"{word[:20]!r} is no measurement: expected inches, such as 0.7502")
    return int(found[1] or 0) * 10_000 + int(found[2].ljust(4, "0"))


def serial_number(word: str) -> str:
    """The number that a set goes by."""
    if _SERIAL.fullmatch(word):
        return word
    raise RecordError(f"{word[:30]!r} is no serial number: expected letters and digits")


def _cancelled(words: list[str], table: Table) -> cmd.CancelDice:
    words, by = _by(words)
    by = by or inspector_of(table)
    match [word.lower() for word in words]:
        case [_]:
            return cmd.CancelDice(serial_number(words[0]), by)
        case [_, "on", ("1" | "2" | "3" | "4" | "5" | "6") as face]:
            return cmd.CancelDice(serial_number(words[0]), by, int(face))
    raise RecordError("expected which set: 'cancel dice 4411' or 'cancel dice 4411 on 4'")


def crew_line_words(command: cmd.AnyCommand) -> str:
    """A line of the crew's in canonical words.

    >>> crew_line_words(cmd.InspectDice("supervisor", (7502, 7510), ("4411",), ("chipped",)))
    'inspect dice 0.7502 0.7510 serial 4411 flaw chipped by supervisor'
    """
    match command:
        case cmd.InspectDice():
            return " ".join(("inspect dice", *_inspection(command)))
        case cmd.RecallDice(reason):
            return f"recall dice {reason}"
        case cmd.CancelDice(serial, by, face):
            return f"cancel dice {serial}{f' on {face}' if face else ''} by {by}"
        case cmd.Confirm(player, wager, by):
            return f"{by} confirms {player} {wager}"
        case cmd.Relieve(name, post):
            return f"{name} relieves the {post}"
        case cmd.SetLimits(low, high, wager):
            of = f"{wager} " if wager else ""
            return f"limits {of}{money_words(low)} to {money_words(high)}"
        case cmd.OkayDice(by):
            return f"{by} okays the dice"
    for words, bare in _BARE.items():
        if type(command) is type(bare):  # whoever of the crew says it
            return words
    raise TypeError(f"{command!r} is not a line of the table")


def _inspection(ask: cmd.InspectDice) -> Iterator[str]:
    yield from map(inches, ask.sizes)
    if ask.serials:
        yield "serial"
        yield from ask.serials
    yield from (f"flaw {flaw}" for flaw in ask.flaws)
    yield f"by {ask.by}"
