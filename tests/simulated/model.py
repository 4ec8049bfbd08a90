"""What the clients of a world know, and hold the servers to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from passline.live.dice_proofs import derive_faces
from tests.simulated.network import Reply, Request

if TYPE_CHECKING:
    from tests.simulated.world import World

STATUSES = frozenset({200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 422, 429, 503})
_SECRET = re.compile(rb"[0-9a-f]{64}")
#: A throw that is refused, and for how many seconds; and the longest that is right, with clocks
#: that are off by less than a minute.
_BETTING_TIME = re.compile(rb"seconds to bet: (\d+) more")
_MAX_WAIT = 90


class Ack(Struct, frozen=True):
    """An entry that somebody was told of."""

    table: str
    seq: int
    hash: str
    by: str = ""
    request: str | None = None


class Model:
    """Everything that was acknowledged, by table."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.acks: list[Ack] = []
        #: The highest number that anybody was told of.
        self.floor: dict[str, int] = {}
        #: Entries as streams and pages told them: the hash, by table and number.
        self.told: dict[tuple[str, int], str] = {}
        #: Answers to ids that wrote something: what they were, by table, speaker and id.
        self.answers: dict[tuple[str, str, str], tuple[str, Any]] = {}
        #: Secrets that a restored log does not hold any more, which anybody may know: the table of
        #: each, and the number of the throw that it made.
        self.burnt: dict[str, tuple[str, int]] = {}
        #: What looked like a secret in an answer that tells none.
        self.seen: dict[bytes, str] = {}

    def acknowledge(self, ack: Ack) -> None:
        """Somebody was told of an entry."""
        self.acks.append(ack)
        self.floor[ack.table] = max(ack.seq, self.floor.get(ack.table, -1))

    def save_answer(self, table: str, by: str, request: str, say: str, told: Any) -> None:
        """An id that wrote an entry was answered: the same for ever."""
        if told["seq"] is None:
            return
        before = self.answers.setdefault((table, by, request), (say, told))
        if before != (say, told):
            self._world.wrong(f"{by}'s {request!r} was answered {before} and then {(say, told)}")
        self.acknowledge(Ack(table, told["seq"], told["hash"], by, request))

    def hear(self, table: str, data: bytes) -> dict[str, Any]:
        """An entry that a stream or a page told."""
        entry: dict[str, Any] = msgspec.json.decode(data)
        place = (table, entry["seq"])
        if self.told.setdefault(place, entry["hash"]) != entry["hash"]:
            self._world.wrong(f"two entries were told of as {place}")
        return entry

    def replied(self, request: Request, reply: Reply) -> None:
        """What holds for every answer."""
        if reply.status not in STATUSES:
            self._world.wrong(f"status {reply.status} for {request}")
        if b"the server failed here" in reply.body:
            self._world.wrong(f"a fault of the server's own for {request}")
        if reply.status >= 400 and request.method != "HEAD" and "error" not in reply.json:
            self._world.wrong(f"an error without its words for {request}: {reply}")
        wait = _BETTING_TIME.search(reply.body)
        if wait is not None and int(wait[1]) > _MAX_WAIT:
            self._world.wrong(f"a table stands still for {int(wait[1])} s: {request}")
        if not request.path.endswith(("/events", "/log")):
            for found in _SECRET.findall(reply.body):
                self.seen.setdefault(found, str(request))

    def rewound(self, heads: dict[str, int], secrets: dict[str, tuple[str, int]]) -> None:
        """The store was restored: what came after these heads is known to have been, and gone."""

        def stands(table: str, seq: int) -> bool:
            return seq <= heads.get(table, -1)

        self.acks = [ack for ack in self.acks if stands(ack.table, ack.seq)]
        self.floor = {
            table: min(seq, heads[table]) for table, seq in self.floor.items() if table in heads
        }
        self.told = {place: told for place, told in self.told.items() if stands(*place)}
        self.answers = {
            key: told for key, told in self.answers.items() if stands(key[0], told[1]["seq"])
        }
        self.burnt |= secrets

    def choose_nonce(self, table: str, faces: tuple[int, int]) -> str:
        """A nonce with which a secret that is known makes these faces; empty without one.

        Who sends it chooses the throw, if the house throws with that secret once more.
        """
        for secret, (where, number) in reversed(self.burnt.items()):
            if where == table:
                for turn in range(500):
                    if derive_faces(bytes.fromhex(secret), table, number, f"c{turn}") == faces:
                        return f"c{turn}"
        return ""
