"""Read a stick's call: list what its words claim about the throw, right or wrong.

The words are in ``calls.toml``: verbs, bets and whole phrases. An area is a group of bets with one
name, such as ``donts`` or ``field``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import resources
from itertools import product
from typing import NamedTuple

import msgspec

from passline.game.layout.spots import Layout
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.talk.bets import STRAIGHT_BETS
from passline.talk.normalize import load_slang

TOTAL_FACT = "total"
#: The facts of words that say something about a bet that the house does not have.
UNKNOWN_FACT = "unknown"
#: The facts of a wager by its own name: ``bet:any-craps.win``.
BET_FACT = "bet"
#: The facts of what the field pays, by the multiple of the bet: ``field:2``.
FIELD_FACT = "field"
#: The facts of what other bets pay, by area or wager: ``price:bet:hard-8=9 to 1``.
PRICE_FACT = "price"
#: The facts of an amount that is said and that nobody is paid: ``amount:$45``.
AMOUNT_FACT = "amount"
_FIELD, _HARD, _WINNER = "field", "hard-", "winner"
_CRAPS, _WAYS = "craps", frozenset(("hard", "easy"))

_APOSTROPHES = re.compile("['\u2018\u2019\u02bc\u0060\u00b4\u2032]")
_DASH = re.compile(r"(?<=\s)-+(?=\s)|[\u2013\u2014/]")
_TOKEN = re.compile(r"[a-z]+|\d+|[,.;:!?()]")
_ON_NUMBER = re.compile(r"(place|buy|lay|dont-come)(?:-win)?-(\d+)")
#: The bets that lie behind their number.
_BEHIND = ("dont-come", "lay")
_DICE_IN_NAME = re.compile(r"([1-6])-([1-6])")
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_DIGITS_BY_WORD = {word: str(total) for total, word in enumerate(_NUMBER_WORDS, 2)} | {"one": "1"}
_TOTAL_BY_NAME = {"yo": 11, "aces": 2, "boxcars": 12, "midnight": 12}
_MARK_BY_WORD = {mark: mark for mark in ("hard", "easy", "out", "winner", "craps")}
_MARK_BY_WORD |= {"winners": "winner", "crap": "craps", "loser": "line.lose", "losers": "line.lose"}
_FILLERS = frozenset(("the", "all", "of", "your", "those", "any"))
#: The wagers that a call may name by what players call them.
_NICKNAMED = frozenset(
    ("any-seven", "craps-2", "craps-3", "craps-12", "eleven", "hi-lo", "c-and-e", "whirl")
)
#: Nicknames that are too short to name a wager in a call.
_SHORT_NICKNAMES = frozenset(("any", "high", "low", "ce", "c e"))
_JOINERS = frozenset(("and", "plus"))
#: The bets that go to a number together.
_TRAVELERS = frozenset(("come", "dont-come", "donts"))
_NEGATIONS = frozenset(("not", "never", "wont", "isnt", "arent", "doesnt", "didnt", "except"))
#: Words between a bet and its verb, and words after a bet that are no verb.
_AUXILIARIES = frozenset(("is", "are", "was", "were", "be", "get", "gets", "got", "still"))
_LINKS = frozenset(
    word
    for line in (
        "a an at for from here if in now on only please still there this to too up we when where",
        "while who with working you",
    )
    for word in line.split()
)


class CallFact(NamedTuple):
    """A fact that a call states, such as ``total:6``, and the index of the word that states it."""

    fact: str
    word_index: int


class _CallWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of ``calls.toml``: bets by area, verbs by result, and phrases with their facts."""

    bets: dict[str, list[str]]
    before: dict[str, list[str]]
    after: dict[str, list[str]]
    phrases: dict[str, list[str]]


@cache
def _load_words() -> _CallWords:
    text = resources.files("passline.school").joinpath("calls.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=_CallWords)


def split_call(text: str) -> list[str]:
    """Return the words, numbers (as digits) and punctuation marks of a call, in lowercase.

    >>> split_call("Eight! Don\u2019ts and comes")
    ['8', '!', 'donts', 'and', 'comes']
    """
    plain = _DASH.sub(",", _APOSTROPHES.sub("", text.lower())).replace("&", " and ")
    return [_DIGITS_BY_WORD.get(token, token) for token in _TOKEN.findall(plain)]


class _Lexicon:
    """A dictionary of phrases and their values. `find` matches the longest phrase."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._values = {tuple(split_call(words)): value for words, value in pairs}
        self._longest = max(map(len, self._values), default=0)

    def find(self, tokens: Sequence[str], at: int) -> tuple[str, int] | None:
        """Return (value, index after it) of the longest phrase that begins at an index, or None."""
        for size in range(min(self._longest, len(tokens) - at), 0, -1):
            value = self._values.get(tuple(tokens[at : at + size]))
            if value is not None:
                return value, at + size
        return None


def _invert(groups: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    return ((words, key) for key, group in groups.items() for words in group)


def _name_wagers(titles: tuple[tuple[str, str], ...]) -> Iterator[tuple[str, str]]:
    """Yield (name, fact prefix), such as ("hop 3-4", "bet:hop-3-4"), for all names of wagers.

    ``titles`` has the wagers as (slug, title or "").
    """
    for slug, title in titles:
        names = (*_list_nicknames(slug), layout_name(slug), spoken_wager_name(slug), title)
        for name in filter(None, names):
            for words in (name, _DICE_IN_NAME.sub(r"\2-\1", name)):  # "hop 4-3", "hop 3-4"
                yield words.replace("&", "and"), f"{BET_FACT}:{slug}"
        if slug.startswith(_HARD):
            yield slug.replace(_HARD, "hardway "), f"{BET_FACT}:{slug}"
            yield slug.replace(_HARD, "hard way "), f"{BET_FACT}:{slug}"
        if found := _ON_NUMBER.fullmatch(slug):
            name, number = found[1].replace("-", " "), found[2]
            places = (
                ("on", "on the", "behind", "behind the") if found[1] in _BEHIND else ("on the",)
            )
            for words, place in product((name, f"{name} bet", f"{name} bets"), places):
                yield f"{words} {place} {number}", f"{BET_FACT}:{slug}"


def _name_bets_behind(slugs: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield ("behind the 6", "bet:dont-come-6") and the like for the numbers 2 to 12.

    If a house has no don't come on the number, its lay bet is meant. If it has neither, the fact
    names a don't come that does not exist.
    """
    for total in range(2, 13):
        known = [f"{bet}-{total}" for bet in _BEHIND if f"{bet}-{total}" in slugs]
        slug = [*known, f"{_BEHIND[0]}-{total}"][0]
        for words in ("behind the", "bets behind", "bets behind the"):
            yield f"{words} {total}", f"{BET_FACT}:{slug}"


@cache
def _list_nicknames(slug: str) -> tuple[str, ...]:
    """Return what players call a one-roll wager: ``big red``, ``world``, ``yo eleven``.

    Words that a call says of the number thrown, such as "craps", are left out.
    """
    phrases = load_slang().phrases.items() if slug in _NICKNAMED else ()
    named = [words for words, means in phrases if means == slug and words not in _SHORT_NICKNAMES]
    return tuple(words for words in named if not {*split_call(words)} & _MARK_BY_WORD.keys())


@cache
def _verb_lexicons() -> tuple[_Lexicon, _Lexicon]:
    """Return two lexicons of verbs for taking and paying: for before a bet, and for after it."""
    words = _load_words()
    return _Lexicon(_invert(words.before)), _Lexicon(_invert(words.after))


@lru_cache(16)
def _bet_lexicon(titles: tuple[tuple[str, str], ...]) -> _Lexicon:
    """Return a lexicon of the names of bets: of wagers (see `_name_wagers`) and of areas."""
    behind = _name_bets_behind(frozenset(slug for slug, _ in titles))
    return _Lexicon((*_name_wagers(titles), *behind, *_invert(_load_words().bets)))


@lru_cache(64)
def _phrase_lexicon(nicknames: tuple[tuple[str, str], ...]) -> _Lexicon:
    """Return a lexicon of nicknames and whole phrases; the values are the facts that they state."""
    phrases = ((phrase, " ".join(facts)) for phrase, facts in _load_words().phrases.items())
    return _Lexicon((*nicknames, *phrases))


class CallReader:
    """Reads the calls at a table. ``nicknames`` gives the fact that each nickname states."""

    def __init__(self, layout: Layout, nicknames: dict[str, str]) -> None:
        titles = (
            (spot.slug, "" if spot.number and not spot.legs else spot.rule.title)
            for spot in layout.spots.values()
        )
        self.slugs = frozenset(layout.spots)
        self.before, self.after = _verb_lexicons()
        self.bets = _bet_lexicon(tuple(titles))
        self.phrases = _phrase_lexicon(tuple(nicknames.items()))

    def read(self, text: str) -> list[CallFact]:
        """Return the facts, true or false, that a call states, in the order of its words.

        A number after "the point was" is the fact ``point.was:N``. Words that take or pay something
        unknown are the fact ``unknown:WORDS``.
        """
        return list(_CallParser(self, split_call(text)).iterate())

    def find_bets(self, tokens: Sequence[str], at: int, verb: bool) -> tuple[list[str], int]:
        """Return (bets, index after them) for bets that begin at an index.

        The words are such as "the donts and the comes". ``verb`` says whether a verb came before
        them. If so, a further bet with a verb after it begins a new sentence, and is left out.
        """
        found: list[str] = []
        end = at
        while True:
            one = None if self.is_negation(tokens, at) else self._find_bet(tokens, at)
            if one is None or (found and verb and self._begins_sentence(tokens, at, one[1])):
                return found, end
            found.append(one[0])
            end = one[1]
            if end >= len(tokens) or not self._is_joiner(tokens, end, found, verb):
                return found, end
            at = end + 1

    def _begins_sentence(self, tokens: Sequence[str], at: int, end: int) -> bool:
        """Return whether the bet from ``at`` to ``end`` begins its own words: "come to the 8"."""
        phrase = self.phrases.find(tokens, at)
        return bool(self.find_verb_after(tokens, end)) or (phrase is not None and phrase[1] > end)

    def _is_joiner(self, tokens: Sequence[str], at: int, bets: list[str], verb: bool) -> bool:
        """Return whether the word at an index joins bets, as the comma in "donts, comes travel"."""
        if tokens[at] != "," or verb or bets[-1] not in _TRAVELERS:
            return tokens[at] in _JOINERS
        other = self._find_bet(tokens, at + 1)
        return other is not None and other[0] in _TRAVELERS

    def find_verb_after(self, tokens: Sequence[str], at: int) -> tuple[str, int] | None:
        """Return (result, index after it) of a verb at an index that applies to the bets before it.

        Return None if it applies to the bets after it, as "down" does in "hard 6 down behind". In
        "hard 6 down come bets travel" it doesn't: the come bets have the verb "travel".
        """
        verb, found = self.before.find(tokens, at), self.after.find(tokens, at)
        if verb is not None and found is not None and tokens[at] not in _VERBS_OF_BETS_BEFORE:
            bets, end = self.find_bets(tokens, verb[1], True)
            if bets and self.find_verb_after(tokens, end) is None:
                return None
        return found

    def find_price(self, tokens: Sequence[str], at: int) -> tuple[tuple[int, int], int] | None:
        """Return ((win, stake), index after it) of a price at an index, or None if none is there.

        "9 to 1" is (9, 1), and "31 for 1" is (30, 1).
        """
        at += tokens[at : at + 1] == ["at"]
        if tokens[at : at + 2] == ["even", "money"]:
            return (1, 1), at + 2
        win, joint, stake = tokens[at : at + 3] if len(tokens) >= at + 3 else ("", "", "")
        if not (win.isdecimal() and stake.isdecimal() and joint in ("to", "for")):
            return None
        return (int(win) - (int(stake) if joint == "for" else 0), int(stake)), at + 3

    def is_negation(self, tokens: Sequence[str], at: int) -> bool:
        """Return whether the word at an index is a negation, such as "not".

        "Don't" is also the name of a bet. It negates only before "mark" or a verb with its bets:
        "don't pay the line".
        """
        if tokens[at : at + 1] != ["dont"]:
            return at < len(tokens) and tokens[at] in _NEGATIONS
        verb = self.before.find(tokens, at + 1)
        marks = tokens[at + 1 : at + 2] == ["mark"]
        return marks or (verb is not None and bool(self.find_bets(tokens, verb[1], True)[0]))

    def _find_bet(self, tokens: Sequence[str], at: int) -> tuple[str, int] | None:
        while at < len(tokens) and tokens[at] in _FILLERS:
            if found := self.bets.find(tokens, at):
                return found
            at += 1
        found = self.bets.find(tokens, at)
        if found is None:
            return None
        area, end = found
        if area == "come" and tokens[end : end + 1] == ["on"]:
            area = "boxes"
        while end < len(tokens) and tokens[end] in ("bet", "bets"):
            end += 1
        return area, end


class _CallParser:
    """Parses the tokens of one call from left to right."""

    def __init__(self, reader: CallReader, tokens: list[str]) -> None:
        self._reader, self._tokens = reader, tokens
        #: The index of a word before this one that says nothing, such as "flip" in "flip the line".
        self._stray = -1
        #: The kinds of the facts before this word.
        self._announced: set[str] = set()

    def iterate(self) -> Iterator[CallFact]:
        at, point = 0, ""
        while at < len(self._tokens):
            facts, end = self._read_at(at, point)
            last = self._tokens[at]
            yield from (CallFact(fact, at) for fact in facts)
            self._announced |= {fact.partition(":")[0] for fact in facts}
            if last not in _FILLERS:
                self._stray = at if not facts and end == at + 1 and self._is_stray(at) else -1
            if "point.was" in facts or "point.is" in facts:
                point = facts[0]
            elif last not in _FILLERS and last not in ("still", "a"):
                point = ""
            at = end

    def _read_at(self, at: int, point: str) -> tuple[list[str], int]:
        """Read the words that begin at an index. Return (facts, index after the words)."""
        reader, tokens = self._reader, self._tokens
        if reader.is_negation(tokens, at) and reader.phrases.find(tokens, at) is None:
            end = self._find_pause(at + 1)
            return [f"{UNKNOWN_FACT}:{' '.join(tokens[at:end])}"], end
        verb = reader.before.find(tokens, at)
        if verb is not None:
            bets, end = reader.find_bets(tokens, verb[1], True)
            if bets:
                return self._join_multiple(verb[0], bets, end)
            if found := self._read_number_bet(at, *verb) or self._read_two_verbs(at, *verb):
                return found
        bets, end = reader.find_bets(tokens, at, False)
        if len(bets) > 1 and self._is_announcement(at):
            bets, end = [], at
        after = self._reader.find_verb_after(self._tokens, end) if bets else None
        phrase = reader.phrases.find(tokens, at)
        longest = phrase is None or phrase[1] <= end
        if after is not None and longest and self._is_sentence(at, end, after[0]):
            return self._join_price(after[0], bets, after[1])
        if phrase is not None:
            return phrase[0].split(), phrase[1]
        if bets and self._stray >= 0 and not self._is_number(at):
            return [f"{UNKNOWN_FACT}:{' '.join(tokens[self._stray : end])}"], end
        if bets == [_FIELD]:
            return ["field.win"], end
        if bets and self._is_unclear(at, end):
            return [f"{UNKNOWN_FACT}:{' '.join(tokens[at : end + 1])}"], end
        return self._read_word(at, point, verb)

    def _is_stray(self, at: int) -> bool:
        """Return whether a word without facts may be an unknown verb: "flip" in "flip the line"."""
        word = self._tokens[at]
        known = _LINKS | _JOINERS | _AUXILIARIES | _PUCKS | _MARK_BY_WORD.keys()
        if not word.isalpha() or word in known:
            return False
        return self._reader.bets.find(self._tokens, at) is None

    def _is_number(self, at: int) -> bool:
        """Return whether the word at an index is a number thrown, or how it was thrown ("hard")."""
        word = self._tokens[at]
        return word.isdecimal() or word in _MARK_BY_WORD or word in _TOTAL_BY_NAME

    def _is_announcement(self, at: int) -> bool:
        """Return whether the words at an index announce the number thrown, and are no bet.

        In "6 hard 6 and the field loses", "hard 6" announces how the 6 came: it is no bet on the
        hardway. The first words that name the number, or how it came, announce it. So do later ones
        without a pause before them: "no field 5 and the line wins".
        """
        phrase = self._reader.phrases.find(self._tokens, at)
        named = set(phrase[0].replace(":", " ").split()) if phrase else set()
        if not (self._is_number(at) or named & {TOTAL_FACT, *_WAYS}):
            return False
        word, before = self._tokens[at], self._tokens[at - 1] if at else ","
        said = {TOTAL_FACT}
        if word in ("hard", "hardway", "easy") or named & _WAYS:
            said = set(_WAYS)
        elif _MARK_BY_WORD.get(word) == _CRAPS:
            said = {_CRAPS}
        paused = not before.isalnum() or before in _JOINERS | _FILLERS
        plain = word.isdecimal() or word in _MARK_BY_WORD
        nickname = not plain and self._announced <= {TOTAL_FACT, _CRAPS, *_WAYS}
        return nickname or not paused or not said & self._announced

    def _is_sentence(self, at: int, end: int, result: str) -> bool:
        """Return whether the words from ``at`` to ``end`` and a verb with ``result`` speak of bets.

        "6 hard 6 winner", "8 wins", "yo 11 winner" and "big red winner" don't: they speak of the
        number thrown.
        """
        word, before = self._tokens[at], self._tokens[at - 1] if at else ""
        if word == "comes" and self._stray >= 0:
            return False  # "The fire bet comes down" is not about come bets.
        marks = ("hard", "easy", "hardway")
        if word in marks and before.isdecimal() and result in ("win", _WINNER):
            return False
        nickname = self._reader.phrases.find(self._tokens, at)
        if result == _WINNER and nickname is not None and nickname[1] == end:
            return False
        named = word.isdecimal() or (word in _TOTAL_BY_NAME and result == _WINNER)
        return not (named and all(other.isdecimal() for other in self._tokens[at + 1 : end]))

    def _is_unclear(self, at: int, end: int) -> bool:
        """Return whether an unknown verb follows the bets from ``at`` to ``end``."""
        tokens, reader = self._tokens, self._reader
        if self._is_number(at):
            return False
        while end < len(tokens) and tokens[end] in _AUXILIARIES:
            end += 1
        if end >= len(tokens) or not tokens[end].isalpha():
            return False
        known = (reader.before, reader.phrases, reader.bets)
        if any(lexicon.find(tokens, end) for lexicon in known):
            return False
        words = (*_JOINERS, *_FILLERS, *_MARK_BY_WORD, *_TOTAL_BY_NAME, *_LINKS)
        return tokens[end] not in words

    def _read_number_bet(self, at: int, result: str, end: int) -> tuple[list[str], int] | None:
        """Return (facts, index after them) of a verb before a number that names a bet, or None.

        ``result`` is the verb's and ``end`` the index after it. "Take the 12" is about the bet on
        12, and "bar the 12" about the don't pass; "take the 8" is about no bet.
        """
        tokens = self._tokens
        while end < len(tokens) and tokens[end] in _FILLERS:
            end += 1
        number = tokens[end] if end < len(tokens) else ""
        if not number.isdecimal() or tokens[at] not in _NUMBER_BET_VERBS:
            return None
        slug = STRAIGHT_BETS.get(int(number))
        if result == "push" and number == "12":
            return ["donts.push"], end + 1
        if slug is None or slug not in self._reader.slugs:
            return ([f"{UNKNOWN_FACT}:{' '.join(tokens[at : end + 1])}"], end + 1)
        return list_bet_facts(f"{BET_FACT}:{slug}", result), end + 1

    def _read_two_verbs(self, at: int, result: str, end: int) -> tuple[list[str], int] | None:
        """Return an unknown fact and its end for two verbs that differ: "pay down the hard 4".

        ``result`` is the first verb's and ``end`` the index after it. Return None if no other verb
        with its bets follows.
        """
        reader, tokens = self._reader, self._tokens
        other = reader.before.find(tokens, end)
        if other is None or other[0] == result or result == "push":
            return None
        if not self._moves_money(at, (result, end)):
            return None
        bets, last = reader.find_bets(tokens, other[1], True)
        return ([f"{UNKNOWN_FACT}:{' '.join(tokens[at:last])}"], last) if bets else None

    def _read_number_sentence(self, at: int) -> tuple[list[str], int] | None:
        """Read a number and its verb ("eleven loses"). Return (facts, index after them), or None.

        "Eleven loses" states that the bet on eleven loses. If the number names no bet ("eight
        down", "the big eight pays" where there is no such bet), or pays a multiple, the fact is
        unknown. Otherwise return None: a number that wins is the number thrown.
        """
        reader, tokens, begin = self._reader, self._tokens, at + 1
        after = reader.find_verb_after(tokens, begin)
        if after is None or reader.phrases.find(tokens, begin):
            return None
        result, slug = after[0], STRAIGHT_BETS.get(int(tokens[at]))
        if result == "lose" and slug in reader.slugs:
            return list_bet_facts(f"{BET_FACT}:{slug}", result), after[1]
        if result == "push" and tokens[at] == "12":
            return ["donts.push"], after[1]
        named = self._stray >= 0 or (tokens[at - 1] == "easy" and tokens[begin][0] != "w")
        if result in ("lose", "push", "win-2", "win-3") or (result in ("win", _WINNER) and named):
            return [f"{UNKNOWN_FACT}:{' '.join(tokens[at : after[1]])}"], after[1]
        return None

    def _join_multiple(self, result: str, bets: list[str], end: int) -> tuple[list[str], int]:
        """Return (facts, index after them) of a verb and the bets after it, which end at ``end``.

        A multiple may follow the bets: "pay the field double".
        """
        more = self._reader.after.find(self._tokens, end)
        rest = self._tokens[more[1] : more[1] + 1] if more else []
        pays = result.startswith("win")
        if (
            pays
            and more
            and more[0].startswith("win-")
            and rest not in (["the"], ["field"], ["bubble"])
        ):
            result, end = more
        if result == "lose" and self._tokens[end : end + 1] in (["down"], ["away"]):
            end += self._tokens[end + 1 : end + 2] != ["behind"]  # "take the horn down"
        return self._join_price(result, bets, end)

    def _join_price(self, result: str, bets: list[str], end: int) -> tuple[list[str], int]:
        """Return (facts, index after them) of bets, their verb, and a price after both, if any."""
        if result == "travel":
            return self._join_side(bets, end)
        price = self._reader.find_price(self._tokens, end) if result in ("win", _WINNER) else None
        facts = [fact for bet in bets for fact in list_bet_facts(bet, result)]
        if price is None:
            return facts, end
        (win, stake), end = price
        for bet in bets:
            field = bet == _FIELD and stake == 1
            facts.append(f"{FIELD_FACT}:{win}" if field else f"{PRICE_FACT}:{bet}={win} to {stake}")
        return facts, end

    def _join_side(self, bets: list[str], end: int) -> tuple[list[str], int]:
        """Return (facts, index after them) of bets that travel, and of where they go.

        Only don't comes go behind their number, and they go nowhere else.
        """
        tokens = self._tokens
        behind = tokens[end : end + 1] == ["behind"]
        front = tokens[end : end + 2] == ["in", "front"] or tokens[end : end + 3] in _IN_THE_BOX
        numbered = any(bet.startswith(BET_FACT) for bet in bets)  # Its name says where it goes.
        if not numbered and behind != front and behind is _BETS_BEHIND.isdisjoint(bets):
            words = filter(str.isalnum, tokens[max(0, end - 3) : end + 3])
            return [f"{UNKNOWN_FACT}:{' '.join(words)}"], end + 1
        facts = [fact for bet in bets for fact in list_bet_facts(bet, "travel")]
        return facts, end + (behind and not numbered)

    def _read_word(
        self, at: int, point: str, verb: tuple[str, int] | None
    ) -> tuple[list[str], int]:
        word = self._tokens[at]
        if word.isdecimal():
            if not point and (found := self._read_number_sentence(at)):
                return found
            number = int(word)
            said = self._tokens[at + 1 : at + 4]
            if said[1:] == ["the", "point"] and said[0] in ("was", "is"):
                return [f"point.{said[0]}:{number}"], at + 4
            return [f"{point}:{number}" if point else f"{TOTAL_FACT}:{number}"], at + 1
        if word in _TOTAL_BY_NAME:
            return [f"{TOTAL_FACT}:{_TOTAL_BY_NAME[word]}"], at + 1
        if verb is not None and self._moves_money(at, verb) and self._has_object(verb[1]):
            end = self._find_pause(verb[1])
            return [f"{UNKNOWN_FACT}:{' '.join(self._tokens[at:end])}"], end
        if word in _MARK_BY_WORD:
            return [_MARK_BY_WORD[word]], at + 1
        end = self._find_money_verb_end(at)
        if end and at and self._tokens[at - 1].isalpha():
            words = self._tokens[max(0, at - 2) : end]
            return [f"{UNKNOWN_FACT}:{' '.join(w for w in words if w.isalpha())}"], end
        return [], at + 1

    def _moves_money(self, at: int, verb: tuple[str, int]) -> bool:
        """Return whether a verb before bets moves money: "good shooter" and "set the dice" do not.

        ``verb`` is its result and the index after it.
        """
        words = self._tokens[at : verb[1]]
        return words == ["move"] or not (verb[0] == "travel" or words == ["good"])

    def _find_money_verb_end(self, at: int) -> int:
        """Return the index after a verb at an index that says what becomes of a bet, or 0."""
        if self._tokens[at] in _MONEY_VERBS_AFTER:
            return at + 1
        after, before = self._reader.find_verb_after(self._tokens, at), self._tokens[at - 1]
        if after is None or self._tokens[at] not in _AUXILIARIES:
            return 0
        return 0 if before in _TOTAL_BY_NAME or before in _MARK_BY_WORD else after[1]

    def _has_object(self, at: int) -> bool:
        """Return whether the word at an index could name what a verb before it is about."""
        while at < len(self._tokens) and self._tokens[at] in _FILLERS:
            at += 1
        if at >= len(self._tokens) or not self._tokens[at].isalpha():
            return False
        said = self._tokens[at]
        return said not in _JOINERS | _PUCKS and not self._reader.before.find(self._tokens, at)

    def _find_pause(self, at: int) -> int:
        while at < len(self._tokens) and self._tokens[at].isalpha():
            if self._tokens[at] in _JOINERS or self._reader.before.find(self._tokens, at):
                return at
            at += 1
        return at


#: Verbs that apply to the bets before them, whatever follows: "the field loses come to the 4".
_VERBS_OF_BETS_BEFORE = frozenset(("lose", "pays"))
#: Verbs of one word that say what becomes of the bets before them.
_MONEY_VERBS_AFTER = frozenset(
    ("away", "down", "wins", "loses", "win", "lose", "pays", "pushes", "travel", "travels")
)
#: What shows the point, so that a verb with it moves no money.
_PUCKS = frozenset(("puck", "pucks", "marker", "point", "number"))
#: The bets that go behind their number, and words for the other side of it.
_BETS_BEHIND = frozenset(("donts", "dont-come"))
_IN_THE_BOX = (["in", "the", "box"], ["into", "the", "box"])
#: Verbs after which a number names a bet. After "pay" it may be the number thrown.
_NUMBER_BET_VERBS = frozenset(
    ("bar", "clear", "collect", "lock", "no", "pick", "push", "rake", "remove", "sweep", "take")
)


#: The bets that are paid even money, so that "single" is true of them.
_EVEN_MONEY = ("line", "donts", "come", "dont-come", "boxes", "behind")


def list_bet_facts(bet: str, result: str) -> list[str]:
    """Return the facts that a verb states of a bet; ``field`` and ``win-2`` give two facts.

    ``bet`` is an area, or a wager as ``bet:slug``; ``result`` is the verb's. Only the field is paid
    by a multiple. Calling the line a winner also states the fact ``winner``.
    """
    if result == _WINNER:
        return [*((_WINNER,) if bet == "line" else ()), *list_bet_facts(bet, "win")]
    plain, _, times = result.partition("-")
    if times and bet == _FIELD:
        return [f"{bet}.{plain}", f"{FIELD_FACT}:{times}"]
    if times and (times != "1" or bet not in _EVEN_MONEY):
        words = ("", "single", "double", "triple")[int(times)]
        return [f"{UNKNOWN_FACT}:{words} the {bet.removeprefix(f'{BET_FACT}:')}"]
    if bet == "donts" and plain == "travel":
        return ["dont-come.travel"]
    if bet.startswith(f"{BET_FACT}:{_HARD}") and plain == "win":
        return [f"{bet}.{plain}", "hard"]
    slug = bet.removeprefix(f"{BET_FACT}:")
    if (found := _ON_NUMBER.fullmatch(slug)) and found[1] in _BEHIND:
        # "The don't come goes behind the 6" is about the bet before it has its number.
        moved = ["dont-come.travel", f"{TOTAL_FACT}:{found[2]}"]
        return moved if plain == "travel" else [f"{bet}.{plain}", f"behind.{plain}"]
    return [f"{bet}.{plain}"]
