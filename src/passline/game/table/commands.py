"""What players may ask for.

Every command says who acts (``by``): ``player`` for a seat's own words, or the member of the crew
who books them. Tags are written out and never change: logs of old are read by them. Amounts are
whole cents.

What the crew does: the dice, the posts, the game. ``by`` says who of them.

Every command of a table, under one name. Each is answered with events or a refusal.
"""

from __future__ import annotations

from datetime import datetime

import msgspec

__all__ = [
    "AnyCommand",
    "AskColorUp",
    "AskDice",
    "Bet",
    "BuyIn",
    "Call",
    "CallNoRoll",
    "CancelDice",
    "Change",
    "ChangeCheques",
    "Clock",
    "CloseTable",
    "ColorUp",
    "Command",
    "Confirm",
    "CrewCommand",
    "DeadGame",
    "DeclineDice",
    "DiceCommand",
    "DiceSetCommand",
    "DrawBack",
    "FindDie",
    "InspectDice",
    "Join",
    "Leave",
    "LoseDie",
    "NewDice",
    "OkayDice",
    "OpenTable",
    "OrderPass",
    "PassDice",
    "PermitColorUp",
    "PlayerCommand",
    "RecallDice",
    "ReleaseDice",
    "Relieve",
    "Roll",
    "Rule",
    "SameDice",
    "SendDice",
    "SetLimits",
    "Sit",
    "Stand",
    "TakeAllDown",
    "TakeDice",
    "TakeDown",
    "Toke",
    "TokeBet",
    "Undo",
    "Warn",
]


class Command(msgspec.Struct, frozen=True, tag_field="command"):
    """Something asked of the table."""


class PlayerCommandBase(Command, frozen=True, kw_only=True):
    """Something that a player asks, or that the crew books for one."""

    by: str = "player"


def _check_positive(cents: int) -> None:
    if cents <= 0:
        raise ValueError(f"an amount is above zero, not {cents} cents")


class Bet(PlayerCommandBase, frozen=True, tag="bet"):
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
        _check_positive(self.amount)
        if self.match < 0:
            raise ValueError("a coupon's face is never negative")


class Change(PlayerCommandBase, frozen=True, tag="change"):
    """Raise or reduce a wager to an amount."""

    player: str
    wager: str
    to: int

    def __post_init__(self) -> None:
        _check_positive(self.to)


class TakeDown(PlayerCommandBase, frozen=True, tag="take-down"):
    """Take a wager down."""

    player: str
    wager: str


class TakeAllDown(PlayerCommandBase, frozen=True, tag="take-all-down"):
    """Take down everything that may come down."""

    player: str


class Call(PlayerCommandBase, frozen=True, tag="call"):
    """Call a wager on or off; an empty wager means every one that may be called."""

    player: str
    wager: str
    on: bool


class Undo(PlayerCommandBase, frozen=True, tag="undo"):
    """Take back what the player last said of his wagers since the last throw."""

    player: str


class Toke(PlayerCommandBase, frozen=True, tag="toke"):
    """A tip for the dealers, no wager named."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class TokeBet(PlayerCommandBase, frozen=True, tag="toke-bet"):
    """A tip for the dealers as a wager of theirs: the player's chips, the dealers' win."""

    player: str
    wager: str
    amount: int

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class BuyIn(PlayerCommandBase, frozen=True, tag="buy-in"):
    """Cash for chips."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class ColorUp(PlayerCommandBase, frozen=True, tag="colour-up"):
    """Change small chips for large ones."""

    player: str


class AskColorUp(PlayerCommandBase, frozen=True, tag="ask-colour"):
    """Have that called, and wait for leave."""

    player: str


class ChangeCheques(PlayerCommandBase, frozen=True, tag="change-cheques"):
    """Have so much of the rail changed into chips of one colour."""

    player: str
    amount: int
    colour: str

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class Join(PlayerCommandBase, frozen=True, tag="join"):
    """Come up to the table in mid-game: cash for chips, and a place (0: the lowest free)."""

    player: str
    amount: int
    place: int = 0

    def __post_init__(self) -> None:
        _check_positive(self.amount)
        if self.place < 0:
            raise ValueError("places count from 1")


class Leave(PlayerCommandBase, frozen=True, tag="leave"):
    """Leave the table: what may come down comes down, the rest plays on."""

    player: str


class Stand(PlayerCommandBase, frozen=True, tag="stand"):
    """Get up from a seat."""

    player: str


class Sit(PlayerCommandBase, frozen=True, tag="sit"):
    """Take a seat again."""

    player: str


class TakeDice(PlayerCommandBase, frozen=True, tag="take-dice"):
    """Accept the dice."""

    player: str


class DeclineDice(PlayerCommandBase, frozen=True, tag="decline-dice"):
    """Let the dice go by."""

    player: str


class PassDice(PlayerCommandBase, frozen=True, tag="pass-dice"):
    """Give the dice up."""

    player: str


class SameDice(PlayerCommandBase, frozen=True, tag="same-dice"):
    """Ask for the same dice after one left the table."""

    player: str


class AskDice(PlayerCommandBase, frozen=True, tag="ask-dice"):
    """Ask for other dice."""

    player: str


#: What a player asks of the dice.
ShooterCommand = TakeDice | DeclineDice | PassDice | SameDice | AskDice
#: Every one of them.
PlayerCommand = (
    Bet
    | Change
    | TakeDown
    | TakeAllDown
    | Call
    | Undo
    | Toke
    | TokeBet
    | BuyIn
    | ColorUp
    | AskColorUp
    | ChangeCheques
    | Join
    | Leave
    | Stand
    | Sit
    | ShooterCommand
)


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


class PermitColorUp(Command, frozen=True, tag="permit-colour"):
    """An official lets a colour change that was called come in."""

    by: str
    player: str


#: The set of dice, who has a post, and a table that waits.
DiceSetCommand = (
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
CrewCommand = Confirm | PermitColorUp | Roll | ThrowCommand | DiceSetCommand


#: Every command there is.
AnyCommand = PlayerCommand | CrewCommand
#: What moves the dice, and what is done with the set between throws.
DiceCommand = ShooterCommand | ThrowCommand | DiceSetCommand
