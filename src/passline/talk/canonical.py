"""Read and write canonical phrases: `SLUG for AMOUNT`, `SLUG to AMOUNT`, `SLUG down`, `SLUG on`.

A slug is a wager's name in records, such as `place-win-6`. Records are written in canonical
phrases, and `understand` tries them first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

import msgspec

from passline.game.law.roles import ROLES, find_role
from passline.game.law.wager_names import known_slugs
from passline.game.money.amounts import AmountError, parse_dollars, show_dollars, to_dollars
from passline.game.table import commands as cmd
from passline.game.words.wagers import spoken_wager_name
from passline.talk.errors import RecordError

_CANONICAL_FORM = re.compile(
    r"(?P<slug>[a-z0-9-]+)\s+(?P<verb>for|to|down|on|off)\b\s*(?P<rest>.*)"
)
#: The end of a bet for the dealers. Normalized talk has no "the".
_FOR_DEALERS = re.compile(r"(?P<amount>\S+) for (?:the )?dealers")
#: A change of chips into another color.
_COLOR_CHANGE = re.compile(r"change (?P<amount>\$?[\d,.]+) (?:to|into|for) (?P<colour>[a-z]+)")
_TENDER_FLAGS = {
    "in the air": "in_air",
    "in cash": "cash",
    "on call": "on_call",
    "dice out": "dice_out",
    "no bet": "no_bet",
    "unnoticed": "unnoticed",
}


def read_amount(text: str) -> int:
    """Return an amount in cents. Raise RecordError if it is not one."""
    try:
        return parse_dollars(text)
    except AmountError as error:
        raise RecordError(str(error)) from None


def read_role(text: str) -> str:
    """Return the standard name of a crew role. Raise RecordError if there is no such role.

    >>> read_role("boxman")
    'boxperson'
    """
    role = find_role(text.strip().lower())
    if role is None:
        raise RecordError(f"there is no crew role {text!r}: expected one of {', '.join(ROLES)}")
    return role


def parse_canonical(player: str, text: str, slugs: Collection[str] = ()) -> cmd.AnyCommand | None:
    """Return the command of a canonical phrase (`pass for 10`), or None if the text is not one.

    `slugs` are a table's own slugs (default: the standard ones). Raise RecordError if the text
    begins like one but can't be read.

    >>> bet = parse_canonical("ann", "pass for 10 match 5")
    >>> bet.wager, bet.amount, bet.match, bet.by
    ('pass', 1000, 500, 'dealer')
    """
    phrase = " ".join(text.lower().split())
    if phrase == "undo":
        return cmd.Undo(player)
    if phrase in {"color up", "colour up"}:
        return cmd.ColorUp(player)
    if phrase == "all down":
        return cmd.TakeAllDown(player)
    if phrase in {"all on", "all off"}:
        return cmd.Call(player, "", phrase == "all on")
    change = _COLOR_CHANGE.fullmatch(phrase)
    if change is not None:
        return cmd.ChangeCheques(player, read_amount(change["amount"]), change["colour"])
    if phrase.startswith("toke "):
        return cmd.Toke(player, read_amount(phrase.removeprefix("toke ").removeprefix("for ")))
    form = _CANONICAL_FORM.fullmatch(phrase)
    if form is None or form["slug"] not in (slugs or known_slugs()):
        return None
    return _make_command(player, form["slug"], form["verb"], form["rest"])


def _make_command(player: str, slug: str, verb: str, rest: str) -> cmd.AnyCommand:
    if verb == "for":
        for_dealers = _FOR_DEALERS.fullmatch(rest)
        if for_dealers is not None:
            return cmd.TokeBet(player, slug, read_amount(for_dealers["amount"]))
        return _parse_bet(player, slug, rest)
    if verb == "to":
        return cmd.Change(player, slug, read_amount(rest))
    if rest:
        raise RecordError(f"{rest!r} is not understood after '{slug} {verb}'")
    if verb == "down":
        return cmd.TakeDown(player, slug)
    return cmd.Call(player, slug, verb == "on")


def _parse_bet(player: str, slug: str, rest: str) -> cmd.Bet:
    first, _, more = rest.partition(" ")
    if not first:
        raise RecordError(f"expected an amount: {slug} for 10")
    cents = read_amount(first)
    match = 0
    confirmed: tuple[str, ...] = ()
    flags: dict[str, bool] = {}
    while more := more.strip():
        for words, flag in _TENDER_FLAGS.items():
            if more == words or more.startswith(words + " "):
                flags[flag] = True
                more = more[len(words) :]
                break
        else:
            if more.startswith("match "):
                face, _, more = more.removeprefix("match ").partition(" ")
                match = read_amount(face)
            elif more.startswith("confirmed by "):
                confirmed, more = _parse_confirmation(more.removeprefix("confirmed by "))
            else:
                raise RecordError(
                    f"{more!r} is not understood after the amount: expected one of match AMOUNT, "
                    f"confirmed by ROLE, {', '.join(_TENDER_FLAGS)}; or for the dealers, alone"
                )
    # Only the crew says how a wager was tendered, so a dealer books it.
    by = "dealer" if match or confirmed or flags else "player"
    return msgspec.convert(
        {"player": player, "wager": slug, "amount": cents, "match": match}
        | {"confirmed": confirmed, "by": by, "command": "bet"}
        | flags,
        cmd.Bet,
    )


def _parse_confirmation(text: str) -> tuple[tuple[str, ...], str]:
    """Return (roles, rest of the text) for a text that follows `confirmed by`.

    Raise RecordError if it names no role.
    """
    words = text.replace(",", " ").split()
    roles: list[str] = []
    while words and (words[0] == "and" or find_role(words[0])):
        if role := find_role(words.pop(0)):
            roles.append(role)
    if not roles:
        raise RecordError(f"expected who confirmed the bet: one of {', '.join(ROLES)}")
    return tuple(roles), " ".join(words)


def format_amount(cents: int) -> str:
    """Return an amount in dollars as records write it: `12`, or `12.50` if there are cents."""
    return to_dollars(cents).removesuffix(".00")


def format_command(command: cmd.AnyCommand) -> str:
    """Return a player's command as a canonical phrase. Raise TypeError if it has none.

    >>> format_command(cmd.Change("ann", "pass-odds", 2550))
    'pass-odds to 25.50'
    """
    return _format_phrase(command, str, format_amount)


def echo_command(command: cmd.AnyCommand) -> str:
    """Return a player's command as a dealer repeats it: `hard 8 for $10`."""
    if isinstance(command, cmd.Toke):
        return f"{show_dollars(command.amount)} for the dealers"
    return _format_phrase(command, spoken_wager_name, show_dollars)


def _format_phrase(
    command: cmd.AnyCommand, name: Callable[[str], str], amount: Callable[[int], str]
) -> str:
    match command:
        case cmd.Bet():
            phrase = f"{name(command.wager)} for {amount(command.amount)}"
            return " ".join([phrase, *_list_tender_words(command)])
        case cmd.Change():
            return f"{name(command.wager)} to {amount(command.to)}"
        case cmd.TakeDown():
            return f"{name(command.wager)} down"
        case cmd.Undo():
            return "undo"
        case cmd.ColorUp():
            return "color up"
        case cmd.TakeAllDown():
            return "all down"
        case cmd.Call():
            wager = name(command.wager) if command.wager else "all"
            return f"{wager} {'on' if command.on else 'off'}"
        case cmd.ChangeCheques():
            return f"change {amount(command.amount)} to {command.colour}"
        case cmd.Toke():
            return f"toke {amount(command.amount)}"
        case cmd.TokeBet():
            return f"{name(command.wager)} for {amount(command.amount)} for the dealers"
        case _:
            raise TypeError(f"{command!r} has no canonical phrase")


def _list_tender_words(bet: cmd.Bet) -> list[str]:
    words: list[str] = []
    if bet.match:
        words.append(f"match {format_amount(bet.match)}")
    words += [text for text, flag in _TENDER_FLAGS.items() if getattr(bet, flag)]
    if bet.confirmed:
        words.append(f"confirmed by {', '.join(bet.confirmed)}")
    return words
