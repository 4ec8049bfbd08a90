"""What a seed stands for: the tables, the servers, the people, and which faults there are.

Every world has only some of the faults (a swarm): one that has all of them all the time hides what
goes wrong between two that are rare.
"""

from __future__ import annotations

from random import Random
from typing import Any, Literal

from msgspec import Struct

Disk = Literal["shelf", "shared", "sqlite"]

GAMES = (
    ("new-jersey", "craps"),
    ("new-jersey", "craps"),
    ("new-jersey", "mini-craps"),
    ("new-jersey", "automated-craps"),
    ("iowa", "craps"),
    ("maryland-crapless", "crapless"),
    ("dealer-school", "craps"),
    ("section-2", "craps"),
)
#: Faults of the network and of the machines, with how often each strikes where it is in the world.
FAULTS: dict[str, tuple[float, ...]] = {
    "lost": (0.02, 0.1),  # a request never comes to the server
    "unheard": (0.03, 0.15),  # an answer never comes back
    "twice": (0.05, 0.2),  # a request comes again, later
    "slow": (0.05, 0.2),  # it takes seconds
    "vanish": (0.03, 0.1),  # a client goes in the middle of a request
    "stall": (0.05, 0.2),  # who reads a stream takes nothing for a while
    "cut": (0.05, 0.2),  # a stream is cut, in the middle of an event
    "deaf": (0.2, 0.9),  # a wake-up between servers is lost
    "refuse": (0.03, 0.2),  # a commit fails, nothing written
    "doubt": (0.03, 0.15),  # a commit stands, and who asked is told that it failed
    "unread": (0.02, 0.1),  # a read fails
    "die_before": (0.01, 0.05),  # killed with a line taken, before it is written
    "die_after": (0.01, 0.05),  # killed with it written, before it is answered
    "rot": (0.1, 0.5),  # a snapshot is damaged
}
#: What happens at times of its own, so many times at most.
EVENTS: dict[str, int] = {"kill": 3, "stop": 2, "full": 2, "jump": 3, "restore": 1}
#: History that runs backwards, and nobody says so: a backup is put in place while the servers are
#: down ("unsaid"), or under servers that share a database and go on ("replaced").
UNSAID = {"shelf": ("unsaid",), "shared": ("unsaid", "replaced"), "sqlite": ()}


class Plan(Struct, frozen=True):
    """A world as it is to be."""

    seed: int
    disk: Disk
    servers: int
    tables: tuple[dict[str, Any], ...]
    players: int
    says: int
    faults: dict[str, float]
    events: tuple[tuple[float, str], ...]
    #: Limits of the server made small, so that a short game comes to them.
    small: dict[str, int]
    length: float
    #: How slow the disk is: on a slow one, more happens between taking a line and writing it.
    slow: float


def planned(seed: int, disk: Disk | None = None) -> Plan:
    """The world of a seed; ``disk`` has it on another."""
    chance = Random(f"plan {seed}")
    drawn: Disk = chance.choices(("shelf", "shared", "sqlite"), (4, 4, 2))[0]
    disk = disk or drawn
    length = chance.choice((20.0, 60.0, 200.0))
    faults = {name: chance.choice(odds) for name, odds in FAULTS.items() if chance.random() < 0.45}
    events = [
        (round(chance.uniform(1, length), 3), name)
        for name, most in EVENTS.items()
        if chance.random() < 0.45
        for _ in range(chance.randint(1, most))
    ]
    back = Random(f"back {seed}")
    if UNSAID[disk] and back.random() < 0.3:
        events += [
            (round(back.uniform(1, length), 3), back.choice(UNSAID[disk]))
            for _ in range(back.choice((1, 1, 2)))
        ]
    set_wrong = Random(f"set {seed}")
    if disk != "shared" and set_wrong.random() < 0.2:  # Many servers have the database's clock.
        events.append((round(set_wrong.uniform(1, length), 3), "set"))
    if disk == "sqlite":
        events = [(at, name) for at, name in events if name != "restore"]
    return Plan(
        seed=seed,
        disk=disk,
        servers=chance.choice((2, 2, 3)) if disk == "shared" else 1,
        tables=tuple(_table(chance) for _ in range(chance.choice((1, 1, 1, 2)))),
        players=chance.choice((1, 2, 2, 3)),
        says=chance.choice((3, 6, 10)),
        faults=faults,
        events=tuple(sorted(events)),
        small=_small(chance),
        length=length,
        slow=Random(f"slow {seed}").choice((1.0, 1.0, 25.0)),
    )


def _table(chance: Random) -> dict[str, Any]:
    book, game = chance.choice(GAMES)
    pace = {"betting": chance.choice((0, 0, 3, 10)), "shooter": chance.choice((0, 5, 45))}
    asked: dict[str, Any] = {"rulebook": book, "game": game, "pace": pace}
    if game == "automated-craps":
        return asked | {"pace": {**pace, "betting": chance.choice((3, 10))}}
    if chance.random() < 0.25:
        asked |= {"dice": "typed", "posts": {"stick": "person", "box": "person"}}
    if chance.random() < 0.15:
        asked |= {"buy_ins": "box", "posts": {**asked.get("posts", {}), "box": "person"}}
    if chance.random() < 0.15:
        asked |= {"open": False}
    return asked


def _small(chance: Random) -> dict[str, int]:
    small: dict[str, int] = {}
    if chance.random() < 0.4:
        every = chance.choice((2, 5, 12))
        small["passline.live.table_cache.SNAPSHOT_INTERVAL"] = every
        small["passline.live.stores.sqlite.CHECKPOINT_INTERVAL"] = every
    if chance.random() < 0.3:
        small["passline.live.table_cache.MAX_CACHED_TABLES"] = 1
    if chance.random() < 0.3:
        behind = chance.choice((2, 8))
        small["passline.live.table_cache.RECENT_ENTRIES"] = behind
        small["passline.web.event_streams.MOST_BEHIND"] = behind
    if chance.random() < 0.3:
        small["passline.live.table_cache._MAX_ANSWERS"] = chance.choice((0, 1))
    if chance.random() < 0.3:
        small["passline.live.store.MAX_BATCH"] = chance.choice((1, 2))
    return small
