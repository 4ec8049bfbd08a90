"""The drill ``booking``: a player calls a bet; repeat it, and say where it goes on the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import Any

from passline.crew.procedures import list_between_roll_tasks
from passline.game.layout.spots import Spot
from passline.game.layout.stakes import Refusal
from passline.game.layout.wager_checks import find_bounds
from passline.game.money.amounts import show_dollars, to_dollars
from passline.game.table import commands as cmd
from passline.game.table.decide import decide
from passline.game.table.evolve import evolve
from passline.game.table.state import Table
from passline.game.table.table_ends import PLACES
from passline.game.words.school import ORDINALS, say_school
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.school.answer_fields import (
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    format_amounts,
    quote_value,
    read_cents,
    read_words,
)
from passline.school.booking_details import (
    IGNORED_PHRASES,
    describe_parts,
    find_part_error,
    list_due_parts,
    list_readings,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.drills.groups import format_wagers, grade_wagers, list_groups, parse_bets
from passline.school.explanations import (
    describe_booked_position,
    describe_position,
    find_booked_position_clauses,
)
from passline.school.practice_players import is_worth_vig
from passline.school.practice_tables import (
    PLAYER_NAMES,
    TableThrow,
    list_plain_spots,
    make_practice,
    make_table,
    pick_spot,
)
from passline.school.question_types import (
    DrillSetup,
    Grade,
    NoQuestionError,
    Question,
    find_wager_clauses,
)
from passline.school.seeded_random import SeededRandom
from passline.talk.echo import echo
from passline.talk.groups import find_smallest_sum
from passline.talk.normalize import convert_number_words

_GROUPS_LEVEL, _SEVERAL_LEVEL = 2, 3
#: How many minimums a player bets; casino-sized bets come at the higher levels.
_UNIT_COUNTS = (1, 2, 3, 5, 10)
_HIGH_LEVEL, _HIGH_UNIT_COUNTS = 4, (5, 6, 8, 10, 20)
#: The ways in which a player calls a bet.
_CALL_TEMPLATES = ("{name} for {amount}", "{amount} on the {name}", "{name}, {amount}")


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    player, place = random.pick(PLAYER_NAMES), random.between(1, PLACES)
    points = tuple(setup.house.book.points.value)
    puck = random.pick(points)
    table = make_table(setup, puck, player, place)
    say = _make_call(setup, table, player, random)
    wagers = parse_bets(table, say, player)
    if not wagers or wagers.keys() & table.seat(player).wagers.keys():
        raise NoQuestionError("booking.no-new-bet")
    bets = [cmd.Bet(player, slug, cents) for slug, cents in wagers.items()]
    clauses = _find_repeat_clauses(table, bets)
    due = list_due_parts(table, bets, clauses, place)
    money = 0
    if "change" in due:
        booked = sum(wagers.values()) + due.get("vig", 0)
        money = booked + random.pick((0, *_list_change(setup, booked)))
        due["change"] = money - booked
    repeat = ", ".join([echo(bets, table), *describe_parts(due)])
    spots = [setup.layout.spots[slug] for slug in wagers]
    places = {spot.slug: describe_booked_position(table, spot, player) for spot in spots}
    given: dict[str, Any] = {"say": say, "player": player, "place": place, "puck": puck}
    if money:
        given["money"] = to_dollars(money)
    return Question(
        drill="booking",
        ask=say_school(
            "booking.ask-money" if money else "booking.ask",
            player=player,
            place=place,
            money=money,
        ),
        given={
            **given,
            "how": say_school("positions.how"),
            "record": make_practice(setup, puck, player, place).record_text,
        },
        answer={"repeat": repeat, "wagers": format_amounts(wagers), "set": places},
        explain=(
            say_school("booking.repeat", repeat=repeat),
            *(
                f"{layout_name(slug)}, {show_dollars(wagers[slug])}: {places[slug]}"
                for slug in wagers
            ),
        ),
        cite=setup.cites(
            *clauses,
            *(cite for spot in spots for cite in find_booked_position_clauses(table, spot, player)),
        )
        or setup.cites(*find_wager_clauses(spots[0])[:2]),
    )


#: The amounts of change in cents that a player may have coming.
_CHANGE = (100, 200, 300, 400, 500, 800, 1000, 1300, 2500, 4000)


def _list_change(setup: DrillSetup, booked: int) -> list[int]:
    return [
        cents for cents in _CHANGE if cents % setup.house.chip == 0 and cents < max(booked, 600)
    ]


def _find_repeat_clauses(table: Table, bets: Sequence[cmd.Bet]) -> tuple[str, ...]:
    """Return the ids of the clauses on how the crew repeats these bets aloud and sets them up.

    Raise NoQuestionError if the table refuses one of the bets.
    """
    found: list[str] = []
    for bet in bets:
        answer = decide(table, bet)
        if isinstance(answer, Refusal):
            raise NoQuestionError("booking.not-taken", wager=bet.wager)
        for event in answer:
            found += [task.cite for task in list_between_roll_tasks(table, event)]
            table = evolve(table, event)
    return tuple(found)


def _make_call(setup: DrillSetup, table: Table, player: str, random: SeededRandom) -> str:
    """Return what a player might call: one bet, several bets, or a group such as ``$32 across``.

    Groups come from level 2, several bets in one sentence from level 3.
    """
    groups = list_groups(setup)
    if setup.level >= _GROUPS_LEVEL and groups and random.one_in(4):
        name = random.pick(groups)
        total = find_smallest_sum(table, f"{name}-no-point") * _pick_unit_count(setup, random)
        return f"{show_dollars(total)} {name.replace('-', ' ')}"
    many = random.between(2, 3) if setup.level >= _SEVERAL_LEVEL and random.one_in(2) else 1
    spots = [
        spot
        for spot in list_plain_spots(setup.layout)
        if not spot.is_odds and not spot.only_travels
    ]
    if setup.level == 1:
        spots = [spot for spot in spots if spot.rule.area == "table"]
    if not spots:
        raise NoQuestionError("booking.no-bets")
    called = [pick_spot(spots, random) for _ in range(many)]
    return ", ".join(_make_single_call(setup, spot, random) for spot in called)


def _make_single_call(setup: DrillSetup, spot: Spot, random: SeededRandom) -> str:
    span = find_bounds(setup.layout, spot, 0, {})
    unit = lcm(spot.step, spot.odds.step(setup.house.chip))
    least = -(-span.least // unit) * unit  # Six dollars on the 6, where five is the minimum.
    cents = min(least * _pick_unit_count(setup, random), span.most)
    if not is_worth_vig(setup.house, spot, cents):
        raise NoQuestionError("vig.level", wager=spot.slug)
    name, amount = spoken_wager_name(spot.slug), show_dollars(cents)
    return random.pick(_CALL_TEMPLATES).format(name=name, amount=amount)


def _pick_unit_count(setup: DrillSetup, random: SeededRandom) -> int:
    return random.pick(_UNIT_COUNTS if setup.level < _HIGH_LEVEL else _HIGH_UNIT_COUNTS)


def _parse_answer(_: DrillSetup, __: Question, text: str) -> Any:
    """Return {"repeat": words before the slash, "set": position after it}. Both are required.

    Raise UnreadableAnswerError if one is missing.
    """
    repeat, _slash, where = text.partition("/")
    if not where.strip():
        raise UnreadableAnswerError("booking.expected-set")
    return {"repeat": repeat.strip(), "set": where.strip()}


def _grade_fields(setup: DrillSetup, question: Question, fields: AnswerFields) -> Grade | str:
    repeat, wagers, where = (fields.get(name) for name in ("repeat", "wagers", "set"))
    if repeat is None and wagers is None:
        raise UnreadableAnswerError("booking.expected")
    if isinstance(wagers, str):
        if error := _find_bets_error(setup, question, wagers):
            return error
    elif wagers is not None and not (grade := grade_wagers(setup, question, wagers)).right:
        return grade.because
    if repeat is not None and (error := _find_repeat_error(setup, question, repeat)):
        return error
    if where is not None and (error := _find_position_error(question, where)):
        return error
    return Grade(True, "; ".join(question.explain))


def _find_bets_error(setup: DrillSetup, question: Question, words: str) -> str:
    """Return what is wrong with the bets that the learner wrote in answer to a booking question.

    ``words`` are the bets as table talk, such as "place 6 for $12". Return "" if nothing is wrong.
    """
    given = question.given
    table = make_table(setup, given["puck"], given["player"], given["place"])
    found = parse_bets(table, read_words(words, "wagers"), given["player"])
    want = {slug: read_cents(amount, slug) for slug, amount in question.answer["wagers"].items()}
    if found == want:
        return ""
    if not found:
        value = quote_value(words)
        return say_school("booking.not-bets", value=value, bets=format_wagers(want))
    return grade_wagers(setup, question, format_amounts(found)).because


def _find_repeat_error(setup: DrillSetup, question: Question, value: object) -> str:
    """Return what is wrong with the words that repeat the call, or "" if they are right.

    They must mean the same bets, and add what the rulebook's clauses ask for. ``value`` is the
    field "repeat" of the answer.
    """
    given = question.given
    phrase = read_words(value, "repeat")
    table = make_table(setup, given["puck"], given["player"], given["place"])
    want = parse_bets(table, given["say"], given["player"])
    figures = {"value": quote_value(phrase), "repeat": question.answer["repeat"]}
    _, due = list_readings(question.answer["repeat"], given["place"])[0]
    expected = {part: numbers[0] for part, numbers in due.items()}
    heard, errors = list[dict[str, int] | None](), list[str]()
    for bets, parts in list_readings(phrase, given["place"]):
        means = [
            parse_bets(table, words, given["player"]) for words in _list_wordings(question, bets)
        ]
        if want in means or parse_bets(table, phrase, given["player"]) == want:
            errors.append(find_part_error(expected, parts, given["place"], figures))
        heard += means
    if errors:
        return "" if "" in errors else errors[0]
    found = next((bets for bets in heard if bets), None)
    if found is None:
        return say_school("booking.no-repeat", **figures)
    return say_school("booking.other-bets", bets=format_wagers(found), **figures)


def _list_wordings(question: Question, bets: str) -> list[str]:
    """Return the forms of an answer's words to try to read bets from.

    They are: the words as they are; without the player's name; also without what a dealer may add
    ("sir", "you're up"); also with a comma after each amount; and with each name of a bet followed
    by its amount: "hard 6, five, horn, eight".
    """
    name = re.escape(question.given["player"])
    plain = re.sub(rf"\bfor {name}\b|\b{name}(?:'s)?\b[,:]?", " ", bets, flags=re.IGNORECASE)
    bare = IGNORED_PHRASES.sub(" ", plain)
    listed = re.sub(r"(\$\d+(?:\.\d\d)?)\s+(?=[a-z])", r"\1, ", bare)
    named = _FULL_NAMES.sub(r"\1\2\3", plain)
    paired = _pair_amounts(IGNORED_PHRASES.sub(" ", named))
    wordings = (bets, plain, bare, listed, paired)
    return [" ".join(words.split()).strip(" ,.;:") for words in dict.fromkeys(wordings)]


#: What a dealer may call a bet: "place bet on the 8", "lay against the 6". Players say less.
_FULL_NAMES = re.compile(
    r"\b(place|buy|lay) bet (?:on|against)\b|\b(lay) against\b|\b(hop)ping\b", re.IGNORECASE
)
_BARE_AMOUNT = re.compile(r"\$?\d+(?:\.\d\d)?(?: dollars?| bucks?)?")
_HAS_AMOUNT = re.compile(r"\$|\bfor\b|\bon\b|\b(?:dollar|buck)s?\b")


def _pair_amounts(words: str) -> str:
    """Return a list of bets with "for" between a name and the amount after it.

    >>> _pair_amounts("buy the nine, fifty, $5 hard 6, horn, 8")
    'buy the nine for 50, $5 hard 6, horn for 8'
    """
    paired: list[str] = []
    for part in (part.strip() for part in words.split(",")):
        amount = " ".join(convert_number_words(part.lower().replace("-", " ").split()))
        bare = _BARE_AMOUNT.fullmatch(amount)
        if bare and paired and not _HAS_AMOUNT.search(paired[-1].lower()):
            paired[-1] += f" for {amount}"
        else:
            paired.append(part)
    return ", ".join(paired)


def _find_position_error(question: Question, value: object) -> str:
    """Return what is wrong with the answer's positions on the layout, or "" if nothing is.

    ``value`` is a dict of positions by wager, a list of positions, or one text for all the wagers.
    Each must contain every word of the right position, except words such as "the" and "of", and no
    word of another position.
    """
    right: dict[str, str] = question.answer["set"]
    place = question.given["place"]

    def read_position(said: object) -> str:
        """Return a position in words, with the player's seat ("position 7") as "ann's position"."""
        words = read_words(said, "position")
        own = rf"\b(?:position|seat|spot)\s+(?:number\s+)?{place}\b"
        return re.sub(own, f"{question.given['player']}'s position", words, flags=re.IGNORECASE)

    if isinstance(value, dict):
        missing = [slug for slug in right if slug not in value]
        if missing:
            slug = missing[0]
            return say_school("booking.no-position", wager=slug, where=right[slug])
        positions = {slug: read_position(value[slug]) for slug in right}
    elif isinstance(value, list):
        return _find_listed_position_error(right, [read_position(each) for each in value], place)
    else:
        positions = dict.fromkeys(right, read_position(value))
    every = " ".join(right.values())
    for slug, words in positions.items():
        if lacking := _find_lacking_words(right[slug], words):
            figures = {"where": right[slug], "words": sorted(lacking)}
            return say_school("booking.lacking", wager=slug, **figures)
        if _find_stray_words(right[slug] if isinstance(value, dict) else every, words, place):
            return say_school("booking.no-other", wager=slug, where=right[slug])
    return ""


def _find_listed_position_error(right: dict[str, str], listed: list[str], place: int) -> str:
    """Return what is wrong with a list of positions, or "" if it has just the right ones."""

    def fits(where: str, words: str) -> bool:
        stray = _find_stray_words(where, words, place)
        return not (stray or _find_lacking_words(where, words))

    for words in listed:
        if not any(fits(where, words) for where in right.values()):
            return say_school("booking.not-position", where=quote_value(words))
    for slug, where in right.items():
        if not any(fits(where, words) for words in listed):
            return say_school("booking.no-position", wager=slug, where=where)
    return ""


_STOP_WORDS = frozenset(
    word
    for line in (
        "a an and at before from in is its it of off on",
        "players s the to toward with center share",
    )
    for word in line.split()
)
_SYNONYMS = {"spot": "position", "seat": "position"}
#: Words that tell one position on the layout from another, beside the numbers.
_TELLING_WORDS = frozenset(ORDINALS) | frozenset(
    ("front", "back", "behind", "left", "right", "pass", "dont", "come", "field", "hard", "horn")
)


def _find_lacking_words(where: str, words: str) -> set[str]:
    """Return the words of a position that the words of an answer lack."""
    return _find_key_words(where) - _find_key_words(words)


def _find_stray_words(where: str, words: str, place: int) -> set[str]:
    """Return the words of an answer that belong to another position on the layout.

    Words for the player's own rail position, such as "seat 5", are ignored.
    """
    own = re.sub(rf"\b(?:position|place|seat|spot)\s+{place}\b", " ", words.lower())
    telling = {word for word in _find_key_words(own) if word in _TELLING_WORDS or word.isdecimal()}
    return telling - _find_key_words(where)


def _find_key_words(words: str) -> set[str]:
    """Return the words of a position that tell where it is.

    ``3rd share`` and ``share three`` are the third share.
    """
    bare = re.sub(r"['\u2018\u2019](?:s\b)?", "", words.lower())
    found = (convert_number_words([word])[0] for word in re.findall(r"[a-z0-9]+", bare))
    plain = " ".join(_SYNONYMS.get(word, word) for word in found)
    shares = re.sub(r"\bshare (?:number )?(\d+)\b", r"\1 share", plain)
    told = re.sub(r"\b(\d+)(?:st|nd|rd|th|(?= share\b))", _write_ordinal, shares)
    return {word for word in told.split() if word not in _STOP_WORDS}


def _write_ordinal(match: re.Match[str]) -> str:
    number = int(match[1])
    return ORDINALS[number - 1] if 0 < number <= len(ORDINALS) else match[0]


_OFFERED_POSITIONS = 4


def _list_fields(setup: DrillSetup, question: Question) -> tuple[AnswerField, ...]:
    """Return the form's three inputs: the words repeated, the bets booked, and their positions."""
    return (
        AnswerField(name="repeat", kind="words"),
        AnswerField(name="wagers", kind="words", title=say_school("booking.book")),
        AnswerField(name="set", kind="ticks", choices=_offer_positions(setup, question)),
    )


def _offer_positions(setup: DrillSetup, question: Question) -> tuple[tuple[str, str], ...]:
    """Return (position, position) pairs to tick: right and wrong ones, shuffled.

    The wrong ones are the same bets of players nearby, and other bets of the player.
    """
    given = question.given
    table = make_table(setup, given["puck"], given["player"], given["place"])
    booked = parse_bets(table, given["say"], given["player"]) or {}
    spots = [setup.layout.spots[slug] for slug in booked]
    right = [describe_booked_position(table, spot, given["player"]) for spot in spots]
    random = SeededRandom("positions", given["say"], given["place"])
    others = list_plain_spots(setup.layout)
    wrong = [
        *(describe_position(setup.layout, s, p) for s in spots for p in _list_neighbors(given)),
        *(describe_booked_position(table, s, given["player"]) for s in random.sample(others, 3)),
    ]
    offered = random.sample([w for w in dict.fromkeys(wrong) if w not in right], _OFFERED_POSITIONS)
    return tuple((words, words) for words in random.shuffled([*dict.fromkeys(right), *offered]))


def _list_neighbors(given: Mapping[str, Any]) -> list[int]:
    place = given["place"]
    return [other for other in (place - 2, place - 1, place + 1, place + 2) if 1 <= other <= PLACES]


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    """Yield a question with a call to book, at a new table that only shares the throw's setup."""
    yield _make_question(throw.setup, throw.random)


DRILL = Drill(
    name="booking",
    teaching_order=30,
    seconds=30,
    make_question=_make_question,
    grade_fields=_grade_fields,
    parse_answer=_parse_answer,
    hint="booking.hint",
    fields=_list_fields,
    score_part="procedure",
    audition=AuditionPart(place=7, count=3, make_questions=_make_audition_questions),
    never_repeats=True,
)
