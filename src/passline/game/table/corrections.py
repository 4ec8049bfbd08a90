"""Decide on the correction of a throw that was keyed wrongly.

The table goes back to before the throw, the right faces are thrown, and the commands given since
are decided again in order. So the table is the one that the right faces would have left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from passline.game.law.roles import POSTS, Role
from passline.game.layout.stakes import Refusal, refuse
from passline.game.table import commands as cmd
from passline.game.table import events as ev
from passline.game.table.dice_custody import NextShooter
from passline.game.table.events import Answer
from passline.game.table.evolve import evolve_all
from passline.game.table.state import Table
from passline.game.table.throws import settle_throw

#: The roles that may correct a throw.
CORRECTORS: tuple[Role, ...] = tuple(
    role for post in reversed(POSTS) if post.name in ("box", "floor") for role in post.roles
)
#: The citation for corrections: no rulebook speaks of dice that are keyed in.
CORRECTION_CITE = "custom: the throw is what the dice showed, not what was keyed"
#: The citation for refusing a command of a person who is not at the table.
NOT_AT_TABLE_CITE = "custom: only a player at the table may ask for anything"


def correct_throw(
    table: Table, command: cmd.CorrectThrow, decide: Callable[[Table, cmd.AnyCommand], Answer]
) -> Answer:
    """Return the events that correct the last throw's faces, or a refusal.

    ``decide`` is the function of that name; with it, the commands given since that throw are
    decided again.
    """
    if command.by not in CORRECTORS:
        return refuse("not-theirs-to-correct", CORRECTION_CITE, CORRECTORS, by=command.by)
    throw = table.correctable
    if throw is None:
        return refuse("nothing-to-correct", CORRECTION_CITE)
    faces = (throw.first, throw.second)
    if sorted(faces) == sorted((command.first, command.second)) and not command.tampered:
        return refuse("same-throw", CORRECTION_CITE, faces=faces)
    who = NextShooter(throw.shooter, special=throw.special)
    thrown = settle_throw(
        throw.before,
        who,
        command.first,
        command.second,
        tampered=command.tampered,
        by=throw.ruled_by,
    )
    corrected = ev.ThrowCorrected(
        first=command.first,
        second=command.second,
        was=faces,
        by=command.by,
        cite=CORRECTION_CITE,
    )
    after = evolve_all(throw.before, thrown)
    return (corrected, *thrown, *_decide_again(after, command.again, decide))


def _decide_again(
    table: Table,
    commands: Sequence[cmd.AnyCommand],
    decide: Callable[[Table, cmd.AnyCommand], Answer],
) -> list[ev.AnyEvent]:
    """Return the events of these commands, decided in order from this table.

    A refused command becomes a `CommandDropped` event.
    """
    events: list[ev.AnyEvent] = []
    for number, command in enumerate(commands):
        player: str = getattr(command, "player", "")
        answer: Answer
        if player and table.find(player) is None and not isinstance(command, cmd.Join):
            answer = refuse("not-here", NOT_AT_TABLE_CITE, player=player)
        else:
            answer = decide(table, command)
        if isinstance(answer, Refusal):
            answer = (
                ev.CommandDropped(number=number, player=player, command=command, refusal=answer),
            )
        table = evolve_all(table, answer)
        events += answer
    return events


def drop_corrected(events: Iterable[ev.AnyEvent]) -> Iterator[ev.AnyEvent]:
    """Yield the events of a game as if no throw had been keyed wrongly.

    A corrected throw, the events that followed it, and the events of the correction are left out.
    """
    held: list[ev.AnyEvent] = []
    for event in events:
        match event:
            case ev.Rolled():
                yield from held
                held = [event]
            case ev.ThrowCorrected():
                held = []
            case ev.CommandDropped():
                pass
            case _ if held:
                held.append(event)
            case _:
                yield event
    yield from held
