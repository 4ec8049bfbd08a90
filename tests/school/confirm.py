"""Answers confirmed by another way than the school's: records dealt from their text, and sums.

``python -m tests.school.confirm --seeds 1000`` asks every drill so many questions, over the levels
and the rulebooks, and ends with the first whose answer a dealt record does not bear out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from passline.game.house.house import describe_elections
from passline.game.house.load import house_for
from passline.game.law.clauses import clauses_by_id
from passline.game.layout.compile import compile_layout
from passline.game.layout.spots import Layout
from passline.record.deal import deal_text
from passline.school.drills import list_drill_names, load_drill
from passline.school.question_types import LEVELS, DrillSetup, NoQuestionError, Question
from passline.school.questions_and_grades import grade_answer, make_question

BOOKS = ("dealer-school", "iowa", "new-jersey", "section-2", "maryland-crapless")
#: Two dice for a total, and how a number is thrown that is no seven.
FACES = {total: (min(total - 1, 6), total - min(total - 1, 6)) for total in range(2, 13)}


def header(setup: DrillSetup) -> str:
    lines = [f"rulebook: {setup.house.book.id}", f"game: {setup.house.game}"]
    lines += [f"house.{key}: {value}" for key, value in describe_elections(setup.house).items()]
    return "\n".join([*lines, "player: zoe 900000", "player: ann 900000", ""])


def dealt(setup: DrillSetup, *lines: str) -> dict[str, Any]:
    return deal_text(header(setup) + "\n".join(lines) + "\n").to_json()


def roll(total_or_dice: int | list[int]) -> str:
    a, b = FACES[total_or_dice] if isinstance(total_or_dice, int) else total_or_dice
    return f"roll {a} {b}"


def line_of(layout: Layout) -> str:
    """What makes zoe the shooter: the least pass that is taken."""
    spot = layout.spots["pass"]
    step = spot.odds.step(layout.house.chip)
    least = -(-spot.minimum // step) * step
    return f"zoe: pass for {least / 100:.2f}"


def paid_to(game: dict[str, Any], wagers: set[str]) -> str:
    last = game["rolls"][-1]["settlements"]
    mine = [s for s in last if s["player"] == "ann" and s["wager"] in wagers]
    return f"{sum(float(s['paid']) for s in mine):.2f}"


def confirm_payoffs(setup: DrillSetup, question: Question) -> None:
    given = question.given
    slug, puck = given["wager"], given["puck"]
    spot = setup.layout.spots[slug]
    bet = f"ann: {slug} for {given['stake']}"
    lines = [line_of(setup.layout)]
    flat = spot.flat or (slug if spot.only_travels else "")
    if flat and setup.layout.spots[flat].number:  # a come bet that travelled first
        number = setup.layout.spots[flat].number
        come, least = flat.rpartition("-")[0], setup.layout.spots[flat].minimum
        other = next(n for n in setup.house.book.points.value if n != number)
        stake = f"{given['stake']}" if spot.only_travels else f"{least * 4 / 100:.2f}"
        lines += [roll(other), f"ann: {come} for {stake}", roll(number)]
        if puck == 0:
            return  # on a come-out after a point was made: the same verdict table
        if spot.flat:
            lines.append(bet)
    elif flat:
        behind = f"{setup.layout.spots[flat].minimum * 4 / 100:.2f}"
        lines += [f"ann: {flat} for {behind}", roll(puck), bet]
    elif puck and setup.layout.spots[slug].rule.made.value == "come-out":
        lines += [bet, roll(puck)]
    else:
        lines += [*([roll(puck)] if puck else []), bet]
    game = dealt(setup, *lines, roll(given["dice"]))
    assert game["refusals"] == [], (lines, game["refusals"])
    assert paid_to(game, {slug}) == question.answer["paid"], lines
    assert value(setup, question.answer["chips"]) == question.answer["paid"]
    assert value(setup, given["chips"]) == given["stake"]


def value(setup: DrillSetup, chips: dict[str, int]) -> str:
    worth = {chip.color: chip.value for chip in setup.rack.chips}
    return f"{sum(worth[colour] * count for colour, count in chips.items()) / 100:.2f}"


def confirm_lines(setup: DrillSetup, question: Question) -> None:
    given = question.given
    odds = f"{given['wager']}-odds"
    game = dealt(
        setup,
        line_of(setup.layout),
        f"ann: {given['wager']} for {given['flat']}",
        roll(given["puck"]),
        f"ann: {odds} for {given['odds']}",
        roll(given["dice"]),
    )
    assert game["refusals"] == []
    assert paid_to(game, {given["wager"], odds}) == question.answer["paid"]
    assert value(setup, question.answer["chips"]) == question.answer["paid"]
    both = f"{float(given['flat']) + float(given['odds']):.2f}"
    assert value(setup, given["chips"]) == both


def confirm_keys(setup: DrillSetup, question: Question) -> None:
    given = question.given
    name, stake = given["wager"], float(given["stake"])
    slugs = {name}
    if name not in setup.layout.spots:
        number = int(name.removeprefix("hops-"))
        pairs = {tuple(sorted((a, number - a))) for a in range(1, 7) if 1 <= number - a <= 6}
        slugs = {f"hop-{a}-{b}" for a, b in pairs}
    each = stake / len(slugs)
    bets = [f"ann: {slug} for {each:.2f}" for slug in slugs]
    game = dealt(setup, line_of(setup.layout), roll(5), *bets, roll(given["dice"]))
    assert game["refusals"] == []
    last = [s for s in game["rolls"][-1]["settlements"] if s["player"] == "ann"]
    net = sum(float(s["paid"]) for s in last if s["result"] == "win")
    net -= sum(float(s["stake"]) for s in last if s["result"] == "lose")
    assert f"{net:.2f}" == question.answer["paid"]


def confirm_vig(setup: DrillSetup, question: Question) -> None:
    given, slug = question.given, question.given["wager"]
    spot = setup.layout.spots[slug]
    other = next(n for n in setup.house.book.points.value if n != spot.number)
    made = dealt(setup, line_of(setup.layout), roll(other), f"ann: {slug} for {given['stake']}")
    assert made["refusals"] == []
    lays = setup.layout.spots[slug].tables[other][5] is not None and slug.startswith("lay")
    won = dealt(
        setup,
        line_of(setup.layout),
        roll(other),
        f"ann: {slug} for {given['stake']}",
        roll([4, 3] if lays else spot.number),
    )
    done = next(s for s in won["rolls"][-1]["settlements"] if s["wager"] == slug)
    assert done["paid"] == question.answer["paid"]
    charged = made["house"]["vig"] if not spot.vig_won else done["vig"]
    assert charged == question.answer["vig"]


def confirm_limits(setup: DrillSetup, question: Question) -> None:
    given, slug = question.given, question.given["wager"]
    spot = setup.layout.spots[slug]
    lines = [line_of(setup.layout)]
    if spot.number:
        flat = spot.flat.rpartition("-")[0]
        other = next(n for n in setup.house.book.points.value if n != spot.number)
        lines += [roll(other), f"ann: {flat} for {given['flat']}", roll(spot.number)]
    else:
        lines += [f"ann: {spot.flat} for {given['flat']}", roll(given["puck"])]
    most = float(question.answer["most"])
    over = most + setup.house.chip / 100
    won = [4, 3] if "dont" in slug else spot.number or given["puck"]
    game = dealt(setup, *lines, f"ann: {slug} for {most:.2f}", roll(won))
    assert game["refusals"] == []
    assert paid_to(game, {slug}) == question.answer["paid"]
    refused = dealt(setup, *lines, f"ann: {slug} for {over:.2f}")["refusals"]
    assert len(refused) == 1
    cite = refused[0]["cite"]
    assert cite.startswith("custom: ") or f"{setup.house.book.id}:{cite}" in question.cite


def with_puck(setup: DrillSetup, puck: int | None) -> list[str]:
    return [line_of(setup.layout), roll(puck)] if puck else [line_of(setup.layout)]


def confirm_groups(setup: DrillSetup, question: Question) -> None:
    both = {**question.given, **question.answer}
    said = both.get("say")
    game = dealt(setup, *with_puck(setup, question.given["puck"]), f"ann: {said}")
    assert game["refusals"] == []
    assert game["players"]["ann"]["wagers"] == both["wagers"]


def confirm_press(setup: DrillSetup, question: Question) -> None:
    given, answer = question.given, question.answer
    numbers = given.get("numbers") or [given["number"]]
    hit: int = given["rolled"] if "rolled" in given else given["number"]
    other = next(n for n in setup.house.book.points.value if n not in numbers)
    bets = [f"ann: place-win-{n} for {given['from']}" for n in numbers]
    ups = [f"ann: place-win-{n} to {given['to']}" for n in numbers]
    game = dealt(setup, *with_puck(setup, other), *bets, roll(hit))
    after = dealt(setup, *with_puck(setup, other), *bets, roll(hit), *ups)
    assert after["refusals"] == []
    assert paid_to(game, {f"place-win-{hit}"}) == answer["paid"]
    pressed = float(game["players"]["ann"]["rail"]) - float(after["players"]["ann"]["rail"])
    assert f"{pressed:.2f}" == answer["pressed"]
    sums = {name: float(answer[name]) for name in ("paid", "thrown", "pressed", "handed")}
    assert sums["handed"] == sums["paid"] + sums["thrown"] - sums["pressed"] >= 0
    assert sums["thrown"] == 0 or sums["handed"] == 0 or "thrown" in given


def confirm_booking(setup: DrillSetup, question: Question) -> None:
    puck, answer = question.given["puck"], question.answer
    for said in (question.given["say"], answer["repeat"].partition(", position ")[0]):
        game = dealt(setup, *with_puck(setup, puck), f"ann: {said}")
        assert game["refusals"] == []
        assert game["players"]["ann"]["wagers"] == answer["wagers"]
    assert answer["set"].keys() == answer["wagers"].keys()


def thrown(question: Question) -> dict[str, Any]:
    a, b = question.given["dice"]
    last: dict[str, Any] = deal_text(f"{question.given['record']}roll {a} {b}\n").to_json()
    assert last["refusals"] == []
    found: dict[str, Any] = last["rolls"][-1]
    return found


def confirm_order(setup: DrillSetup, question: Question) -> None:
    done = thrown(question)["settlements"]
    steps = question.answer["steps"]
    for act, result in (("take", "lose"), ("pay", "win"), ("place", "travel")):
        mine = {(s["player"], s["wager"]) for s in done if s["result"] == result}
        told = [(s["player"], s["wager"]) for s in steps if s["act"] == act]
        assert len(told) == len(set(told))
        kept = setup.house.book.net_center.value and act == "take"
        assert set(told) <= mine if kept else set(told) == mine, (act, told, mine)
    if not setup.house.book.net_center.value:
        paid = {(s["player"], s["wager"]): s["paid"] for s in done if s["result"] == "win"}
        for step in steps:
            if step["act"] == "pay":
                assert step["amount"] == paid[step["player"], step["wager"]]


def confirm_calls(setup: DrillSetup, question: Question) -> None:
    assert thrown(question)["call"] == question.answer["call"]
    assert question.answer["facts"][0] == f"total:{sum(question.given['dice'])}"


def confirm_errors(setup: DrillSetup, question: Question) -> None:
    """Its own number and reason name the error, and not every number does."""
    drill, own = load_drill("errors"), question.answer["wrong"][0]
    most = len(question.given["shown"]) + 1
    others = [n for n in range(1, most + 1) if n != own]
    assert grade_answer(drill, setup, question, question.answer).right
    missing = "left out" in question.answer["why"]
    assert grade_answer(drill, setup, question, {"wrong": [own]}).right is not missing
    assert not all(grade_answer(drill, setup, question, {"wrong": [n]}).right for n in others)


def confirm_rulings(setup: DrillSetup, question: Question) -> None:
    ask, record = question.ask, question.given["record"]
    right = question.given["choices"][question.answer["choice"]]
    if " says: '" in ask:
        who, _, rest = ask.partition(" says: '")
        said = rest.partition("'. What")[0]
        refused = deal_text(f"{record}{who}: {said}\n").to_json()["refusals"]
        assert bool(refused) == (not right.startswith("It is allowed"))
        assert not refused or refused[0]["reason"] in right
    elif " calls no roll: " in ask:
        who, _, ground = ask.removeprefix("The ").partition(" calls no roll: ")
        name = ground.partition(". What")[0].replace(" ", "-")
        refused = deal_text(f"{record}no roll {name} by {who}\n").to_json()["refusals"]
        assert bool(refused) == right.startswith("The call does not stand")


def confirm_choice(setup: DrillSetup, question: Question) -> None:
    choices = question.given["choices"]
    assert len(choices) == len(set(choices)) >= 2
    assert 0 <= question.answer["choice"] < len(choices)


CONFIRM: dict[str, Callable[[DrillSetup, Question], None]] = {
    "terms": confirm_choice,
    "positions": confirm_choice,
    "booking": confirm_booking,
    "lines": confirm_lines,
    "payoffs": confirm_payoffs,
    "keys": confirm_keys,
    "vig": confirm_vig,
    "limits": confirm_limits,
    "groups": confirm_groups,
    "press": confirm_press,
    "calls": confirm_calls,
    "order": confirm_order,
    "errors": confirm_errors,
    "rulings": confirm_rulings,
}


def check(name: str, setup: DrillSetup, seed: str, n: int) -> Question | None:
    """One question: whole, right by its own answer, wrong by none, and borne out."""
    drill = load_drill(name)
    try:
        question = make_question(drill, setup, seed, n)
    except NoQuestionError:
        return None
    assert (question.drill, question.n) == (name, n)
    assert question.ask
    assert question.explain
    assert question.cite
    known = clauses_by_id(setup.house.book.id)
    assert all(cite.partition(":")[2] in known for cite in question.cite)
    answer = json.loads(json.dumps(question.answer))
    assert grade_answer(drill, setup, question, answer).right
    none = grade_answer(drill, setup, question, None)
    assert not none.right
    assert none.missed == question.cite
    CONFIRM[name](setup, question)
    return question


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--drill", choices=list_drill_names())
    asked = parser.parse_args()
    layouts = [compile_layout(house_for(book)) for book in BOOKS]
    for name in (asked.drill,) if asked.drill else list_drill_names():
        left = 0
        for seed in range(asked.seeds):
            setup = DrillSetup(
                layouts[seed % len(layouts)], LEVELS[seed // len(layouts) % len(LEVELS)]
            )
            try:
                left += check(name, setup, str(seed), 1) is None
            except Exception:
                print(
                    f"{name}: {setup.house.book.id}, level {setup.level}, seed {seed}", flush=True
                )
                raise
        print(f"{name}: {asked.seeds - left} borne out, {left} not asked", flush=True)


if __name__ == "__main__":
    main()
