"""A press that somebody miscounted, for the drill of errors."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.crew.press import press
from passline.layout import Refusal
from passline.money import show_dollars
from passline.school.busy import make_bet
from passline.school.drawing import Draws
from passline.school.questions import Desk, NotAskedError
from passline.school.scenes import Scene, faces_of, seated, with_point
from passline.school.work import Work, WorkStep, work_of
from passline.words.wagers import layout_name

PressGiven = dict[str, Any]


def press_scene(desk: Desk, draws: Draws) -> tuple[Work, tuple[WorkStep, ...], PressGiven]:
    """A place bet that wins and is pressed a unit; the hand-off or the bet is miscounted."""
    scene, names = seated(desk, 1 if desk.level < 3 else 2, draws)
    points = tuple(desk.house.book.points.value)
    point = draws.pick(points)
    with_point(scene, names[0], point, draws)
    placed = [
        spot
        for spot in desk.layout.spots.values()
        if spot.slug == f"place-win-{spot.number}" and spot.number != point
    ]
    if not placed:
        raise NotAskedError(f"{desk.house.book.id} places no numbers")
    spot, player = draws.pick(placed), names[-1]
    if not make_bet(scene, player, spot, draws):
        raise NotAskedError("no such place bet is taken")
    faces = faces_of(spot.number, draws)
    up = scene.table.seat(player).wagers[spot.slug].amount
    to = up + spot.odds.stake * max(100, desk.house.chip)
    given: PressGiven = {
        "record": scene.text,
        "dice": list(faces),
        "presses": {"player": player, "number": spot.number, "to": to},
    }
    work = pressed_work(desk, scene, faces, given["presses"])
    counted = [step for step in work.steps if step.wager == spot.slug]
    step = draws.pick(counted)
    chip = max(desk.house.chip, 100)
    other = step.amount + draws.pick((-chip, chip, 2 * chip))
    if other <= 0 or other == step.amount:
        raise NotAskedError("nothing to miscount")
    shown = tuple(replace(s, amount=other) if s is step else s for s in work.steps)
    given["presses"] = {**given["presses"], "to": f"{to / 100:.2f}"}
    return work, shown, given


def pressed_work(desk: Desk, scene: Scene, faces: tuple[int, int], presses: dict[str, Any]) -> Work:
    """The work on a throw with one place bet pressed: handed over is what the press leaves."""
    return with_press(desk, work_of(*scene.rolled(*faces)), presses)


def with_press(desk: Desk, work: Work, presses: dict[str, Any]) -> Work:
    """The same work with a press in it: the player is paid what is left, and the bet goes up."""
    player, number, to = presses["player"], presses["number"], presses["to"]
    slug = f"place-win-{number}"
    up = work.table.seat(player).wagers[slug].amount
    move = press(desk.layout, {number: (up, to)})
    if isinstance(move, Refusal):
        raise NotAskedError(f"{layout_name(slug)} is not pressed to {show_dollars(to)}")
    cite = next((cite for cite in move.cites if not cite.startswith("custom")), "")
    found: list[WorkStep] = []
    for step in work.steps:
        if (step.act, step.player, step.wager) != ("pay", player, slug):
            found.append(step)
            continue
        by = {"cite": cite or step.cite, "due_by": cite or step.due_by}
        found.append(replace(step, amount=move.to_player.amount, hand="outside", **by))
        found.append(replace(step, act="place", amount=move.press, hand="inside", **by))
    return Work(work.table, work.occasion, tuple(found))
