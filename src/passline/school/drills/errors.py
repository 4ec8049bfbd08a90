"""The drill ``errors``: find the wrong step in a list of the crew's work, and say why it is wrong.

A question puts one mistake in a right list of steps. The reason must name the right kind of
mistake, and any player, wager or amount in it must fit. If a step was left out, the reason must
name its bet: whose it is, and which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from passline.crew.learner_steps import CrewStep, CrewWork, list_crew_work
from passline.crew.press import compute_press
from passline.game.law.duties import works_by_custom
from passline.game.layout.stakes import Refusal
from passline.game.money.amounts import show_dollars
from passline.game.table.table_ends import opposite_end
from passline.game.words.school import say_school
from passline.game.words.wagers import layout_name, spoken_wager_name
from passline.school.answer_fields import (
    AnswerField,
    AnswerFields,
    UnreadableAnswerError,
    quote_value,
    read_cents,
    read_list,
    read_words,
)
from passline.school.drill import AuditionPart, Drill
from passline.school.practice_tables import (
    TableThrow,
    establish_point,
    find_busy_throw,
    make_bet,
    make_busy_table,
    pick_dice_for_total,
    seat_players,
)
from passline.school.question_types import DrillSetup, NoQuestionError, Question
from passline.school.question_work import find_question_work, read_steps
from passline.school.seeded_random import SeededRandom
from passline.school.work_faults import FaultKind, WorkFault, find_work_faults

#: Patterns for the beginnings of words that name each kind of mistake. "n't" is read as "not".
_KIND_PATTERNS: Final[dict[FaultKind, str]] = {
    "amount": "amount|much|little|many|few|short|light|heav|enough|more|less|(over|under|mis) ?pa"
    "|over by|under by|off by|(mis)?count|press|worth|price|pay ?o|pay(s|ing)? the wrong"
    "|wrong (pay|odds|siz|money)|key|chip|unit|sum|total|math|calculat|miscalc|recko|doubl|twice"
    "|too (high|low|big|small|large)|cut|buck|dollar|[$]|even money|to one|the money"
    r"|\d+ (to|for) \d|\d[\d.]* (not|instead of) [$]? ?\d"
    r"|(be|got?|gets?|give|given|gave|wins?|pays?|paid) \d",
    "order": "order|before|after|first|second|last|next|earl|late|wait|walk|turn|direction"
    "|sequence|ahead|soon|way round|wrong way|clockwise|then|swap|switch|queue|while|until"
    "|start(s|ed|ing)?|(base|stick) to (the )?(base|stick)",
    "flat before odds": "odds|flat|order|before|first|after|sequence",
    "end": "ends?( |$)|side|reach|across|belongs to|half of the table"
    "|(wrong|other|another|not (his|her|their|my|your)) (base|dealer|player|guest|half)"
    "|(dealer|base|half) (on|at)|(at|on|from|to) the (left|right)"
    "|(left|right)( hand)? (base|dealer|half)",
    "hand": "hands?( (?!off|over|it)|$)|inside|outside",
    "missed": "miss(?!count)|left (out|up|on|stand|lying|there|behind)|was left|leav|forg|skip|omit"
    "|overlook|never|ignor|nobody|no one|unpaid|untaken|still (up|there|on|l[iy])|stay|also|too$"
    "|as well|not (tak|paid|pay|plac|mov|collect|pick|don|deal|touch|settl)",
    "loser paid": "los[eti]|loss|take|not a win|not win|no win|wins? nothing|down"
    "|be(en)? (collect|pick|tak)|not (have been|be|to be|get) paid|instead of tak",
    "not due": "not due|nothing|no bet|not to be",
    "post": "post|stick|base|box",
}
#: These name an amount only if nothing else is named: "a loser was paid" is not about an amount.
_PAYMENT_PATTERN: Final = "pays|paid|due"
#: Names one bet that lost, as opposed to "the losers go first", which names the order.
_LOSER_PATTERN: Final = "lost|losing|los(er|es)$|paid (a|the) los|a los|loses on|not (a )?win"
_AMOUNT_PATTERN: Final = re.compile(
    r"\$\s?(\d+(?:,\d{3})*(?:\.\d\d)?)|(\d+(?:,\d{3})*(?:\.\d\d)?)\s?(?:dollars|bucks)"
)
#: Words that call an amount a difference: "overpaid by $5", "$5 too much".
_DIFFERENCE_PATTERN: Final = "by|too|over|under|short|more|less|extra|off|missing|lack"
#: The verb in "losers come first", which names no come bet.
_COME_VERB: Final = re.compile(
    r"\bcomes? (?=(?:too )?(?:first|last|later|before|after|next|early|late|down)\b)"
)
StepList = tuple[CrewStep, ...]


def find_fault_kinds(words: str) -> frozenset[str]:
    """Return the kinds of mistake that a text names. Raise UnreadableAnswerError if it names none.

    >>> find_fault_kinds("with the wrong hand")
    frozenset({'hand'})
    """
    text = re.sub(r"'s\b", "", words.lower().replace("\u2019", "'").replace("n't", " not"))
    reason = " ".join(re.findall(r"[$]|[a-z]+|[0-9][0-9.]*", text))
    found = {kind for kind, signs in _KIND_PATTERNS.items() if _matches(signs, reason)}
    if not found and _matches(_PAYMENT_PATTERN, reason):
        found.add("amount")
    if "order" in found and not _matches(_LOSER_PATTERN, reason):
        found.discard("loser paid")
    if not found:
        raise UnreadableAnswerError("errors.no-kind", value=quote_value(words))
    return frozenset(found)


def _matches(pattern: str, reason: str) -> bool:
    return re.search(rf"(?<![a-z0-9])({pattern})", reason) is not None


def find_reason_error(reason: str, faults: Sequence[WorkFault], shown: Sequence[CrewStep]) -> str:
    """Return what is wrong with the reason that a learner gives for a mistake, or "".

    The reason must name the kind of one of the ``faults``. If it names a player or a wager, the
    mistake must be about that one. If the only kind named is a wrong amount, the amounts must fit.
    ``shown`` is the list of steps with the mistake in it. Raise UnreadableAnswerError if the reason
    names no kind of mistake.
    """
    if any(reason == fault.words for fault in faults):
        return ""
    told = _find_told_kinds(reason, shown)
    if not told & {fault.kind for fault in faults}:
        return say_school("errors.not-reason", value=quote_value(reason))
    about = [step for fault in faults for step in fault.steps]
    words = set(re.findall(r"\w+", reason.lower()))
    players = {step.player for step in shown if step.player and step.player.lower() in words}
    for named, mine in (
        (players, {step.player for step in about}),
        (_find_named_wagers(reason, shown, about), {layout_name(step.wager) for step in about}),
    ):
        if named and not named & mine:
            return say_school("errors.not-about", value=quote_value(reason), names=sorted(named))
    return _find_amount_error(reason, about, shown) if told == {"amount"} else ""


def _find_told_kinds(reason: str, shown: Sequence[CrewStep]) -> frozenset[str]:
    """Return the kinds of mistake that a reason names, not counting words in names of bets.

    "The pass odds are paid wrong" does not mean the order of odds and flat.
    """
    text = reason.lower().replace("\u2019", "'")
    names = {layout_name(step.wager).lower() for step in shown if step.wager}
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"\b{re.escape(name)}\b", "bet", text)
    try:
        return find_fault_kinds(text)
    except UnreadableAnswerError:
        return find_fault_kinds(reason)


def _find_named_wagers(
    reason: str, shown: Sequence[CrewStep], about: Sequence[CrewStep]
) -> set[str]:
    """Return the layout names of the wagers that a text names; if two overlap, the longer one.

    Only wagers of the steps in ``shown`` and ``about`` are looked for.
    """
    text, found = _COME_VERB.sub(" ", reason.lower().replace("-", " ")), set[str]()
    names = {layout_name(step.wager) for step in (*shown, *about) if step.wager}
    for name in sorted(names, key=len, reverse=True):
        if re.search(rf"\b{re.escape(name.lower())}\b", text):
            found.add(name)
            text = text.replace(name.lower(), " ")
    return found


def _find_amount_error(reason: str, about: Sequence[CrewStep], shown: Sequence[CrewStep]) -> str:
    """Return what is wrong if the reason names an amount that fits no step, or "".

    ``about`` are the steps as they should be, and ``shown`` the steps that the question lists. An
    amount fits if it was due or paid for a bet of the mistake (a press has two steps for one bet),
    or is the difference of two such amounts. At least one amount must be of the step with the
    mistake itself; a difference counts for this only if the reason calls it a difference.
    """
    mine = [s for s in shown if (s.player, s.wager) in {(a.player, a.wager) for a in about}]
    wrong = [step for step in mine if step.act in {a.act for a in about}]
    named = {read_cents("".join(pair), "why") for pair in _AMOUNT_PATTERN.findall(reason)}
    apart = _matches(_DIFFERENCE_PATTERN, reason.lower())
    amounts = {step.amount for step in (*about, *wrong)}
    if not named or (
        named <= _add_differences({step.amount for step in (*about, *mine)})
        and named & (_add_differences(amounts) if apart else amounts)
    ):
        return ""
    due = [show_dollars(step.amount) for step in about]
    return say_school("errors.not-amount", value=quote_value(reason), due=due)


def _add_differences(amounts: set[int]) -> set[int]:
    """Return the amounts (cents), and the difference of every two of them."""
    return amounts | {abs(one - other) for one in amounts for other in amounts if one != other}


def make_press_mistake(
    setup: DrillSetup, random: SeededRandom
) -> tuple[CrewWork, StepList, dict[str, Any]]:
    """Return (right work, steps with a mistake, given values) for a question on a press.

    A place bet wins and is pressed by one unit; the mistake is a wrong amount, in what the dealer
    hands over or in the new bet. Raise NoQuestionError if the table allows no such press.
    """
    practice, names = seat_players(setup, 1 if setup.level < 3 else 2, random)
    point = random.pick(tuple(setup.house.book.points.value))
    establish_point(practice, names[0], point, random)
    placed = [
        spot
        for spot in setup.layout.spots.values()
        if spot.slug == f"place-win-{spot.number}" and spot.number != point
    ]
    if not placed:
        raise NoQuestionError("none.place", book=setup.house.book.title)
    spot, player = random.pick(placed), names[-1]
    if not make_bet(practice, player, spot, random):
        raise NoQuestionError("errors.place-refused")
    faces = pick_dice_for_total(spot.number, random)
    up = practice.table.seat(player).wagers[spot.slug].amount
    to = up + spot.odds.stake * max(100, setup.house.chip)
    presses = {"player": player, "number": spot.number, "to": to}
    work = list_crew_work(*practice.preview_throw(*faces))
    work = add_press_to_work(setup, work, presses)
    step = random.pick([step for step in work.steps if step.wager == spot.slug])
    chip = max(setup.house.chip, 100)
    other = step.amount + random.pick((-chip, chip, 2 * chip))
    if other <= 0 or other == step.amount:
        raise NoQuestionError("errors.no-amount")
    shown = tuple(replace(s, amount=other) if s is step else s for s in work.steps)
    given = {"record": practice.record_text, "dice": list(faces)}
    return work, shown, {**given, "presses": {**presses, "to": f"{to / 100:.2f}"}}


def add_press_to_work(setup: DrillSetup, work: CrewWork, presses: dict[str, Any]) -> CrewWork:
    """Return the crew's work with a winning place bet pressed instead of paid.

    ``presses`` holds the player, the bet's number, and "to", the new amount of the bet in cents.
    The player is handed what is left of the win, and the rest goes on the bet. Raise
    NoQuestionError if the press cannot be made.
    """
    player, number, to = presses["player"], presses["number"], presses["to"]
    slug = f"place-win-{number}"
    up = work.table.seat(player).wagers[slug].amount
    move = compute_press(setup.layout, {number: (up, to)})
    if isinstance(move, Refusal):
        raise NoQuestionError("errors.no-press", wager=slug, to=to)
    cite = next((cite for cite in move.cites if not cite.startswith("custom")), "")
    found: list[CrewStep] = []
    for step in work.steps:
        if (step.act, step.player, step.wager) != ("pay", player, slug):
            found.append(step)
            continue
        by = {"cite": cite or step.cite, "settlement_cite": cite or step.settlement_cite}
        found.append(replace(step, amount=move.to_player.amount, hand="outside", **by))
        found.append(replace(step, act="place", amount=move.press, hand="inside", **by))
    return CrewWork(work.table, work.occasion, tuple(found))


_MIN_AUDITION_STEPS = 3
_MIN_STEPS_BY_LEVEL = {1: 2, 2: 2, 3: 3, 4: 4, 5: 5}
MistakeMaker = Callable[[DrillSetup, StepList, SeededRandom], StepList | None]


def _make_question(setup: DrillSetup, random: SeededRandom) -> Question:
    if setup.level > 1 and random.one_in(len(_MISTAKE_MAKERS) + 1):
        work, shown, given = make_press_mistake(setup, random)
    else:
        practice = make_busy_table(setup, random)
        faces, work = find_busy_throw(practice, random, _MIN_STEPS_BY_LEVEL[setup.level])
        given = {"record": practice.record_text, "dice": list(faces)}
        shown = _make_mistake(setup, work, random)
    return _build_question(setup, work, shown, given)


def _build_question(
    setup: DrillSetup, work: CrewWork, shown: StepList, given: dict[str, Any]
) -> Question:
    faults = find_work_faults(work, shown)
    if not _breaks_one_clause(setup, faults):
        raise NoQuestionError("errors.clauses")
    first = faults[0]
    return Question(
        drill="errors",
        ask=_make_ask(given.get("presses")),
        given={**given, "shown": [step.to_json() for step in shown]},
        answer={"wrong": [first.numbers[0]], "why": first.words},
        explain=(say_school("work.step-fault", number=first.numbers[0], fault=first.words),),
        cite=setup.cites(first.cite),
    )


def _make_ask(presses: dict[str, Any] | None) -> str:
    """Return the text of the question: which of the crew's steps is wrong?

    ``presses`` is the press (a raise of a winning bet) that a player asked for: its player, number
    and new amount ("to", in dollars as text); None if there is none. The text must state the press,
    because the layout does not show it.
    """
    if presses is None:
        return say_school("errors.ask")
    return say_school("errors.ask-press", **presses | {"to": read_cents(presses["to"], "to")})


def _make_mistake(setup: DrillSetup, work: CrewWork, random: SeededRandom) -> StepList:
    for way in random.shuffled(_MISTAKE_MAKERS):
        shown = way(setup, work.steps, random)
        if shown is not None and _breaks_one_clause(setup, find_work_faults(work, shown)):
            return shown
    raise NoQuestionError("errors.none")


def _breaks_one_clause(setup: DrillSetup, faults: Sequence[WorkFault]) -> bool:
    """Return whether the mistakes are all of one kind, and a clause of the rulebook forbids it.

    Where the crew works by custom (in Las Vegas), one kind is enough.
    """
    if len({fault.kind for fault in faults}) != 1:
        return False
    return bool(setup.cites(faults[0].cite)) or works_by_custom(setup.house.book.id)


def _change_one(
    steps: StepList,
    some: Sequence[CrewStep],
    random: SeededRandom,
    change: Callable[[CrewStep], CrewStep],
) -> StepList | None:
    """Return the steps with ``change`` applied to a random step of ``some``; None if empty."""
    old = random.pick(some) if some else None
    return tuple(change(step) if step is old else step for step in steps) if old else None


def pay_wrong_amount(setup: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps with one payment too large or too small, or None if nothing is paid."""
    chip = max(setup.house.chip, 100)

    def change(step: CrewStep) -> CrewStep:
        due = step.amount
        others = (due + chip, due - chip, due * 2, due + 5 * chip)
        amounts = [amount for amount in others if amount > 0 and amount != due]
        return replace(step, amount=random.pick(amounts))

    return _change_one(steps, [step for step in steps if step.act == "pay"], random, change)


def work_wrong_end(setup: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps with one done by the dealer of the other end of the table.

    Return None below level 3, or if no base dealer handles chips.
    """
    if setup.level < 3:
        return None
    mine = [s for s in steps if s.act in ("take", "pay", "place") and s.post == "base"]
    return _change_one(steps, mine, random, lambda s: replace(s, end=opposite_end(s.end)))


def use_wrong_hand(_: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps with one done by the wrong hand, or None if no step prescribes a hand."""
    handed, other = [s for s in steps if s.hand], {"outside": "inside"}
    return _change_one(
        steps, handed, random, lambda s: replace(s, hand=other.get(s.hand, "outside"))
    )


def skip_bet(_: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps without one that moves chips, or None if fewer than two do."""
    money = [step for step in steps if step.moves_money]
    left_out = random.pick(money) if len(money) > 1 else None
    return tuple(step for step in steps if step is not left_out) if left_out else None


def pay_loser(_: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps with a losing bet paid instead of taken, or None if no bet loses."""
    lost = [step for step in steps if step.act == "take"]
    return _change_one(steps, lost, random, lambda s: replace(s, act="pay"))


def move_step(_: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Return the steps with one moved too early, or None if fewer than two move chips.

    The caller checks that this breaks a rule of order.
    """
    money = [n for n, step in enumerate(steps) if step.moves_money]
    if len(money) < 2:
        return None
    late = random.pick(money[1:])
    early = random.pick([n for n in money if n < late])
    moved = list(steps)
    moved.insert(early, moved.pop(late))
    return tuple(moved)


def pay_flat_first(_: DrillSetup, steps: StepList, random: SeededRandom) -> StepList | None:
    """Make a mistake for the learner to find: a flat bet is paid before its odds.

    Return the changed steps, or None if no player is paid on both.
    """
    pairs = [
        (odds, flat)
        for odds in range(len(steps))
        for flat in range(odds + 1, len(steps))
        if steps[odds].act == steps[flat].act == "pay"
        and steps[odds].player == steps[flat].player
        and steps[odds].kind in (f"{steps[flat].kind}-odds", steps[flat].kind[:-2] + "-odds")
        and steps[odds].number == steps[flat].number
    ]
    if not pairs:
        return None
    odds, flat = random.pick(pairs)
    moved = list(steps)
    moved[odds], moved[flat] = moved[flat], moved[odds]
    return tuple(moved)


_MISTAKE_MAKERS: tuple[MistakeMaker, ...] = (
    pay_wrong_amount,
    work_wrong_end,
    use_wrong_hand,
    skip_bet,
    pay_loser,
    move_step,
    pay_flat_first,
)


def _make_audition_questions(throw: TableThrow) -> Iterator[Question]:
    if len(throw.work.money) >= _MIN_AUDITION_STEPS:
        shown = _make_mistake(throw.setup, throw.work, throw.random)
        given = {"record": throw.practice.record_text, "dice": list(throw.faces)}
        yield _build_question(throw.setup, throw.work, shown, given)


def _parse_answer(_: DrillSetup, question: Question, text: str) -> Any:
    """Return {"wrong": numbers of the steps, "why": reason}; "why" only if a reason is given.

    Raise UnreadableAnswerError without a number, for the number of no step, or if the reason names
    no kind of mistake.
    """
    found = re.match(
        r"(?:steps?\s*)?(\d{1,4}(?:\s*(?:,|\band\b)?\s*\d{1,4})*)\b[\s:,.-]*(.*)", text
    )
    most = len(question.given["shown"]) + 1
    if found is None:
        raise UnreadableAnswerError("errors.unreadable", value=quote_value(text), most=most)
    numbers = [int(n) for n in re.findall(r"\d+", found[1])]
    if unknown := [n for n in numbers if not 1 <= n <= most]:
        raise UnreadableAnswerError("errors.no-step", number=unknown[0], most=most)
    answer: dict[str, Any] = {"wrong": numbers}
    if not found[2]:
        return answer
    find_fault_kinds(found[2])  # Raises if the words give no reason.
    return answer | {"why": found[2]}


def _find_error(setup: DrillSetup, question: Question, fields: AnswerFields) -> str:
    numbers = _read_step_numbers(fields.get("wrong"))
    work = find_question_work(setup, question)
    assert work is not None
    if "presses" in question.given:
        presses = question.given["presses"]
        work = add_press_to_work(setup, work, {**presses, "to": read_cents(presses["to"], "to")})
    shown = read_steps(question.given["shown"])
    faults = find_work_faults(work, shown)
    if not _identifies_faults(faults, numbers):
        named, wrong = sorted(numbers)[:9], faults[0].numbers[0]
        return say_school("errors.other-step", named=named, number=wrong)
    why = fields.get("why")
    if faults[0].kind == "missed":
        return _find_missed_error(setup, work, faults[0].steps[0], why)
    return "" if why is None else find_reason_error(_read_reason(why), faults, shown)


def _read_reason(value: object) -> str:
    """Return the reason as text, from words or an object with a bet's player and wager."""
    if isinstance(value, dict) and {"player", "wager"} <= value.keys():
        player, wager = (read_words(value[name], "reason") for name in ("player", "wager"))
        return say_school("errors.bet", player=player, wager=wager)
    return read_words(value, "reason")


#: How many players and how many wagers a reason may name, to say whose bet was left out.
_MAX_NAMED = 2
#: Words that name another mistake than a step left out.
_OTHER_MISTAKE: Final = re.compile(
    r"\bwrong (amount|pay|money|odds|chips|end|side|hand|order|dealer)|\b(over|under) ?paid\b"
    r"|\btoo (much|little|early|late|soon)\b|\bout of order\b"
)
_MISSED_PATTERN: Final = _KIND_PATTERNS["missed"].replace("|also|too$|as well", "")


def _find_missed_error(setup: DrillSetup, work: CrewWork, missed: CrewStep, why: object) -> str:
    """Return what is wrong with the reason that an answer gives for a step left out, or "".

    The reason must name the player and the wager of that step, among at most two of each.
    """
    figures = {"player": missed.player, "wager": missed.wager}
    if why is None:
        return say_school("errors.name-bet", **figures)
    reason = _read_reason(why)
    if _OTHER_MISTAKE.search(reason.lower()) and not _matches(_MISSED_PATTERN, reason.lower()):
        return say_school("errors.not-reason", value=quote_value(reason))
    words = set(re.findall(r"\w+", reason.lower()))
    players = [seat.id for seat in work.table.seats if seat.id.lower() in words]
    up = [slug for seat in work.table.seats for slug in seat.wagers]
    wagers = _find_wagers_in(reason, [*work.table.layout.spots, *up])
    for named, mine in ((players, missed.player), (wagers, missed.wager)):
        if mine not in named or len(named) > _MAX_NAMED:
            return say_school("errors.other-bet", value=quote_value(reason), **figures)
    return ""


def _find_wagers_in(text: str, slugs: Sequence[str]) -> list[str]:
    """Return the wagers among ``slugs`` that a text names; if two names overlap, the longer one."""
    # The name of its own beats a spoken one: "come" is not the come bet on a number.
    naming: tuple[Callable[[str], str], ...] = (spoken_wager_name, layout_name, str)
    names = {_plain(name(slug)): slug for name in naming for slug in slugs}
    left, found = f" {_plain(text)} ", dict[str, None]()
    for name in sorted(names, key=len, reverse=True):
        if f" {name} " in left:
            found[names[name]] = None
            left = left.replace(f" {name} ", " | ")
    return list(found)


def _plain(text: str) -> str:
    """Return a text in lowercase words, without apostrophes and the possessive "'s".

    Pauses and dollar signs stay as words of their own, so that no name reaches over them: "don't
    come, $10" is not the don't come on the 10.
    """
    bare = re.sub(r"(?<=[a-z])['\u2019]s\b", " ", text.lower())
    return " ".join(re.findall(r"[a-z0-9]+|[,;:.$()]", re.sub("['\u2019]", "", bare)))


def _read_step_numbers(value: object) -> frozenset[int]:
    if isinstance(value, int) and not isinstance(value, bool):
        value = [value]
    found = read_list(value, "steps")
    if not all(isinstance(n, int) and not isinstance(n, bool) for n in found):
        raise UnreadableAnswerError("errors.numbers", value=quote_value(value))
    return frozenset(found)


def _identifies_faults(faults: Sequence[WorkFault], numbers: frozenset[int]) -> bool:
    """Return whether the step numbers of an answer name the mistake and no other step.

    For steps in the wrong order, any of their numbers will do. For a missing step, the answer must
    be one number: that of any step before which it could come.
    """
    all_named = {number for fault in faults for number in fault.numbers}
    if not numbers or not numbers <= all_named:
        return False
    if faults[0].kind == "missed":
        return len(numbers) == 1
    return any(numbers & set(fault.numbers) for fault in faults)


DRILL = Drill(
    name="errors",
    teaching_order=130,
    seconds=45,
    make_question=_make_question,
    grade_fields=_find_error,
    parse_answer=_parse_answer,
    hint="errors.hint",
    fields=(
        AnswerField(name="wrong", kind="wrong"),
        AnswerField(name="why", kind="words", optional=True, hint=say_school("errors.field-hint")),
    ),
    score_part="procedure",
    audition=AuditionPart(
        place=6, count=3, make_questions=_make_audition_questions, shows_work=True
    ),
    never_repeats=True,
)
