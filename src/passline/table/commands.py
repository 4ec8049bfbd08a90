"""What people at the table may ask for. Every command is answered with events or a refusal.

Amounts are whole cents.
"""

from __future__ import annotations

from datetime import datetime

import msgspec


class Command(msgspec.Struct, frozen=True, tag_field="command", tag=True):
    """Something asked of the table."""


def _positive(cents: int) -> None:
    if cents <= 0:
        raise ValueError(f"an amount is above zero, not {cents} cents")


class Bet(Command, frozen=True):
    """Make a wager, or add to one; how it was tendered, and when."""

    player: str
    wager: str
    amount: int
    match: int = 0
    in_air: bool = False
    confirmed: tuple[str, ...] = ()
    cash: bool = False
    on_call: bool = False
    dice_out: bool = False
    no_bet: bool = False
    unnoticed: bool = False

    def __post_init__(self) -> None:
        _positive(self.amount)
        if self.match < 0:
            raise ValueError("a coupon's face is never negative")


class Change(Command, frozen=True):
    """Raise or reduce a wager to an amount."""

    player: str
    wager: str
    to: int

    def __post_init__(self) -> None:
        _positive(self.to)


class TakeDown(Command, frozen=True):
    """Take a wager down."""

    player: str
    wager: str


class TakeAllDown(Command, frozen=True):
    """Take down everything that may come down."""

    player: str


class Call(Command, frozen=True):
    """Call a wager on or off; an empty wager means every one that may be called."""

    player: str
    wager: str
    on: bool


class Toke(Command, frozen=True):
    """A tip for the dealers, no wager named."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class TokeBet(Command, frozen=True):
    """A tip for the dealers as a wager of theirs: the player's chips, the dealers' win."""

    player: str
    wager: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class BuyIn(Command, frozen=True):
    """Cash for chips."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class ColourUp(Command, frozen=True):
    """Change small chips for large ones."""

    player: str


class ChangeCheques(Command, frozen=True):
    """Have so much of the rail changed into chips of one colour."""

    player: str
    amount: int
    colour: str

    def __post_init__(self) -> None:
        _positive(self.amount)


class Leave(Command, frozen=True):
    """Leave the table: what may come down comes down, the rest plays on."""

    player: str


class Stand(Command, frozen=True):
    """Get up from a seat."""

    player: str


class Sit(Command, frozen=True):
    """Take a seat again."""

    player: str


class TakeDice(Command, frozen=True):
    """Accept the dice."""

    player: str


class DeclineDice(Command, frozen=True):
    """Let the dice go by."""

    player: str


class PassDice(Command, frozen=True):
    """Give the dice up."""

    player: str


class OrderPass(Command, frozen=True):
    """An official has the shooter pass the dice."""

    by: str
    player: str
    reason: str


class SameDice(Command, frozen=True):
    """Ask for the same dice after one left the table."""

    player: str


class AskDice(Command, frozen=True):
    """Ask for other dice."""

    player: str


class NewDice(Command, frozen=True):
    """Bring a new set of dice in; which one, where its serial number is told."""

    reason: str
    serial: str = ""


class SendDice(Command, frozen=True):
    """The stick sends the dice out to the shooter."""


class DrawBack(Command, frozen=True):
    """Dice that are out come back to the center: the shooter wants more wagers."""


class InspectDice(Command, frozen=True):
    """Look a set over. Without a serial number it is the set in play, or what came back to it.

    ``sizes``: each die by the micrometer, in ten-thousandths of an inch. ``by``: who inspects, if
    not whoever the book has do it.
    """

    sizes: tuple[int, ...] = ()
    serials: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()
    by: str = ""


class RecallDice(Command, frozen=True):
    """The dice are called in, to be inspected before they are thrown again."""

    reason: str


class CancelDice(Command, frozen=True):
    """Cancel a set that came off the table, on one face of each die (0: the book's)."""

    serial: str
    face: int = 0
    by: str = ""


class LoseDie(Command, frozen=True):
    """A die that left the table is not found."""


class FindDie(Command, frozen=True):
    """A die that left the table is brought back to it."""


class Relieve(Command, frozen=True):
    """Somebody takes over a post: ``stickperson``, ``boxperson``, ``base dealer`` (or of an end:
    ``left base dealer``, ``right base dealer``)."""

    name: str
    post: str


class OkayDice(Command, frozen=True):
    """The boxperson who came in is ready: the dice may move."""

    by: str = "boxperson"


class DeadGame(Command, frozen=True):
    """Nobody plays: the dice go into the bowl until somebody comes up."""


class CloseTable(Command, frozen=True):
    """The table is closed."""


class OpenTable(Command, frozen=True):
    """A closed table opens again."""


class Roll(Command, frozen=True):
    """A throw that came to rest; ``tampered``: the dice then show signs of it."""

    first: int
    second: int
    tampered: bool = False


class CallNoRoll(Command, frozen=True):
    """The throw was void, or is called no roll on a ground; ``side``: where a die fell."""

    ground: str
    by: str = ""
    side: str = ""


class Rule(Command, frozen=True):
    """An official rules on a disputed throw: its faces, or void (0 and 0)."""

    first: int
    second: int
    by: str


class Clock(Command, frozen=True):
    """What time it is: ``2007-04-02 09:00``."""

    when: str

    def __post_init__(self) -> None:
        datetime.fromisoformat(self.when)


class Warn(Command, frozen=True):
    """An official warns a shooter, so that the next such throw may be called no roll."""

    by: str
    player: str
    ground: str


class AskColour(Command, frozen=True):
    """A player wants small chips changed for large ones: it is called, and waits for leave."""

    player: str


class PermitColour(Command, frozen=True):
    """An official lets a colour change that was called come in."""

    by: str
    player: str
