"""The commands: every request that players and crew may make to a table.

``decide`` answers each with events or a refusal. ``by`` is the role that acts: ``player``, or a
member of the crew. Amounts are whole cents. The tags are stored in logs and never change.
"""

from __future__ import annotations

from datetime import datetime

import msgspec


class Command(msgspec.Struct, frozen=True, tag_field="command"):
    """The base class of all requests to the table."""


class _ActorCommand(Command, frozen=True, kw_only=True):
    by: str = "player"


class PlayerCommand(_ActorCommand, frozen=True):
    """The base class of requests by a player, or by the crew for a player."""

    player: str


def _check_positive(cents: int) -> None:
    if cents <= 0:
        raise ValueError(f"an amount is above zero, not {cents} cents")


class MoneyCommand(PlayerCommand, frozen=True):
    """The base class of requests about an amount of money in cents, which must be above zero."""

    amount: int

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class WagerCommand(PlayerCommand, frozen=True):
    """The base class of requests about one wager, by its slug."""

    wager: str


class BetCommand(WagerCommand, frozen=True):
    """The base class of requests to make a wager of an amount, which must be above zero."""

    amount: int

    def __post_init__(self) -> None:
        _check_positive(self.amount)


class Bet(BetCommand, frozen=True, tag="bet"):
    """Make a wager, or add to one. The further fields say how the player offered it.

    ``match`` is the face of a match play coupon in cents. ``cash``, ``on_call`` (neither chips nor
    cash on the table), ``dice_out`` and ``in_air`` say how and when the bet was called, and
    ``confirmed`` which crew members confirmed it. ``no_bet`` means that the dealer refused it
    aloud, and ``unnoticed`` that the crew missed that it breaks a limit.
    """

    match: int = 0
    in_air: bool = False
    confirmed: tuple[str, ...] = ()
    cash: bool = False
    on_call: bool = False
    dice_out: bool = False
    no_bet: bool = False
    unnoticed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.match < 0:
            raise ValueError("a coupon's face is never negative")


class Change(WagerCommand, frozen=True, tag="change"):
    """Raise or reduce a wager so that its new total is ``to`` cents."""

    to: int

    def __post_init__(self) -> None:
        _check_positive(self.to)


class TakeDown(WagerCommand, frozen=True, tag="take-down"):
    """Take a wager down."""


class TakeAllDown(PlayerCommand, frozen=True, tag="take-all-down"):
    """Take down every wager that may come down."""


class Call(WagerCommand, frozen=True, tag="call"):
    """Call a wager on or off; an empty ``wager`` means every wager that may be called."""

    on: bool


class Undo(PlayerCommand, frozen=True, tag="undo"):
    """Take back the player's last command about wagers since the last throw."""


class Toke(MoneyCommand, frozen=True, tag="toke"):
    """Tip the dealers, with no wager."""


class TokeBet(BetCommand, frozen=True, tag="toke-bet"):
    """Make a wager for the dealers: the player pays the chips, and the dealers get the winnings."""


class BuyIn(MoneyCommand, frozen=True, tag="buy-in"):
    """Exchange cash for chips."""


class ColorUp(PlayerCommand, frozen=True, tag="colour-up"):
    """Exchange small chips for large ones."""


class AskColorUp(PlayerCommand, frozen=True, tag="ask-colour"):
    """Ask for permission to color up. The chips then wait until an official gives it."""


class ChangeCheques(MoneyCommand, frozen=True, tag="change-cheques"):
    """Exchange some chips of the rail for chips of one color."""

    colour: str


class Join(MoneyCommand, frozen=True, tag="join"):
    """Join the game with a buy-in, at a seat position; 0 means the lowest free one."""

    place: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.place < 0:
            raise ValueError("places count from 1")


class Leave(PlayerCommand, frozen=True, tag="leave"):
    """Leave the table. Wagers that may come down do so; the others stay in play."""


class Stand(PlayerCommand, frozen=True, tag="stand"):
    """Get up from a seat."""


class Sit(PlayerCommand, frozen=True, tag="sit"):
    """Take a seat again."""


class ReturnBets(PlayerCommand, frozen=True, tag="return-bets"):
    """Give a player all bets back because the game ends, even bets that may not come down."""


class TakeDice(PlayerCommand, frozen=True, tag="take-dice"):
    """Accept the dice."""


class DeclineDice(PlayerCommand, frozen=True, tag="decline-dice"):
    """Decline the dice."""


class PassDice(PlayerCommand, frozen=True, tag="pass-dice"):
    """Give the dice up, as the shooter."""


class SameDice(PlayerCommand, frozen=True, tag="same-dice"):
    """Ask to throw the same dice again after a die left the table."""


class AskDice(PlayerCommand, frozen=True, tag="ask-dice"):
    """Ask, as the shooter, for other dice."""


class Confirm(Command, frozen=True, tag="confirm"):
    """Confirm, as a member of the crew, a wager called with the dice in the air."""

    player: str
    wager: str
    by: str


class OrderPass(Command, frozen=True, tag="order-pass"):
    """Make the shooter ``player`` pass the dice, as an official, for one of the book's reasons."""

    by: str
    player: str
    reason: str


class NewDice(Command, frozen=True, tag="new-dice"):
    """Bring in a new set of dice, with its serial number if there is one."""

    reason: str
    serial: str = ""
    by: str = "boxperson"


class SendDice(Command, frozen=True, tag="send-dice"):
    """Send the dice to the shooter."""

    by: str = "stickperson"


class DrawBack(Command, frozen=True, tag="draw-back"):
    """Draw the dice back to the center before they are thrown."""

    by: str = "stickperson"


class ReleaseDice(Command, frozen=True, tag="release-dice"):
    """Report that the shooter let go of the dice: they are in the air until they come to rest."""

    by: str = "stickperson"


class InspectDice(Command, frozen=True, tag="inspect-dice"):
    """Report the inspection of a set of dice: its ``sizes``, ``serials`` and ``flaws``.

    ``sizes`` has each die's measurement in ten-thousandths of an inch. The first of ``serials``
    says which set it is; without any, it is the set in play.
    """

    by: str
    sizes: tuple[int, ...] = ()
    serials: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()


class RecallDice(Command, frozen=True, tag="recall-dice"):
    """Call the dice in for an inspection before the next throw."""

    reason: str
    by: str = "boxperson"


class CancelDice(Command, frozen=True, tag="cancel-dice"):
    """Cancel a used set of dice by marking a face of each die.

    A face of 0 means the one that the book names.
    """

    serial: str
    by: str
    face: int = 0


class LoseDie(Command, frozen=True, tag="lose-die"):
    """Report that a die which left the table is not found."""

    by: str = "stickperson"


class FindDie(Command, frozen=True, tag="find-die"):
    """Report that a die which left the table is back."""

    by: str = "stickperson"


class Relieve(Command, frozen=True, tag="relieve"):
    """Let the person called ``name`` take over a post, one of ``roles.RELIEF_TITLES``."""

    name: str
    post: str
    by: str = "floorperson"


class OkayDice(Command, frozen=True, tag="okay-dice"):
    """Allow the dice to move again after a new boxperson took over."""

    by: str = "boxperson"


class DeadGame(Command, frozen=True, tag="dead-game"):
    """Declare the game dead: nobody plays, and the dice go into the bowl."""

    by: str = "boxperson"


class CloseTable(Command, frozen=True, tag="close-table"):
    """Close the table."""

    by: str = "floorperson"


class OpenTable(Command, frozen=True, tag="open-table"):
    """Open a closed table again."""

    by: str = "floorperson"


class SetLimits(Command, frozen=True, tag="set-limits"):
    """Post new limits for the table or for one wager, in cents."""

    low: int
    high: int
    wager: str = ""
    by: str = "floorperson"


class Roll(Command, frozen=True, tag="roll"):
    """Report a throw that came to rest, with its two faces.

    ``tampered`` says that the dice show signs of tampering.
    """

    first: int
    second: int
    tampered: bool = False
    by: str = "stickperson"


class CallNoRoll(Command, frozen=True, tag="call-no-roll"):
    """Report a void throw, or call "no roll" for a reason (``ground``); ``by`` says who calls it.

    ``side`` says where a die that left the table fell: ``outside`` or ``inside``; or ``both`` if
    both dice left.
    """

    ground: str
    by: str
    side: str = ""

    def __post_init__(self) -> None:
        if not self.by:
            raise ValueError("somebody calls a no roll: by whom?")


class Rule(Command, frozen=True, tag="rule"):
    """Rule on a disputed throw, as an official: name its faces, or 0 and 0 to void it."""

    first: int
    second: int
    by: str


class CorrectThrow(Command, frozen=True, tag="correct-throw"):
    """Replace the faces of a throw that was keyed wrongly, as the boxperson or the floor.

    ``again`` holds the commands that the table accepted since that throw, to be decided again in
    order. The caller keeps them, since a table does not remember commands.
    """

    first: int
    second: int
    by: str
    tampered: bool = False
    again: tuple[AnyCommand, ...] = ()


class Clock(Command, frozen=True, tag="clock"):
    """Set the time of the table, as in ``2007-04-02 09:00``."""

    when: str
    by: str = "floorperson"

    def __post_init__(self) -> None:
        datetime.fromisoformat(self.when)


class Warn(Command, frozen=True, tag="warn"):
    """Warn a shooter, as an official, so that the next throw like this may be called no roll.

    ``ground`` is the reason, such as ``misses-wall``.
    """

    by: str
    player: str
    ground: str


class PermitColorUp(Command, frozen=True, tag="permit-colour"):
    """Permit, as an official, a color-up that a player asked for."""

    by: str
    player: str


BettingCommand = Bet | Change | TakeDown | TakeAllDown | Call | Undo | Confirm | Toke | TokeBet
ChipCommand = BuyIn | ColorUp | AskColorUp | PermitColorUp | ChangeCheques
SeatCommand = Join | Leave | Stand | Sit | ReturnBets
ShooterCommand = TakeDice | DeclineDice | PassDice | SameDice | AskDice
ThrowCommand = (
    Roll | CorrectThrow | CallNoRoll | Warn | Rule | SendDice | DrawBack | ReleaseDice | OrderPass
)
DiceSetCommand = NewDice | InspectDice | RecallDice | CancelDice | LoseDie | FindDie
TableCommand = Clock | Relieve | OkayDice | DeadGame | CloseTable | OpenTable | SetLimits
#: Every command.
AnyCommand = (
    BettingCommand
    | ChipCommand
    | SeatCommand
    | ShooterCommand
    | ThrowCommand
    | DiceSetCommand
    | TableCommand
)
