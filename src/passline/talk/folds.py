"""Wagers of several plain words folded into one: ``horn high yo``, ``hop 5-1``, ``odds on 9``."""

from __future__ import annotations

import re


def _horn(found: re.Match[str]) -> str:
    number = {"eleven": "11"}.get(found[1], found[1].removeprefix("craps-"))
    return f"horn-high-{number}"


_FACES = {"ace": "1", "deuce": "2", "trey": "3"}


def _hop(found: re.Match[str]) -> str:
    low, high = sorted(_FACES.get(face, face) for face in (found[1], found[2]))
    straight = {"1-1": "craps-2", "1-2": "craps-3", "5-6": "eleven", "6-6": "craps-12"}
    return straight.get(f"{low}-{high}", f"hop-{low}-{high}")


def _hard_hop(found: re.Match[str]) -> str:
    half = int(found[1]) // 2
    return f"hop-{half}-{half}"


def _hops(found: re.Match[str]) -> str:
    straight = {"2": "craps-2", "3": "craps-3", "11": "eleven", "12": "craps-12"}
    return straight.get(found[1], f"hops-{found[1]}")


_UNITS = r"(\d{1,3}) unit"


def _up(found: re.Match[str]) -> str:
    """``up a unit on the six``: a press by so much."""
    return f"press {found[2] or ''} {found[1]} unit"


def _hards(found: re.Match[str]) -> str:
    return re.sub(r"(4|6|8|10)(?= |$)", r"hard-\1", found[1])


_N = r"(?:total-|number-)?(2|3|4|5|6|8|9|10|11|12)"
_H = r"(?:total-|number-)?(4|6|8|10)"
_SUM = r"(\$?\d[\d,.]*)"
_MANY = r"((?:4|6|8|10)(?: (?:and|,) (?:4|6|8|10))*)"
_GROUP = r"((?:across|inside|outside)(?:-box)?|iron-cross)"
_F = r"([1-6]|ace|deuce|trey)"
_DONT = r"(dont-come|come)(?: on)?"
#: Verbs with which chips are put down, where an amount or a wager for one follows.
_PUT = (
    rf"(?:toss|throw)(?= (?!dice))"
    rf"|drop(?= (?:{_SUM}(?: each)? (?:on|in|against) |.* for {_SUM}))"
    rf"|take(?= (?:{_SUM}(?: each)? (?:on|in|against) |.* for {_SUM}"
    rf"|{_SUM} (?!down$|off$|on$|up$)\S+$))"
)
#: Wagers of several words folded into one, in this order.
_FOLDS = tuple(
    (re.compile(rf"(?<!\S)(?:{pattern})(?= |$)"), put)
    for pattern, put in (
        (r"to(?= (?:place|buy|lay|press|take|hop|make|add|turn|raise|lower) )", ""),
        (_PUT, ""),
        (r"drop", "lower"),
        (rf"spread {_SUM}", r"\1 total"),
        (r", (each|total)", r"\1"),
        (r"horn-high (?:on )?(2|3|11|12|eleven|craps-2|craps-3|craps-12)", _horn),
        (rf"(?:hop (?:all )?hard|hard hop) {_H}", _hard_hop),
        (rf"hard {_H}(?: on)? hop", _hard_hop),
        (r"hop hard-(4|6|8|10)", _hard_hop),
        (r"hard-(4|6|8|10)(?: on)? hop", _hard_hop),
        (r"(?:hop (?:all )?hards|hards hop)", "hops-hard"),
        (rf"(?:hop easy|easy hop) {_H}", r"hops-easy-\1"),
        (r"hop ([1-6])-([1-6])", _hop),
        (rf"hop {_F} {_F}(?= for| \$)", _hop),
        (r"([1-6])-([1-6])(?: on)? hop", _hop),
        (rf"{_F} {_F}(?: on)? hop", _hop),
        (r"hop (?:all )?(?:total-)?(2|3|4|5|6|7|8|9|10|11|12)", _hops),
        (r"hop (eleven|craps-2|craps-3|craps-12)", r"\1"),
        (r"(eleven|craps-2|craps-3|craps-12)(?: on)? hop", r"\1"),
        (r"(?:all |easy )?(4|5|6|7|8|9|10) hop", _hops),
        (rf"hard {_H}", r"hard-\1"),
        (rf"{_H} hard(?! \d)", r"hard-\1"),
        (rf"(?:all )?hards {_MANY}(?= (?:for|on|off|down)|$| \$)", _hards),
        (r"all (?:4 )?hards", "hards"),
        (rf"each hards for {_SUM}", r"hards for \1 each"),
        (rf"all {_GROUP}", r"\1"),
        (rf"{_GROUP} no {_N}", r"\1-no-\2"),
        (rf"{_GROUP} (no|with) point", r"\1-\2-point"),
        (r"double(?! \S*odds| down|$)", "press"),
        (r"(?:odds )?(?:behind|back(?: up)?) it(?: up)?", "odds"),
        (r"back(?: up)? pass", "odds"),
        (rf"(?:odds )?behind {_DONT} {_N}", r"\1-odds-\2"),
        (rf"(?:odds )?(?:behind|back(?: up)?) {_N}", r"odds-\1"),
        (r"(?:odds )?behind (dont-pass|dont-come|come)", r"\1-odds"),
        (r"(?:odds )?behind", "odds"),
        (rf"(\S*odds(?:-\d+)?) with {_SUM}", r"\1 for \2"),
        (rf"lay {_SUM} (?:on )?odds", r"\1 lay-odds"),
        (rf"lay {_SUM} (?:on|against) dont-come {_N}", r"\1 dont-come-odds-\2"),
        (rf"lay-odds (?:on |against )?dont-come(?: on)? {_N}", r"dont-come-odds-\1"),
        (r"lay-odds (?:on |against )?dont-(come|pass)", r"dont-\1-odds"),
        (rf"lay-odds (?:on|against) {_N}", r"lay-odds-\1"),
        (rf"take {_SUM} (?:on )?odds", r"\1 odds"),
        (rf"(dont-come|come) odds (on|off) on {_N}", r"\1-odds-\3 \2"),
        (rf"odds (on|off) on {_N}", r"odds-\2 \1"),
        (rf"(dont-come|come) odds (?:on |behind )?{_N}", r"\1-odds-\2"),
        (rf"odds (?:on |behind )?(dont-come|come) {_N}", r"\1-odds-\2"),
        (rf"(dont-come|come) {_N} odds", r"\1-odds-\2"),
        (r"(\d{1,3})x", r"\1 x"),
        (r"(dont-pass|pass) odds", r"\1-odds"),
        (r"odds (?:on |behind )?(dont-pass|pass)", r"\1-odds"),
        (rf"odds (?:on|behind) {_N}", r"odds-\1"),
        (r"(dont-come|come) odds", r"\1-odds"),
        (r"odds (?:on |behind )?(dont-come|come)", r"\1-odds"),
        (r"(?:345|3 4 5)(?: x| times)?(?= \S*odds)", "3-4-5"),
        (rf"(?:press|take|bring) (.+?) up {_UNITS}", r"press \1 \2 unit"),
        (rf"(?:go )?up {_UNITS}(?: on (.+))?", _up),
        (rf"(lower|raise)(?: (.+?))? {_UNITS}", r"\1 \2 by \3 unit"),
    )
)


def fold_wagers(said: str) -> str:
    """Plain words, each wager of them one word.

    >>> fold_wagers("5 on hop 6 deuce"), fold_wagers("20 behind 9")
    ('5 on hops-6 deuce', '20 odds-9')
    """
    for pattern, put in _FOLDS:
        said = " ".join(pattern.sub(put, said).split())
    return said
