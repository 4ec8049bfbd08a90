"""Tokens given and withdrawn: entries of the log, as everything that changes who may speak."""

from __future__ import annotations

from typing import Final

from passline.live.acts import speaks
from passline.live.appends import Appended
from passline.live.asks import HallError
from passline.live.entries import Draft
from passline.live.live_table import POSTS
from passline.live.names import looks, seat_name
from passline.live.tables import Tables
from passline.live.throws import Chance
from passline.live.tokens import Holder, grant
from passline.live.warm import WarmTable

#: The roles that a table's opening gives tokens for.
GIVEN: Final = (*POSTS, "watcher", "surveillance")
_ROLES: Final = (*GIVEN, "player")
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


def new_id(chance: Chance) -> str:
    """A table's id: ten letters and digits that nobody guesses, none that look alike."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in chance(10))


def _holder(who: Holder) -> Holder:
    if who.role not in _ROLES:
        raise HallError(400, f"role: expected one of {', '.join(_ROLES)}")
    if not who.name:
        return who
    if who.name == who.role and who.role != "player":
        return who  # what a post's entries are by where it has no name
    return Holder(who.role, seat_name(who.name))


def _may(by: Holder) -> tuple[str, str]:
    if by.role not in ("operator", "floor"):
        raise HallError(403, f"the {by.role} gives and withdraws no tokens: operator or floor does")
    return by.role, "house" if by.role == "operator" else by.role


async def invite(tables: Tables, warm: WarmTable, by: Holder, who: Holder, token: str) -> None:
    """Give a token to somebody. HallError 400, 403, 409."""
    await _write(tables, warm, by, _holder(who), token)


async def withdraw(tables: Tables, warm: WarmTable, by: Holder, who: Holder) -> None:
    """Withdraw somebody's tokens. HallError 400, 403."""
    await _write(tables, warm, by, _holder(who), "")


async def _write(tables: Tables, warm: WarmTable, by: Holder, who: Holder, token: str) -> None:
    role, name = _may(by)
    more = {
        "act": "invite" if token else "withdraw",
        "holder": {"role": who.role, "name": who.name},
    }
    draft = Draft(role=role, by=name, more=more)
    async with warm.lock:
        while True:
            live = await tables.writable(warm)
            speaks(live, by)  # a floor that the machine holds only watches
            if token and who.role == "player" and who.name:
                look = looks(who.name)
                known = live.names.get(look) or live.invited.get(look)
                if known not in (None, who.name):
                    raise HallError(409, f"{who.name!r} is too like {known!r}, who plays here")
            outcome = await tables.append(
                warm,
                live,
                [draft],
                grants=[grant(token, who.role, who.name)] if token else [],
                withdrawn=[] if token else [who],
            )
            if isinstance(outcome, Appended):
                return
