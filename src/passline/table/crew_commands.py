"""What the crew does: the dice, the posts, the game. ``by`` says who of them."""

from __future__ import annotations

from datetime import datetime

from passline.table.player_commands import Command


class Confirm(Command, frozen=True, tag="confirm"):
    """One of the crew confirms a wager that was called with the dice in the air."""

    player: str
    wager: str
    by: str


class OrderPass(Command, frozen=True, tag="order-pass"):
    """An official has the shooter pass the dice."""

    by: str
    player: str
    reason: str


class NewDice(Command, frozen=True, tag="new-dice"):
    """Bring a new set of dice in; which one, where its serial number is told."""

    reason: str
    serial: str = ""
    by: str = "boxperson"


class SendDice(Command, frozen=True, tag="send-dice"):
    """The stick sends the dice out to the shooter."""

    by: str = "stickperson"


class DrawBack(Command, frozen=True, tag="draw-back"):
    """Dice that are out come back to the center: the shooter wants more wagers."""

    by: str = "stickperson"


class ReleaseDice(Command, frozen=True, tag="release-dice"):
    """The shooter lets the dice go: until they rest they are in the air."""

    by: str = "stickperson"


class InspectDice(Command, frozen=True, tag="inspect-dice"):
    """Look a set over. Without a serial number it is the set in play, or what came back to it.

    ``sizes``: each die by the micrometer, in ten-thousandths of an inch.
    """

    by: str
    sizes: tuple[int, ...] = ()
    serials: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()


class RecallDice(Command, frozen=True, tag="recall-dice"):
    """The dice are called in, to be inspected before they are thrown again."""

    reason: str
    by: str = "boxperson"


class CancelDice(Command, frozen=True, tag="cancel-dice"):
    """Cancel a set that came off the table, on one face of each die (0: the book's)."""

    serial: str
    by: str
    face: int = 0


class LoseDie(Command, frozen=True, tag="lose-die"):
    """A die that left the table is not found."""

    by: str = "stickperson"


class FindDie(Command, frozen=True, tag="find-die"):
    """A die that left the table is brought back to it."""

    by: str = "stickperson"


class Relieve(Command, frozen=True, tag="relieve"):
    """Somebody takes over a post: ``stickperson``, ``boxperson``, ``base dealer`` (or of an end:
    ``left base dealer``, ``right base dealer``)."""

    name: str
    post: str
    by: str = "floorperson"


class OkayDice(Command, frozen=True, tag="okay-dice"):
    """The boxperson who came in is ready: the dice may move."""

    by: str = "boxperson"


class DeadGame(Command, frozen=True, tag="dead-game"):
    """Nobody plays: the dice go into the bowl until somebody comes up."""

    by: str = "boxperson"


class CloseTable(Command, frozen=True, tag="close-table"):
    """The table is closed."""

    by: str = "floorperson"


class OpenTable(Command, frozen=True, tag="open-table"):
    """A closed table opens again."""

    by: str = "floorperson"


class SetLimits(Command, frozen=True, tag="set-limits"):
    """Other limits are posted, of the table or of one wager, in cents."""

    low: int
    high: int
    wager: str = ""
    by: str = "floorperson"


class Roll(Command, frozen=True, tag="roll"):
    """A throw that came to rest; ``tampered``: the dice then show signs of it."""

    first: int
    second: int
    tampered: bool = False
    by: str = "stickperson"


class CallNoRoll(Command, frozen=True, tag="call-no-roll"):
    """The throw was void, or is called no roll on a ground. Nobody calls one anonymously.

    ``side``: of a die that left the table, where it fell, ``outside`` or ``inside``; or ``both``
    did.
    """

    ground: str
    by: str
    side: str = ""

    def __post_init__(self) -> None:
        if not self.by:
            raise ValueError("somebody calls a no roll: by whom?")


class Rule(Command, frozen=True, tag="rule"):
    """An official rules on a disputed throw: its faces, or void (0 and 0)."""

    first: int
    second: int
    by: str


class Clock(Command, frozen=True, tag="clock"):
    """What time it is: ``2007-04-02 09:00``."""

    when: str
    by: str = "floorperson"

    def __post_init__(self) -> None:
        datetime.fromisoformat(self.when)


class Warn(Command, frozen=True, tag="warn"):
    """An official warns a shooter, so that the next such throw may be called no roll."""

    by: str
    player: str
    ground: str


class PermitColour(Command, frozen=True, tag="permit-colour"):
    """An official lets a colour change that was called come in."""

    by: str
    player: str


#: The set of dice, who has a post, and a table that waits.
SetCommand = (
    NewDice
    | InspectDice
    | RecallDice
    | CancelDice
    | LoseDie
    | FindDie
    | Relieve
    | OkayDice
    | DeadGame
    | CloseTable
    | OpenTable
    | SetLimits
)
#: What the crew does about a throw, and the time.
ThrowCommand = OrderPass | SendDice | DrawBack | ReleaseDice | CallNoRoll | Warn | Rule | Clock
#: Every one of them.
CrewCommand = Confirm | PermitColour | Roll | ThrowCommand | SetCommand
