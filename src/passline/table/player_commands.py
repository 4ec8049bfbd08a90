"""What players may ask for.

Every command says who acts (``by``): ``player`` for a seat's own words, or the member of the crew
who books them. Tags are written out and never change: logs of old are read by them. Amounts are
whole cents.
"""

from __future__ import annotations

import msgspec


class Command(msgspec.Struct, frozen=True, tag_field="command"):
    """Something asked of the table."""


class Asked(Command, frozen=True, kw_only=True):
    """Something that a player asks, or that the crew books for one."""

    by: str = "player"


def _positive(cents: int) -> None:
    if cents <= 0:
        raise ValueError(f"an amount is above zero, not {cents} cents")


class Bet(Asked, frozen=True, tag="bet"):
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


class Change(Asked, frozen=True, tag="change"):
    """Raise or reduce a wager to an amount."""

    player: str
    wager: str
    to: int

    def __post_init__(self) -> None:
        _positive(self.to)


class TakeDown(Asked, frozen=True, tag="take-down"):
    """Take a wager down."""

    player: str
    wager: str


class TakeAllDown(Asked, frozen=True, tag="take-all-down"):
    """Take down everything that may come down."""

    player: str


class Call(Asked, frozen=True, tag="call"):
    """Call a wager on or off; an empty wager means every one that may be called."""

    player: str
    wager: str
    on: bool


class Undo(Asked, frozen=True, tag="undo"):
    """Take back what the player last said of his wagers since the last throw."""

    player: str


class Toke(Asked, frozen=True, tag="toke"):
    """A tip for the dealers, no wager named."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class TokeBet(Asked, frozen=True, tag="toke-bet"):
    """A tip for the dealers as a wager of theirs: the player's chips, the dealers' win."""

    player: str
    wager: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class BuyIn(Asked, frozen=True, tag="buy-in"):
    """Cash for chips."""

    player: str
    amount: int

    def __post_init__(self) -> None:
        _positive(self.amount)


class ColourUp(Asked, frozen=True, tag="colour-up"):
    """Change small chips for large ones."""

    player: str


class AskColour(Asked, frozen=True, tag="ask-colour"):
    """Have that called, and wait for leave."""

    player: str


class ChangeCheques(Asked, frozen=True, tag="change-cheques"):
    """Have so much of the rail changed into chips of one colour."""

    player: str
    amount: int
    colour: str

    def __post_init__(self) -> None:
        _positive(self.amount)


class Join(Asked, frozen=True, tag="join"):
    """Come up to the table in mid-game: cash for chips, and a place (0: the lowest free)."""

    player: str
    amount: int
    place: int = 0

    def __post_init__(self) -> None:
        _positive(self.amount)
        if self.place < 0:
            raise ValueError("places count from 1")


class Leave(Asked, frozen=True, tag="leave"):
    """Leave the table: what may come down comes down, the rest plays on."""

    player: str


class Stand(Asked, frozen=True, tag="stand"):
    """Get up from a seat."""

    player: str


class Sit(Asked, frozen=True, tag="sit"):
    """Take a seat again."""

    player: str


class TakeDice(Asked, frozen=True, tag="take-dice"):
    """Accept the dice."""

    player: str


class DeclineDice(Asked, frozen=True, tag="decline-dice"):
    """Let the dice go by."""

    player: str


class PassDice(Asked, frozen=True, tag="pass-dice"):
    """Give the dice up."""

    player: str


class SameDice(Asked, frozen=True, tag="same-dice"):
    """Ask for the same dice after one left the table."""

    player: str


class AskDice(Asked, frozen=True, tag="ask-dice"):
    """Ask for other dice."""

    player: str


#: What a player asks of the dice.
HoldCommand = TakeDice | DeclineDice | PassDice | SameDice | AskDice
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
    | ColourUp
    | AskColour
    | ChangeCheques
    | Join
    | Leave
    | Stand
    | Sit
    | HoldCommand
)
