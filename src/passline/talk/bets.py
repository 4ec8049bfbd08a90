"""Bets in table talk: what on, and how much, in whatever order they are said."""

from __future__ import annotations

import re
from typing import NamedTuple

from passline.table import commands as cmd
from passline.talk.doubts import (
    BOX,
    HORN_HIGH,
    NUMBERS,
    STRAIGHT,
    STRAIGHT_ON,
    high_on_which,
    on_which,
    pairs,
    spread_over_what,
    straight_or_placed,
    sure_of_each,
    sure_of_place,
    which_is_the_amount,
)
from passline.talk.groups import PLACE, bet_group, is_group, unit_on
from passline.talk.lays import against, lay_with_vig
from passline.talk.odds import is_odds, no_odds, odds_slug
from passline.talk.says import money_words, read_amount
from passline.talk.sets import bet_set, members
from passline.talk.utterance import (
    Heard,
    HowMuchError,
    UnheardError,
    UnplayableError,
    knows,
    offer_choices,
    unplayable,
)

_VERBS = {"place": PLACE, "buy": "buy", "lay": "lay"}
_MONEY = re.compile(r"\$?\d[\d,]*(?:\.\d{1,2})?", re.ASCII)

# Each word as a letter: V verb, N a bare number, M marked money, T a wager or a number's nickname,
# f for, p on or in, g against, a and, c a comma, e each, t in all, l to lose, x no; ? any other.
_LETTERS = {"for": "f", "on": "p", "in": "p", "against": "g", "and": "a", ",": "c"} | {
    "each": "e",
    "total": "t",
    "lose": "l",
    "no": "x",
}
_LIST = r"(?P<what>V?[NT](?:(?:ca|a|c)V?[NT])*)l?"
_TARGETS = r"(?P<what>V?T(?:(?:ca|a|c)T)*)"
_SHARE = r"(?P<share>[et]?)"
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"[pg]?{_LIST}f(?P<sum>[NM]){_SHARE}",  # place 6 for 12; 6 and 8 for 12 each
        rf"[pg]?{_LIST}c?(?P<sum>M){_SHARE}",  # hard 8, $5
        rf"p?{_TARGETS}c?(?P<sum>N){_SHARE}",  # field 5
        rf"V?(?P<sum>[NM]){_SHARE}V?[pg]{_LIST}(?P<late>[et]?)",  # 12 on 8; lay 50 against 10
        rf"V(?P<sum>[NM]){_SHARE}(?P<what>(?P<set>T))(?P<late>[et]?)",  # place 64 across
        rf"(?P<sum>[NM]){_SHARE}f?{_TARGETS}(?P<late>[et]?)",  # 5 yo; 5 for the yo; 64 across
        rf"(?P<sum>M){_SHARE}{_LIST}(?P<late>[et]?)",  # $12 6 and 8
        rf"(?P<sum>[NM]){_SHARE}(?P<what>VN(?:(?:ca|a|c)N)*)(?P<late>[et]?)",  # 25 buy 4
        r"(?P<what>V?[NT](?:(?:ca|a|c)V?[NT])+)c?(?P<sum>N)(?P<share>e)",  # 6 and 8 12 each
    )
)
_BARE = re.compile(rf"p?{_LIST}")


class Bets(NamedTuple):
    """What a bet was heard to say: targets with their verbs, cents, ``each`` or ``total`` or none.

    ``next_to``: a verb stands right before what it is about, not before the amount.
    """

    verbs: tuple[str, ...]
    targets: tuple[str, ...]
    cents: int
    share: str
    next_to: bool = True


def hear_bets(heard: Heard) -> list[cmd.AnyCommand]:
    """A bet, or several, as commands."""
    return make_bets(heard, read_bets(heard))


def read_bets(heard: Heard) -> Bets:
    """What the words say; HowMuchError where they name a wager and no amount."""
    letters = "".join(_letter(heard, word) for word in heard.words)
    if heard.words[:1] == ("no",):
        raise _against(heard)
    for form in _FORMS:
        found = form.fullmatch(letters)
        if found is not None:
            return _read(heard, letters, found)
    if letters == "t":
        raise spread_over_what(heard)
    if re.fullmatch("V?NN", letters):
        return _two_numbers(heard)
    if re.fullmatch("[NM]x[NT]", letters) and _number(heard.words[2]):
        return _no_number(heard)
    if re.fullmatch("VM|VN", letters) and heard.words[1] not in map(str, NUMBERS):
        raise on_which(heard, heard.words[0], _VERBS[heard.words[0]], heard.words[1])
    found = _BARE.fullmatch(letters)
    if found is not None and ("T" in letters or "V" in letters):
        raise HowMuchError
    raise UnheardError


def _two_numbers(heard: Heard) -> Bets:
    """``place 8 12``: taken where only one of them can be the number. With no verb, refused,
    unless both are the same: ``6 six``."""
    verb, first, second = ("", *heard.words)[-3:]
    family = _VERBS.get(verb, "")
    found = pairs(heard, family, first, second)
    if len(found) > 1 or (not family and first != second):
        raise which_is_the_amount(found)
    ((slug, cents),) = found
    if slug in STRAIGHT_ON:
        return Bets(verbs=("",), targets=(slug,), cents=cents, share="")
    return Bets(verbs=(family or PLACE,), targets=(slug.rpartition("-")[2],), cents=cents, share="")


def _no_number(heard: Heard) -> Bets:
    """``$41 no four``: a lay, as dealers say it; the vigorish may be in the sum.

    ``five no nine`` may be somebody who corrects himself, and is no bet.
    """
    if heard.words[0] in map(str, NUMBERS):
        raise UnheardError
    cents = read_amount(heard.words[0].removeprefix("$"))
    number = _number(heard.words[2])
    return Bets(
        verbs=("lay",), targets=(str(number),), cents=lay_with_vig(heard, number, cents), share=""
    )


def _against(heard: Heard) -> UnplayableError:
    """``no ten for 50``: dealers lay the ten; others only take back what they said before."""
    if len(heard.words) > 1 and is_odds(heard.words[1]):
        return no_odds(heard)
    asked = read_bets(heard._replace(words=heard.words[1:]))
    (target,) = asked.targets if len(asked.targets) == 1 else ("",)
    if asked.verbs[0] not in {"", "lay"} or not _number(target):
        raise UnheardError
    return against(_number(target), asked.cents)


def _number(word: str) -> int:
    """The number that a word names, or 0."""
    figure = _figure(word)
    number = int(figure) if figure.isascii() and figure.isdigit() and len(figure) < 3 else 0
    return number if number in NUMBERS else 0


def _letter(heard: Heard, word: str) -> str:
    if word in _LETTERS:
        return _LETTERS[word]
    if _MONEY.fullmatch(word):
        return "M" if word[0] == "$" else "N"
    if word in _VERBS:
        return "V"
    return "T" if _is_target(heard, word) else "?"


def _is_target(heard: Heard, word: str) -> bool:
    return (
        _figure(word) != word
        or word == HORN_HIGH
        or is_group(word)
        or bool(members(heard.table, word))
        or is_odds(word)
        or knows(heard.table, word)
    )


def _figure(word: str) -> str:
    """A number that was named, by its nickname or with "the", as its figure."""
    figure = word.removeprefix("total-").removeprefix("number-")
    return figure if figure.isascii() and figure.isdigit() else word


def _read(heard: Heard, letters: str, found: re.Match[str]) -> Bets:
    words = heard.words
    groups = found.groupdict()
    start, end = found.span("what")
    ahead = {words[at] for at in range(start) if letters[at] == "V"}
    if "g" in letters:
        ahead.add("lay")
    if len(ahead) > 1:
        raise UnheardError
    verb = _VERBS[ahead.pop()] if ahead else ""
    verbs, targets = _with_verbs(words, letters, start, end, verb)
    if "l" in letters:
        if set(verbs) != {PLACE}:
            raise UnheardError
        verbs = ["place-lose"] * len(verbs)
    share = groups.get("share") or groups.get("late") or ""
    if groups.get("share") and groups.get("late"):
        raise UnheardError
    if groups.get("set") and not is_group(targets[0]):
        raise UnheardError
    at = found.start("sum")
    cents = read_amount(words[at].removeprefix("$"))
    if targets[0].startswith("number-") and words[at] in map(str, NUMBERS) and not verbs[0]:
        # "six for the eight": six dollars, or the six?
        raise which_is_the_amount(pairs(heard, "", words[at], _figure(targets[0])))
    next_to = letters[start] == "V" or not verbs[0]
    whole = {"e": "each", "t": "total", "": ""}[share]
    return Bets(
        verbs=tuple(verbs), targets=tuple(targets), cents=cents, share=whole, next_to=next_to
    )


def _with_verbs(
    words: tuple[str, ...], letters: str, start: int, end: int, verb: str
) -> tuple[list[str], list[str]]:
    """The targets of a list, each with the verb that was said last before it: ``six and lay
    eight`` are two."""
    verbs, targets = [], []
    for at in range(start, end):
        if letters[at] == "V":
            if verb and at == start:
                raise UnheardError  # one verb before the amount and another after it
            verb = _VERBS[words[at]]
        elif letters[at] in "NT":
            verbs.append(verb)
            targets.append(words[at])
    return verbs, targets


def make_bets(heard: Heard, asked: Bets) -> list[cmd.AnyCommand]:
    """The commands of a bet: a set by its name, or each target by itself."""
    if len(asked.targets) > 1:
        return _several(heard, asked)
    (target,), (verb,) = asked.targets, asked.verbs
    several = is_group(target) or bool(members(heard.table, target))
    if several and verb not in {"", PLACE}:
        raise UnheardError
    if is_group(target):
        return bet_group(heard, target, asked.cents, asked.share)
    if several:
        return bet_set(heard, target, asked.cents, asked.share)
    slug = _slug(heard, asked, verb, target)
    if asked.share == "each":
        sure_of_each(heard, slug, asked.cents)
    return [heard.bet(slug, asked.cents)]


def _several(heard: Heard, asked: Bets) -> list[cmd.AnyCommand]:
    hard = any(target.startswith("hard-") for target in asked.targets)
    if hard and any(target.isdigit() for target in asked.targets):
        raise _hard_or_not(asked)
    if any(is_group(target) or members(heard.table, target) for target in asked.targets):
        raise UnheardError
    named = zip(asked.verbs, asked.targets, strict=True)
    slugs = [_slug(heard, asked, verb, target) for verb, target in named]
    if len(set(slugs)) != len(slugs):
        raise UnheardError
    if asked.share == "each":
        for slug in slugs:
            sure_of_each(heard, slug, asked.cents)
        return [heard.bet(slug, asked.cents) for slug in slugs]
    said, names = money_words(asked.cents), " and ".join(slugs)
    if asked.share != "total":
        shares = ["each", "total"] if _divided(heard, asked.cents, slugs) else ["each"]
        ways = [f"{names} for {said} {share}" for share in shares]
        raise offer_choices("each-or-all", ways, amount=asked.cents)
    parts = _divided(heard, asked.cents, slugs)
    if not parts:
        cite = "custom: money is never guessed"
        raise unplayable("no-even-parts", cite, amount=asked.cents, wagers=tuple(slugs))
    return [heard.bet(slug, cents) for slug, cents in parts.items()]


def _hard_or_not(asked: Bets) -> UnplayableError:
    """``hard six and eight``: the eight may be meant hard too, or not."""
    tail = f"for {money_words(asked.cents)} {asked.share or 'each'}"
    choices = []
    for put in ("hard", PLACE):
        slugs = [f"{put}-{t}" if t.isdigit() else t for t in asked.targets]
        choices.append(f"{' and '.join(slugs)} {tail}")
    return offer_choices("hard-or-not", choices)


def _divided(heard: Heard, cents: int, slugs: list[str]) -> dict[str, int]:
    """One sum over several wagers: by the units of place numbers, or evenly; else nothing."""
    chip = heard.table.house.chip
    placed = [heard.kind(slug) == PLACE for slug in slugs]
    units = dict.fromkeys(slugs, chip)
    if all(placed):
        units = {slug: unit_on(heard.table, int(slug.rpartition("-")[2])) for slug in slugs}
        if len(set(units.values())) == 1:  # alike: any even parts will do
            units = dict.fromkeys(slugs, chip)
    count, left = divmod(cents, sum(units.values()))
    mixed = any(placed) and not all(placed)
    if left or not count or mixed or any(heard.spot(slug) is None for slug in slugs):
        return {}
    return {slug: unit * count for slug, unit in units.items()}


def _slug(heard: Heard, asked: Bets, verb: str, target: str) -> str:
    nickname = target.startswith("total-")
    figure = _figure(target)
    if figure.isascii() and figure.isdigit():
        number = int(figure[:4])
        if number not in NUMBERS:
            raise UnheardError
        return f"{verb}-{number}" if verb else _plain(heard, number, nickname, asked)
    if target == HORN_HIGH:
        raise high_on_which(heard)
    if verb and target in STRAIGHT_ON:
        return straight_or_placed(heard, verb, target, asked.cents, asked.next_to)
    if verb not in {"", PLACE}:
        raise UnheardError
    if is_odds(target):
        return odds_slug(heard, target)
    return target


def _plain(heard: Heard, number: int, nickname: bool, asked: Bets) -> str:
    """A number with no verb: placed, or the straight center wager; refused where it may be both."""
    said = money_words(asked.cents)
    placed = heard.spot(f"{PLACE}-{number}") is not None
    if number in BOX and not nickname:
        sure_of_place(heard, number, asked.cents)
        return f"{PLACE}-{number}"
    if number in STRAIGHT and not placed:
        return STRAIGHT[number]
    ways = [f"{PLACE}-{number}"]
    ways += [STRAIGHT[number]] if number in STRAIGHT else []
    ways += [f"hard-{number}"] if number in {4, 6, 8, 10} else []
    hops = len(members(heard.table, f"hops-{number}")) * heard.table.house.chip
    ways += [f"hop {number}"] if number in BOX and asked.cents % hops == 0 else []
    raise offer_choices("which-on-number", [f"{way} for {said}" for way in ways], number=number)
