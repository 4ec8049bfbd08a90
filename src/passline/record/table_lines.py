"""Read and write the lines of a record that no player says.

They are about throws, dice, the crew's posts, and players who come and go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from msgspec import structs

from passline.game.law import no_roll_and_dice_grounds as grounds
from passline.game.law.book import Book
from passline.game.law.roles import BASE_DEALER, RELIEF_TITLES, find_role
from passline.game.table import commands as cmd
from passline.game.table.dice_set import default_inspector, default_no_roll_caller
from passline.game.table.state import Table
from passline.game.table.throws import OFF_TABLE
from passline.game.words.refusals import format_inches, format_sentence, name_ground
from passline.record.read import check_player_name
from passline.talk.canonical import format_amount, read_amount, read_role
from passline.talk.errors import RecordError
from passline.text import join_name, join_names_in

#: The line of each command, in the notation of ``words.refusals.format_sentence``.
_LINES: dict[Callable[..., cmd.AnyCommand], str] = {
    cmd.Roll: "roll {first} {second}{tampered: tampered|}",
    cmd.CallNoRoll: "no roll {ground}{side: {side}|} by {by}",
    cmd.Rule: "ruling {first:{first} {second}|void} by {by}",
    cmd.CorrectThrow: "throw was {first} {second}{tampered: tampered|} by {by}",
    cmd.Warn: "{by} warns {player} for {ground}",
    cmd.OrderPass: "{by} orders {player} to pass for {reason}",
    cmd.PermitColorUp: "{by} permits {player} to colour up",
    cmd.Confirm: "{by} confirms {player} {wager}",
    cmd.Clock: "clock {when}",
    # The dice, the posts and the table
    cmd.NewDice: "new dice {reason}{serial: serial {serial}|}",
    cmd.InspectDice: "inspect dice{parts} by {by}",
    cmd.RecallDice: "recall dice {reason}",
    cmd.CancelDice: "cancel dice {serial}{face: on {face}|} by {by}",
    cmd.SendDice: "dice out",
    cmd.DrawBack: "dice back",
    cmd.ReleaseDice: "dice in the air",
    cmd.LoseDie: "die lost",
    cmd.FindDie: "die found",
    cmd.Relieve: "{name} relieves the {post}",
    cmd.OkayDice: "{by} okays the dice",
    cmd.DeadGame: "dead game",
    cmd.CloseTable: "table closes",
    cmd.OpenTable: "table opens",
    cmd.SetLimits: "limits {wager:{wager} |}{low} to {high}",
    # Players
    cmd.Join: "{player} joins for {amount}{place: at {place}|}",
    cmd.BuyIn: "{player} buys in {amount}",
    cmd.ChangeCheques: "{player} changes {amount} to {colour}",
    cmd.TakeDice: "{player} takes the dice",
    cmd.DeclineDice: "{player} declines the dice",
    cmd.PassDice: "{player} passes the dice",
    cmd.SameDice: "{player} asks for the same dice",
    cmd.AskDice: "{player} asks for new dice",
    cmd.AskColorUp: "{player} asks to colour up",
    cmd.ColorUp: "{player} colours up",
    cmd.Leave: "{player} leaves",
    cmd.Stand: "{player} stands",
    cmd.Sit: "{player} sits",
    cmd.ReturnBets: "{player} gets all bets back",
}
_FIXED_LINES = {line: kind for kind, line in _LINES.items() if "{" not in line}
_PLAYER_LINES: dict[str, Callable[..., cmd.AnyCommand]] = {
    "asks to color up": cmd.AskColorUp,
    "colors up": cmd.ColorUp,
    **{
        line.removeprefix("{player} "): kind
        for kind, line in _LINES.items()
        if line.startswith("{player} ") and line.count("{") == 1
    },
}
#: Fields that hold an amount of money.
_AMOUNTS = ("amount", "low", "high")
_SIZE = re.compile(r"([01]?)\.(\d{1,4})")
_SERIAL = re.compile(r"[\w-]{1,20}")


def read_crew_line(words: list[str], table: Table) -> cmd.AnyCommand | None:
    """Return the command of a line about the dice, the crew or the limits, or None for other lines.

    Raise RecordError for such a line that can't be read.

    >>> from passline.game.house.load import house_for
    >>> from passline.game.table.open_close import open_table
    >>> read_crew_line("kim relieves the stickperson".split(), open_table(house_for("iowa")))
    Relieve(name='kim', post='stickperson', by='floorperson')
    """
    book = table.house.book
    lower = " ".join(words).lower()
    if lower in _FIXED_LINES:
        return _FIXED_LINES[lower]()
    if lower.startswith("inspect dice"):
        return _read_inspection(words[2:], table)
    if lower.startswith("recall dice "):
        reason = " ".join(words[2:])
        return cmd.RecallDice(read_ground(reason, grounds.recall_grounds, book, "reason"))
    if lower.startswith("cancel dice "):
        return _read_cancellation(words[2:], table)
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
        return _read_limits(lower)
    relieved = re.fullmatch(r"(\S+) relieves the (.+)", " ".join(words), re.IGNORECASE)
    if relieved is None:
        return None
    word = relieved[2].lower()
    known = find_role(word)
    post = BASE_DEALER if known == "dealer" else known or word
    if post not in RELIEF_TITLES:
        raise RecordError(f"{word[:40]!r} is no post: expected one of {', '.join(RELIEF_TITLES)}")
    return cmd.Relieve(relieved[1], post)


def _read_limits(text: str) -> cmd.SetLimits:
    found = re.fullmatch(r"limits (?:([a-z][\w-]*) )?(\S+) to (\S+)", text)
    if found is None:
        raise RecordError("expected 'limits LOW to HIGH' or 'limits WAGER LOW to HIGH'")
    return cmd.SetLimits(read_amount(found[2]), read_amount(found[3]), found[1] or "")


def read_ground(word: str, kind: grounds.GroundsSelector, book: Book, what: str) -> str:
    """Return the standard name of the reason (for a no roll, an inspection, ...) that a word names.

    ``kind`` selects the reasons of one kind in a book, and ``what`` names that kind in the error.
    Raise RecordError if neither ``book`` nor a shipped rulebook has the reason.
    """
    said = word.lower().replace(" ", "-")
    if said in grounds.iter_ground_names(kind, book):
        return said
    known = dict.fromkeys(grounds.iter_ground_names(kind, book))
    # A flaw is one word of its line, so its parts stay joined.
    names = known if kind is grounds.flaw_grounds else map(name_ground, known)
    raise RecordError(f"{word[:40]!r} is no {what}: expected one of {', '.join(names)}")


def _split_role(words: list[str]) -> tuple[list[str], str]:
    """Return (words before ``by ROLE``, role); the role is "" if there is none."""
    lower = [word.lower() for word in words]
    if "by" not in lower:
        return words, ""
    at = lower.index("by")
    return words[:at], read_role(" ".join(words[at + 1 :]))


def _read_inspection(words: list[str], table: Table) -> cmd.InspectDice:
    """Return the inspection of dice in these words: measurements, serial numbers, flaws.

    Raise RecordError if one of them can't be read. Without ``by ROLE``, the rulebook's usual
    inspector does it.
    """
    words, by = _split_role(words)
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
        by=by or default_inspector(table),
        sizes=tuple(_read_size(word) for word in found["size"]),
        serials=tuple(read_serial_number(word) for word in found["serial"]),
        flaws=tuple(
            read_ground(word, grounds.flaw_grounds, book, "flaw") for word in found["flaw"]
        ),
    )


def _read_size(word: str) -> int:
    found = _SIZE.fullmatch(word)
    if found is None or not word.isascii():
        raise RecordError(f"{word[:20]!r} is no measurement: expected inches, such as 0.7502")
    return int(found[1] or 0) * 10_000 + int(found[2].ljust(4, "0"))


def read_serial_number(word: str) -> str:
    """Return the serial number of a set of dice. Raise RecordError if the word is not one."""
    if _SERIAL.fullmatch(word):
        return word
    raise RecordError(f"{word[:30]!r} is no serial number: expected letters and digits")


def _read_cancellation(words: list[str], table: Table) -> cmd.CancelDice:
    words, by = _split_role(words)
    by = by or default_inspector(table)
    match [word.lower() for word in words]:
        case [_]:
            return cmd.CancelDice(read_serial_number(words[0]), by)
        case [_, "on", ("1" | "2" | "3" | "4" | "5" | "6") as face]:
            return cmd.CancelDice(read_serial_number(words[0]), by, int(face))
    raise RecordError("expected which set: 'cancel dice 4411' or 'cancel dice 4411 on 4'")


#: Synonyms for the names of reasons.
_GROUND_SYNONYMS = {
    "not-simultaneous": "not-together",
    "judgement": "improper",
    "in-bowl": "in-cup",
    "leaning-uncertain": "leaning",
    "multi-side-rest": "leaning-two-sides",
    "one down": OFF_TABLE,
    "one-down": OFF_TABLE,
    "misses the wall": "misses-wall",
    "missing the wall": "misses-wall",
    "chip-contact": "touched-chips",
    "contact-chips": "touched-chips",
    "contact-coupons": "touched-coupons",
}
#: Where a die that left the table fell: on the players' side or on the crew's; or both dice left.
SIDES = ("outside", "inside", "both")

#: The most players that an error message about an unknown player lists.
_MOST_PLAYERS_LISTED = 24
_EXPECTED_LINES = (
    "expected 'NAME: say; say', 'roll A B', 'no roll GROUND by ROLE', 'throw was A B by ROLE', "
    "'NAME takes the dice', "
    "'NAME joins for AMOUNT', 'NAME buys in AMOUNT' or another line of a record"
)


_JOINS = re.compile(r"\s*(.+?) (?:joins for|relieves the) ", re.IGNORECASE)


def read_table_line(text: str, table: Table, speaker: str = "") -> cmd.AnyCommand:
    """Return the command of a line that no player says. Raise RecordError if it can't be read.

    A reason (such as one for a no roll) may be any that a rulebook names. A ruling that names no
    role is the ``speaker``'s, if there is one.
    """
    book = table.house.book
    joins = _JOINS.match(text)
    words = join_names_in(text, [*table.names, *([join_name(joins[1])] if joins else [])]).split()
    head = words[0].lower()
    lower = " ".join(words).lower()
    if head == "roll":
        return _read_roll(words[1:])
    if lower.startswith("no roll "):
        return _read_no_roll(table, lower.removeprefix("no roll").strip())
    if head == "ruling":
        return _read_ruling(lower.removeprefix("ruling").strip(), speaker)
    if lower.startswith("throw was") and table.find(words[0]) is None:
        return _read_correction(words[2:])
    if lower.startswith("new dice "):
        reason, kind = lower.removeprefix("new dice").strip(), grounds.new_dice_grounds
        if len(words) > 4 and words[-2].lower() == "serial":
            reason, serial = " ".join(words[2:-2]), read_serial_number(words[-1])
            return cmd.NewDice(read_ground(reason, kind, book, "reason"), serial)
        return cmd.NewDice(read_ground(reason, kind, book, "reason"))
    if head == "clock":
        return _read_clock(" ".join(words[1:]))
    ordered = re.fullmatch(r"(\S+) orders (\S+) to pass for (.+)", " ".join(words), re.IGNORECASE)
    if ordered is not None:
        player = _find_player(ordered[2], table)
        reason = read_ground(ordered[3], grounds.pass_grounds, book, "reason")
        return cmd.OrderPass(read_role(ordered[1]), player, reason)
    found = _read_official_line(words, table) or read_crew_line(words, table)
    return found if found is not None else _read_player_line(words, table)


def _read_official_line(words: list[str], table: Table) -> cmd.AnyCommand | None:
    """Return the command of a line by which an official permits or warns; None for other lines."""
    text = " ".join(words)
    leave = re.fullmatch(r"(\S+) permits (\S+) to colou?r up", text, re.IGNORECASE)
    if leave is not None:
        return cmd.PermitColorUp(read_role(leave[1]), _find_player(leave[2], table))
    warns = re.fullmatch(r"(\S+) warns (\S+)(?: for (.+))?", text, re.IGNORECASE)
    if warns is not None:
        book = table.house.book
        said = warns[3] or next(grounds.iter_ground_names(grounds.warning_grounds, book), "")
        return cmd.Warn(
            read_role(warns[1]), _find_player(warns[2], table), _read_no_roll_ground(said, book)
        )
    return None


def _read_player_line(words: list[str], table: Table) -> cmd.AnyCommand:
    rest = " ".join(words[1:]).lower()
    joins = re.fullmatch(r"joins for (\S+)(?: at (?:place )?(0*[1-9]\d{0,3}))?", rest)
    if joins is not None:
        return cmd.Join(check_player_name(words[0]), read_amount(joins[1]), int(joins[2] or 0))
    if rest in _PLAYER_LINES:
        return _PLAYER_LINES[rest](_find_player(words[0], table))
    if rest.startswith("buys in"):
        return cmd.BuyIn(
            _find_player(words[0], table), read_amount(rest.removeprefix("buys in").strip())
        )
    changes = re.fullmatch(r"changes (\S+) (?:to|into|for) (\S+)", rest)
    if changes is not None:
        return cmd.ChangeCheques(_find_player(words[0], table), read_amount(changes[1]), changes[2])
    raise RecordError(f"{' '.join(words)[:60]!r} is not understood: {_EXPECTED_LINES}")


def _find_player(name: str, table: Table) -> str:
    if table.find(name) is not None:
        return name
    raise RecordError(
        f"{name[:40]!r} is no player here: {', '.join(table.names[:_MOST_PLAYERS_LISTED])}"
    )


def _read_face(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) == 1 and 1 <= int(word) <= 6:
        return int(word)
    raise RecordError(f"a die shows 1 to 6, not {word[:20]!r}: expected a line like 'roll 3 4'")


def _read_roll(words: list[str]) -> cmd.Roll:
    tampered = len(words) == 3 and words[2].lower() == "tampered"
    if len(words) != 2 and not tampered:
        raise RecordError("expected two dice: a line like 'roll 3 4'")
    return cmd.Roll(_read_face(words[0]), _read_face(words[1]), tampered)


def _read_no_roll(table: Table, rest: str) -> cmd.CallNoRoll:
    """Return the no-roll call in these words: the reason, where a die fell, and who called it.

    Raise RecordError if they make no sense.
    """
    words, by, who = rest.partition(" by ")
    side = next((side for side in SIDES if words.endswith(f" {side}")), "")
    ground = _read_no_roll_ground(words.removesuffix(side).rstrip(" ,"), table.house.book)
    if side and ground != OFF_TABLE:
        raise RecordError(f"only dice that left the table have a side: 'no roll off-table {side}'")
    return cmd.CallNoRoll(
        ground, read_role(who) if by else default_no_roll_caller(table, ground), side
    )


def _read_no_roll_ground(words: str, book: Book) -> str:
    said = words.strip().lower()
    return read_ground(_GROUND_SYNONYMS.get(said, said), grounds.no_roll_grounds, book, "ground")


def _read_ruling(rest: str, speaker: str) -> cmd.Rule:
    faces, _, who = rest.partition(" by ")
    who = who or speaker
    if not who:
        raise RecordError("expected who ruled: 'ruling 3 4 by boxperson' or 'ruling void by ...'")
    if faces.strip() == "void":
        return cmd.Rule(0, 0, read_role(who))
    words = faces.split()
    if len(words) != 2:
        raise RecordError("expected two dice or void: 'ruling 3 4 by boxperson'")
    return cmd.Rule(_read_face(words[0]), _read_face(words[1]), read_role(who))


def _read_correction(words: list[str]) -> cmd.CorrectThrow:
    faces, by = _split_role(words)
    tampered = len(faces) == 3 and faces[2].lower() == "tampered"
    if len(faces) != 2 and not tampered:
        raise RecordError("expected two dice and who corrects: 'throw was 3 4 by boxperson'")
    first, second = _read_face(faces[0]), _read_face(faces[1])
    return cmd.CorrectThrow(first, second, by or "boxperson", tampered)


def _read_clock(text: str) -> cmd.Clock:
    try:
        when = datetime.strptime(text, "%Y-%m-%d %H:%M")
    except ValueError:
        raise RecordError(f"{text!r} is no time: expected 'clock 2007-04-02 09:00'") from None
    return cmd.Clock(when.isoformat(" ", "minutes"))


def write_table_line(command: cmd.AnyCommand) -> str:
    """Return a command that no player says as a line of a record. Raise TypeError for others.

    >>> write_table_line(cmd.CallNoRoll("off-table", "stickperson"))
    'no roll off-table by stickperson'
    >>> write_table_line(cmd.InspectDice("supervisor", (7502, 7510), ("4411",), ("chipped",)))
    'inspect dice 0.7502 0.7510 serial 4411 flaw chipped by supervisor'
    """
    if type(command) not in _LINES:
        raise TypeError(f"{command!r} is not a line of the table")
    values = structs.asdict(command)
    values |= {key: format_amount(values[key]) for key in _AMOUNTS if key in values}
    if isinstance(command, cmd.InspectDice):
        serials = ("serial", *command.serials) if command.serials else ()
        flaws = (f"flaw {flaw}" for flaw in command.flaws)
        parts = (*map(format_inches, command.sizes), *serials, *flaws)
        values["parts"] = "".join(f" {part}" for part in parts)
    return format_sentence(_LINES[type(command)], values)
