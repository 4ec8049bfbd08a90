"""What is right when something is asked or disputed: ``rulings``. The engine rules; the choices are
its ruling and others that it might have been."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from passline.dice import OUTCOMES
from passline.law.cited import Sourced
from passline.law.decisions import decisions
from passline.law.grounds import for_no_roll, known_grounds
from passline.law.load import rulebook
from passline.layout import Refusal, Settlement, Spot, refuse
from passline.money import show_dollars
from passline.record.deal import play_line
from passline.record.read import RecordLine
from passline.school.answers import fields_of, read_words
from passline.school.busy import busy_scene
from passline.school.drawing import Draws
from passline.school.drills.terms import mark_choice
from passline.school.lessons.asking import recall_one, recalled
from passline.school.questions import Desk, Drill, Mark, NotAskedError, Question
from passline.school.scenes import Scene
from passline.talk import RecordError
from passline.talk.says import money_words
from passline.words.refusals import refusal_words
from passline.words.wagers import layout_name

_DONE = "It is done."
_NO_GROUND = "that is no ground for a no roll here"
_CHOICES = {1: 3, 2: 4, 3: 4, 4: 4, 5: 5}
#: Rulings of a kind: one of them is no false reading of another.
_FAMILIES = {
    "down": ("not-taken-down", "not-taken-down-with-number"),
    "raise": ("not-raised", "not-raised-with-number", "not-restored"),
    "reduce": ("not-reduced", "not-reduced-with-number"),
    "make": ("before-come-out", "with-point", "travels", "needs-flat"),
    "on": ("not-called-on",),
    "off": ("not-called-off",),
}
#: Those that need no figures but the wager, to be read falsely.
_PLAIN = (
    "not-taken-down",
    "not-raised",
    "not-reduced",
    "before-come-out",
    "with-point",
    "not-called-on",
)


class Ruling(NamedTuple):
    """A question with its right ruling, those that it might have been, and the clauses."""

    ask: str
    right: str
    others: Sequence[str]
    cites: Sequence[str]


def _pose(desk: Desk, draws: Draws) -> Question:
    own = recalled(desk.house.book.id, draws)
    if own is not None:
        return recall_one(desk, own, draws, _CHOICES[desk.level])
    kinds = [_decided] if desk.level == 1 else [_decided, _said, _said]
    if desk.level >= 3:
        kinds.append(_no_roll)
    if desk.level >= 4:
        kinds.append(_read)
    scene = busy_scene(desk, draws)
    ruling = draws.pick(kinds)(scene, draws)
    others = [words for words in dict.fromkeys(ruling.others) if words != ruling.right]
    if not others:
        raise NotAskedError("nothing else that it could be")
    some = draws.some(others, _CHOICES[desk.level] - 1)
    choices = draws.shuffled([ruling.right, *some])
    cite = desk.cites(*ruling.cites)
    if not cite:
        raise NotAskedError("no clause of the book's rules on it")
    return Question(
        drill="rulings",
        ask=ruling.ask,
        given={"record": scene.text, "ask": ruling.ask, "choices": choices},
        answer={"choice": choices.index(ruling.right), "cite": cite[0]},
        explain=(ruling.right,),
        cite=cite,
    )


def _decided(scene: Scene, draws: Draws) -> Ruling:
    """What a throw does to a wager that is up."""
    up = [(seat.id, slug) for seat in scene.table.seats for slug in seat.wagers]
    if not up:
        raise NotAskedError("nothing is up")
    player, slug = draws.pick(up)
    faces = _telling(scene, slug, draws)
    _, rolled = scene.rolled(*faces)
    mine = [s for s in rolled.settlements if (s.player, s.wager) == (player, slug)]
    spot = scene.desk.layout.spots[slug]
    done = mine[-1] if mine else None
    cites = [done.cite] if done is not None else [*_resting(scene, spot), *_decided_by(scene, spot)]
    amount = scene.table.seat(player).wagers[slug].amount
    return Ruling(
        ask=f"{faces[0]}-{faces[1]} is thrown. What becomes of {player}'s {layout_name(slug)} of "
        f"{show_dollars(amount)}?",
        right=_outcome(done, amount),
        others=list(_other_outcomes(done, amount)),
        cites=cites,
    )


def _telling(scene: Scene, slug: str, draws: Draws) -> tuple[int, int]:
    """A throw that decides the wager two times of three."""
    spot, puck = scene.desk.layout.spots[slug], scene.table.puck
    telling = [pair for n, pair in enumerate(OUTCOMES) if spot.tables[puck][n] is not None]
    return draws.pick(telling if telling and not draws.one_in(3) else OUTCOMES)


def _decided_by(scene: Scene, spot: Spot) -> Sequence[str]:
    """The clauses that say which throws decide a wager now."""
    table = spot.tables[scene.table.puck]
    return list(dict.fromkeys(verdict.cite for verdict in table if verdict is not None))


def _resting(scene: Scene, spot: Spot) -> Sequence[str]:
    """The clauses by which a wager rests on a come-out roll."""
    rule = spot.rule.come_out
    return rule.clauses if rule is not None and not scene.table.puck else ()


def _outcome(done: Settlement | None, amount: int) -> str:
    if done is None:
        return "Nothing: it stays up, and this throw does not decide it."
    match done.result:
        case "win":
            return f"It wins, and is paid {show_dollars(done.paid)}."
        case "lose" if done.back:
            return f"It loses; {show_dollars(done.back)} of it comes back."
        case "lose":
            return "It loses, and is taken."
        case "push":
            return "It stands off: neither won nor lost."
        case "travel":
            return f"It goes to {layout_name(done.to or '')}."
        case _:
            return f"It was off: {show_dollars(amount)} goes back to the player."


def _other_outcomes(done: Settlement | None, amount: int) -> Iterator[str]:
    yield "Nothing: it stays up, and this throw does not decide it."
    yield "It loses, and is taken."
    yield "It stands off: neither won nor lost."
    yield f"It was off: {show_dollars(amount)} goes back to the player."
    for paid in (amount, amount * 2, amount * 3 // 2):
        if done is None or done.result != "win" or paid != done.paid:
            yield f"It wins, and is paid {show_dollars(paid)}."


def _said(scene: Scene, draws: Draws) -> Ruling:
    """Something that a player says: done, or refused, and for which reason."""
    asked = draws.shuffled(list(_says(scene, draws)))
    refused = draws.one_in(3) is False
    for player, say, spot in asked:
        answer = _answer(scene, f"{player}: {say}", player, say)
        if answer is None or (isinstance(answer, Refusal) != refused):
            continue
        if isinstance(answer, Refusal):
            right, cites = f"It is refused: {refusal_words(answer)}.", [answer.cite]
        else:
            right, cites = _DONE, list(_allowed_by(spot, say))
        code = answer.code if isinstance(answer, Refusal) else ""
        return Ruling(
            ask=f"{player} says: '{say.replace(spot.slug, layout_name(spot.slug), 1)}'. "
            "What is right?",
            right=right,
            others=[_DONE, *_false_readings(spot, code, draws)],
            cites=cites,
        )
    raise NotAskedError("nothing to say here")


def _says(scene: Scene, draws: Draws) -> Iterator[tuple[str, str, Spot]]:
    """What players might ask for: a change of what is up, or a wager at the wrong time."""
    spots = scene.desk.layout.spots
    for seat in scene.table.seats:
        for slug, stake in seat.wagers.items():
            yield seat.id, f"{slug} down", spots[slug]
            yield seat.id, f"{slug} to {money_words(stake.amount * 2)}", spots[slug]
            yield seat.id, f"{slug} {draws.pick(('on', 'off'))}", spots[slug]
    player = draws.pick([seat.id for seat in scene.table.seats])
    for spot in draws.some([s for s in spots.values() if not s.tiers], 8):
        yield player, f"{spot.slug} for {money_words(spot.minimum or scene.desk.house.chip)}", spot


def _answer(scene: Scene, text: str, player: str, say: str) -> Refusal | str | None:
    """The engine's answer to a line: a refusal, or that it is done; None: it is not understood."""
    line = RecordLine(number=0, text=text, player=player, says=(say,) if player else ())
    try:
        for entry, _ in play_line(scene.table, line, {}):
            if entry.refusal is not None:
                return entry.refusal
    except (RecordError, ValueError):
        return None
    return _DONE


def _allowed_by(spot: Spot, say: str) -> Iterator[str]:
    """The clauses that let a wager be changed or made so."""
    word = say.split()[1] if " " in say else ""
    rules: dict[str, Sourced] = {"down": spot.removes, "to": spot.raises, "for": spot.rule.made}
    rule = rules.get(word) or spot.rule.come_out
    if rule is not None:
        yield from rule.clauses


def _false_readings(spot: Spot, code: str, draws: Draws) -> Iterator[str]:
    """Reasons that are not the engine's: of other kinds than the one that is."""
    mine = next((codes for codes in _FAMILIES.values() if code in codes), ())
    for other in draws.shuffled(_PLAIN):
        if other not in mine:
            words = refusal_words(refuse(other, "", wager=spot.slug))
            yield f"It is refused: {words}."


def _no_roll(scene: Scene, draws: Draws) -> Ruling:
    """A call of no roll: whether it stands, by the book's own grounds and callers."""
    desk = scene.desk
    book = desk.house.book
    own = [ground.name for ground in for_no_roll(book)]
    strange = [name for name in known_grounds(for_no_roll) if name not in own]
    ground = draws.pick(own) if own and not draws.one_in(4) else draws.pick(strange or own)
    callers = book.throw.callers.get(desk.house.game)
    who = draws.pick(callers.value if callers else ("stickperson", "boxperson"))
    answer = _answer(scene, f"no roll {ground} by {who}", "", "")
    if answer is None:
        raise NotAskedError("not a ground that is called here")
    named = ground.replace("-", " ")
    stands, falls = "No roll: the throw is void.", f"The call does not stand: {_NO_GROUND}."
    listed = [g.cite for g in for_no_roll(book) if g.name == ground]
    if isinstance(answer, Refusal):
        # The engine's own words would name the ground by its code, and every ground that there is.
        theirs = answer.code in ("barred-ground", "no-ground")
        right = falls if theirs else f"The call does not stand: {refusal_words(answer)}."
        cites = [answer.cite, *listed]
    else:
        right, cites = stands, [*listed, book.throw.listed_by]
    others = [
        falls if right == stands else stands,
        "The throw is void, and the dice pass to the next shooter.",
        "The throw counts unless the shooter asks for another.",
        "The throw counts only for wagers that lost.",
    ]
    return Ruling(
        ask=f"The {who} calls no roll: {named}. What is right?",
        right=right,
        others=others,
        cites=cites,
    )


def _read(scene: Scene, draws: Draws) -> Ruling:
    """How the book is read where it slips, contradicts itself or says nothing."""
    book = rulebook(scene.desk.house.book.id)
    about = [d for d in decisions() if book.id in d.beside]
    if len(about) < 2:
        raise NotAskedError(f"{book.id} leaves nothing to be decided")
    decided = draws.pick(about)
    return Ruling(
        ask=f"How is this book read: {decided.question}?",
        right=decided.decision,
        others=[other.decision for other in about if other is not decided],
        cites=decided.beside[book.id][:3],
    )


def _mark(desk: Desk, question: Question, answer: Any) -> Mark:
    mark = mark_choice(question, answer)
    cite = fields_of(answer, "choice").get("cite")
    if not mark.right or cite is None:
        return mark
    book, named = desk.house.book.id, read_words(cite, "cite")
    if named in question.cite or f"{book}:{named}" in question.cite:
        return mark
    return Mark(False, f"the ruling is right, by {', '.join(question.cite)}", question.cite)


DRILL = Drill(
    name="rulings",
    trains="what is right when something is asked or disputed",
    pose=_pose,
    mark=_mark,
)
