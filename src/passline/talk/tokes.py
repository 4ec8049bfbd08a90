"""Tokes in table talk: a tip, a wager for the dealers, and a two-way: the player's and theirs."""

from __future__ import annotations

import re

from msgspec.structs import replace

from passline.table import commands as cmd
from passline.talk.bets import hear_bets
from passline.talk.says import money_words, read_amount
from passline.talk.utterance import Heard, UnheardError, UnplayableError, offer_choices, unplayable

_SUM = r"\$?\d[\d,]*(?:\.\d{1,2})?"
_TIP = re.compile(rf"(?:toke(?: for)? (?P<a>{_SUM})|(?P<b>{_SUM})(?: toke)?(?: for-dealers)?)")
_AMOUNT = re.compile(rf"(?:(?:for )?{_SUM})?")
_BOTH = re.compile(
    rf"(?P<what>.+?)(?: for| ,)? (?P<own>{_SUM}) (?:and|,)(?: and)? (?P<theirs>{_SUM})"
)


def hear_tokes(heard: Heard) -> list[cmd.AnyCommand]:
    """A tip with no wager named, or a wager for the dealers.

    Two-way wants both amounts, or so much each: one amount could be either.
    """
    if "two-way" in heard.words:
        return _two_way(heard)
    said = heard.said
    tip = _TIP.fullmatch(said)
    if tip and ("toke" in heard.words or "for-dealers" in heard.words):
        return [cmd.Toke(heard.player, _cents(tip["a"] or tip["b"]))]
    if heard.words == ("toke",):
        raise unplayable("toke-how-much")
    if heard.words.count("for-dealers") != 1:
        raise UnheardError
    both = _BOTH.fullmatch(said.removesuffix(" for-dealers"))
    if both and said.endswith(" for-dealers"):
        return _parts(heard, both["what"], both["own"], both["theirs"])
    if heard.words[:2] == ("for-dealers", "on") and _AMOUNT.fullmatch(" ".join(heard.words[2:])):
        raise unplayable("dealers-on-which")
    return _for_dealers(heard, tuple(word for word in heard.words if word != "for-dealers"))


def _two_way(heard: Heard) -> list[cmd.AnyCommand]:
    words = tuple(word for word in heard.words if word not in {"two-way", "for-dealers"})
    both = _BOTH.fullmatch(" ".join(words))
    if both:
        return _parts(heard, both["what"], both["own"], both["theirs"])
    once = tuple(word for word in words if word != "each")  # the player's, and theirs
    own = _own(heard, once)
    if "each" in words:
        return [*own, *_for_dealers(heard, once)]
    bet = own[0]
    assert isinstance(bet, cmd.Bet)
    if len(own) > 1:  # several wagers at once: they are not put in words of ours
        said = f"two-way {' '.join(once)}"
        raise offer_choices("as-much-for-dealers", [f"{said} each"], said=said)
    said = f"two-way {bet.wager} for {money_words(bet.amount)}"
    raise offer_choices("two-way-how-much", [f"{said} and 1", f"{said} each"], said=said)


def _own(heard: Heard, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    """The player's own part. What leaves a choice open is not said two-way."""
    try:
        return hear_bets(heard._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        raise unplayable("two-way-one-by-one") from None


def _parts(heard: Heard, what: str, own: str, theirs: str) -> list[cmd.AnyCommand]:
    mine = hear_bets(heard._replace(words=(*what.split(), "for", own)))
    return [*mine, *_for_dealers(heard, (*what.split(), "for", theirs))]


def _for_dealers(heard: Heard, words: tuple[str, ...]) -> list[cmd.AnyCommand]:
    try:
        found = hear_bets(heard._replace(words=words))
    except UnplayableError as doubt:
        if not doubt.choices:
            raise
        theirs = [f"{choice} for the dealers" for choice in doubt.choices]
        raise UnplayableError(replace(doubt.refusal, allowed=tuple(theirs))) from None
    made = [bet for bet in found if isinstance(bet, cmd.Bet)]
    return [cmd.TokeBet(heard.player, bet.wager, bet.amount) for bet in made]


def _cents(text: str) -> int:
    return read_amount(text.removeprefix("$"))
