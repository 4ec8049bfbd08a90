"""The sample logs: games dealt through a real hall, with a clock that is turned by hand and chance
that is the same every time. ``python -m tests.live.sample_logs`` writes those of this version into
``tests/live/logs``; files of earlier versions stay as they are, for ever.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from passline.live.log_entries import Entry
from passline.live.schema import SeatRequest, ServiceError
from passline.record.read import read_record
from passline.version import VERSION

from .floor import EVERY_POST, NO_WAIT, Floor

LOGS = Path(__file__).parent / "logs"
FIRST = Path(__file__).parents[2] / "src" / "passline" / "samples" / "first-table.jsonl"
GOLDEN = Path(__file__).parent.parent / "golden"
#: Who is asked in turn whether a line is theirs to say.
CREW = ("stick", "box", "left-base", "right-base", "floor")
TALK = (
    "pass for 10", "dont-pass for 15", "place the six for 12", "place-win-8 for 30", "field for 10",
    "come for 10", "full odds", "buy the four for 25", "lay-10 for 50", "hard eight for five",
    "any craps for 2", "horn for 4", "44 inside", "press the 8", "all off", "all on", "undo",
    "all down", "toke 5", "pass for 5 for the dealers", "same bet", "yo for 5; any seven for 5",
    "place-win-6 down", "change 100 to green", "colour up", "two-way hard six",
)  # fmt: skip

#: What a crew meets, each some lines that follow one another.
HAPPENINGS = (
    "NAME: pass for 10 | NAME takes the dice | roll 3 3 | roll 4 2",
    "NAME: pass for 20 | roll 5 5 | NAME: full odds | no roll off-table | die lost | die found | "
    "inspect dice | roll 4 3",
    "NAME: place-win-6 for 12; hard-8 for 5 | dice out | dice in the air | "
    "NAME: field for 10 in the air | dealer confirms NAME field | boxperson confirms NAME field | "
    "roll 6 3",
    "NAME: dont-pass for 10 | roll 1 1 | ruling 6 6 by boxperson | ruling 3 1 by supervisor",
    "NAME: toke 5 | NAME: pass for 5 for the dealers | roll 6 5 | NAME colours up",
    "NAME asks to colour up | boxperson permits NAME to colour up | supervisor permits NAME to "
    "colour up",
    "NAME: buy-4 for 25; lay-10 for 40; come for 10 | roll 2 2 | NAME: undo | NAME: all off | "
    "NAME: all on | no roll stacked | roll 5 4",
    "kim relieves the boxperson | boxperson okays the dice | lee relieves the stickperson | "
    "roll 2 3 | roll 3 4",
    "recall dice damage | inspect dice by boxperson | inspect dice by floorperson | "
    "new dice damage | roll 6 1",
    "zoe joins for 300 | zoe: pass for 10 | zoe: undo | zoe: field for 10 | roll 4 4 | zoe leaves",
    "boxperson warns NAME for misses-wall | no roll misses-wall | NAME passes the dice | "
    "boxperson orders NAME to pass for delay | roll 5 1",
    "NAME: place-win-8 for 30 | NAME: place-win-8 to 60 | NAME: undo; undo | clock 2026-11-15 09:00"
    " | roll 1 2 | NAME changes 25 to green | NAME: all down",
    "roll 3 4 | NAME: all down | NAME leaves | zoe leaves | dead game | NAME buys in 200 | "
    "NAME: pass for 10 | roll 4 3",
)


async def _try(floor: Floor, who: str, say: str, **asked: str) -> bool:
    try:
        return (await floor.say(who, say, **asked)).seq is not None
    except ServiceError:
        return False


async def _throw(floor: Floor, chance: random.Random, names: list[str]) -> None:
    for name in names:
        nonce = f"n-{chance.randrange(10**6)}" if chance.random() < 0.8 else ""
        if await _try(floor, name, "roll", nonce=nonce):
            return


async def machine_dealt(rulebook: str, seed: int, rounds: int = 40, **asked: Any) -> Floor:
    """Players at a table that the machine deals: they bet, throw, come, go, fall silent; a restore
    in the middle."""
    floor = await Floor(seed).open(rulebook, name=f"{rulebook} by machine", **asked)
    chance = random.Random(seed)
    names = ["ann", "bob", "cal", "ève"]
    for name in names:
        await floor.sit(name, "2000")
    await floor.service.invite(floor.table, "player", "dan")
    for turn in range(rounds):
        for name in chance.sample(names, chance.randint(1, 4)):
            await _try(floor, name, chance.choice(TALK))
            floor.clock.turn(seconds=chance.random())
        await _try(floor, chance.choice(names), chance.choice(("pass for 10", "ready")))
        await floor.tend(seconds=12)
        await _throw(floor, chance, names)
        await _odd(floor, turn)
    return floor


async def _odd(floor: Floor, turn: int) -> None:
    """What happens now and then."""
    if turn == 5:
        await _try(floor, "bob", "leave my line down")
        await _try(floor, "cal", "pass the dice")
    if turn == 12:
        await _try(floor, "cal", "leave")
        await floor.service.withdraw(floor.table, "player", "dan")
    if turn == 16:
        await _try(floor, "cal", "buy in 300")
        await _try(floor, "operator", "no roll off-table")
    if turn == 20:
        floor.service = floor.another(restored=True)
        await floor.service.start(tend=False)
    if turn == 24:
        await floor.tend(minutes=1)
    if turn == 30:
        await _try(floor, "bob", "all down")
        await floor.tend(minutes=11)


async def crew_dealt(rulebook: str, seed: int) -> Floor:
    """A crew deals the golden game of its rulebook, real dice typed in: each line is said by the
    first whose it is."""
    record = read_record((GOLDEN / f"{rulebook}.craps").read_text("utf-8"))
    elections = {key: str(value) for key, value in dict(record.elections).items()}
    floor = await Floor(seed).open(
        rulebook, game=record.game, elections=elections, dice="typed", posts=EVERY_POST,
        name=f"{rulebook} by crew", buy_ins="box", zone="America/Chicago",
    )  # fmt: skip
    for number, player in enumerate(record.players):
        words = f"{player.name} joins for {player.amount // 100}"
        if number % 2:
            await floor.sit(player.name, str(player.amount // 100))
        assert await _anyone(floor, words)
    for line in record.lines:
        text = f"{line.player}: {'; '.join(line.says)}" if line.player else line.text
        await _anyone(floor, text)
    chance = random.Random(seed)
    name = record.players[0].name
    for _ in range(4):
        for lines in chance.sample(HAPPENINGS, len(HAPPENINGS)):
            for part in lines.split(" | "):
                await _anyone(floor, part.replace("NAME", name))
    await floor.tend(minutes=1)
    return floor


async def _anyone(floor: Floor, text: str) -> bool:
    """Have a line said by the first whose it is."""
    floor.clock.turn(seconds=7)
    for who in CREW:
        if await _try(floor, who, text):
            return True
    return False


async def learner(seed: int) -> Floor:
    """A dealer-school table, part crew, part machine: posts change hands, the table closes and
    opens."""
    floor = await Floor(seed).open(
        "dealer-school", name="school", pace=NO_WAIT,
        posts={"stick": "person", "box": "person", "floor": "person"}, open=False,
    )  # fmt: skip
    token = await floor.service.invite(floor.table, "player")
    for name in ("ann", "bob"):
        await floor.service.sit(floor.table, SeatRequest(name=name, buy_in="500"), token)
    for who, say in (
        ("ann", "pass for 10"), ("bob", "field for 5"), ("stick", "dice out"), ("ann", "roll"),
        ("floor", "kim relieves the stickperson"), ("stick", "dice out"), ("ann", "roll"),
        ("box", "no roll off-table"), ("operator", "machine relieves the stickperson"),
        ("ann", "roll"), ("ann", "toke 5"), ("ann", "all down"), ("bob", "leave"),
        ("bob", "buy in 100"), ("ann", "roll"), ("floor", "new dice damage"), ("ann", "roll"),
        ("box", "boxperson okays the dice"), ("ann", "roll"), ("ann", "roll"), ("ann", "roll"),
        ("ann", "leave"), ("bob", "all down"), ("bob", "leave"), ("floor", "table closes"),
        ("floor", "table opens"), ("bob", "buy in 100"), ("bob", "pass for 10"), ("bob", "roll"),
    ):  # fmt: skip
        floor.clock.turn(seconds=3)
        await _try(floor, who, say)
        await floor.tend()
    return floor


#: File → the game that it holds.
SAMPLES: dict[str, Callable[[], Awaitable[Floor]]] = {
    "new-jersey-machine": lambda: machine_dealt("new-jersey", 11, rounds=60),
    "maryland-machine": lambda: machine_dealt("maryland-crapless", 12),
    "automated": lambda: machine_dealt("new-jersey", 13, game="automated-craps"),
    "section-2-machine": lambda: machine_dealt("section-2", 14),
    "iowa-machine": lambda: machine_dealt("iowa", 15, zone="Europe/Berlin"),
    "school-machine": lambda: machine_dealt("dealer-school", 16),
    "school": lambda: learner(17),
    "iowa-crew": lambda: crew_dealt("iowa", 21),
    "new-jersey-crew": lambda: crew_dealt("new-jersey", 22),
    "maryland-crew": lambda: crew_dealt("maryland-crapless", 23),
    "section-2-crew": lambda: crew_dealt("section-2", 24),
    "school-crew": lambda: crew_dealt("dealer-school", 25),
}


async def made(name: str) -> list[Entry]:
    """A sample's log, dealt now."""
    return await (await SAMPLES[name]()).log()


async def first_table() -> list[Entry]:
    """The short game that comes with the package."""
    floor = await machine_dealt("new-jersey", 3, rounds=6)
    return await floor.log()


def main() -> None:
    """Write the samples of this version."""
    FIRST.write_bytes(b"".join(e.text() + b"\n" for e in asyncio.run(first_table())))
    for name in SAMPLES:
        entries = asyncio.run(made(name))
        file = LOGS / f"{VERSION}-{name}.jsonl"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"".join(entry.text() + b"\n" for entry in entries))
        print(file.name, len(entries))


if __name__ == "__main__":
    main()
