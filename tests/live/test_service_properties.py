"""Anything said by anybody at any table: nothing but ServiceError, and the log stays the truth."""

from __future__ import annotations

import asyncio
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from passline.live.dice_proofs import DiceCommitment, verify_throw
from passline.live.schema import ServiceError
from passline.live.tokens import Holder
from tests.live.floor import EVERY_POST, Floor, holder

NAMES = ("ann", "bob", "cal")
GAMES = (
    *(("new-jersey", game) for game in ("craps", "mini-craps", "automated-craps")),
    *(("iowa", "craps"), ("maryland-crapless", "crapless"), ("dealer-school", "craps")),
    *(("section-2", "craps"), ("section-2", "mini-craps")),
)
PLAYER_SAYS = (
    *("pass for 10", "dont pass for 10", "place 6 for 12; hard 8 for 5", "field for 5", "undo"),
    *("all down", "same bet", "press the 6", "odds for 20", "roll", "ready", "leave", "buy in 100"),
    *(
        "take the dice",
        "pass the dice",
        "decline",
        "leave my line down",
        "come for 10",
        "horn for 4",
    ),
    *("buy 4 for 20", "place 6 off", "toke 5", "pass for 10 in cash", "stand", "sit", "colour up"),
    *(
        "change 50 to green",
        "ann takes the dice",
        "no roll off-table",
        "roll 3 4",
        "",
        ";",
        "#",
        "x:y",
    ),
    *(
        "two way yo for 2",
        "64 across",
        "new dice",
        "same dice",
        "bob: field for 5",
        "clock 2030-01-01 00:00",
    ),
)
CREW_SAYS = (
    *("dice out", "dice back", "dice in the air", "roll 3 4", "roll 3 3", "roll 6 6", "roll 2 4"),
    *(
        "no roll off-table",
        "no roll improper",
        "ruling 3 4 by boxperson",
        "ruling void by supervisor",
    ),
    *(
        "ann: pass for 10",
        "bob: hard 8 for 5",
        "cal: field for 5 in the air",
        "ann: pass for 10 match 5",
    ),
    *(
        "boxperson confirms cal field",
        "dealer confirms cal field",
        "die lost",
        "die found",
        "dead game",
    ),
    *("inspect dice", "recall dice damage", "new dice damage", "new dice age serial 4411"),
    *("cancel dice 4411", "inspect dice 0.7502 serial 4411", "boxperson okays the dice"),
    *("boxperson orders ann to pass for delay", "kim relieves the stickperson", "table closes"),
    *(
        "machine relieves the boxperson",
        "kim relieves the base dealer",
        "table opens",
        "zed joins for 50",
    ),
    *("ann buys in 100", "bob leaves", "bob takes the dice", "cal declines the dice", "ann: undo"),
    *(
        "dee joins for 100 at 9",
        "clock 2026-12-01 09:00",
        "roll 7 7",
        "call it",
        "ann buy-in declined for a reason",
        "bob buy-in declined",
        "limits 15 to 400",
        "limits 5 to 5000",
        "limits field 1 to 50",
        "limits 0 to 0",
        "limits pass 5 to 99999999999",
        "supervisor warns ann for misses-wall",
        "boxperson permits bob to colour up",
        "ann asks to colour up",
        "cal colours up",
        "ann changes 25 to green",
        "ann: all down",
        "ann:",
        ":",
        "nonsense",
        "ann",
    ),
)
ROLES = (*EVERY_POST, "operator", "watcher", "surveillance")
PLAYER = st.tuples(st.sampled_from(NAMES), st.sampled_from(PLAYER_SAYS))
#: What moves a game on: without it there would be few throws.
MOVES = st.one_of(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(("pass for 10", "dont pass for 10", "roll"))),
    st.tuples(st.just("stick"), st.sampled_from(("dice out", "roll 3 4", "roll 2 2", "roll 5 4"))),
)
CREW = st.tuples(st.sampled_from(ROLES), st.sampled_from(CREW_SAYS))
#: Lines made up of what lines are made of, by whoever.
WORDS = st.sampled_from(
    (
        *("ann", "bob", "machine", "kim", "stickperson", "boxperson", "dealer", "supervisor"),
        *("the dice", "relieves", "the", "confirms", "orders", "to", "pass", "for", "delay"),
        *("warns", "permits", "joins", "buys in", "declined", "buy-in", "limits", "5", "100"),
        *("field", "hard-8", "at", "9", "no roll", "ruling", "void", "by", "inspect dice"),
        *("serial", "4411", "0.7502", "flaw", "recall dice", "new dice", "cancel dice", "on"),
        *("4", "call", "it", "roll", "clock", "leaves"),
    )
)
MADE_UP = st.tuples(
    st.sampled_from((*NAMES, *ROLES)), st.lists(WORDS, min_size=1, max_size=8).map(" ".join)
)
ANYBODY = st.tuples(
    st.sampled_from((*NAMES, *ROLES)),
    st.one_of(st.sampled_from(PLAYER_SAYS + CREW_SAYS), st.text(max_size=30)),
)
WAIT = st.tuples(st.just("wait"), st.sampled_from(("1", "12", "60", "700", "90000")))
POSTS = st.dictionaries(st.sampled_from(tuple(EVERY_POST)), st.just("person"))


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(
    game=st.sampled_from(GAMES),
    posts=POSTS,
    typed=st.booleans(),
    box=st.booleans(),
    betting=st.sampled_from((0, 10)),
    says=st.lists(st.one_of(PLAYER, MOVES, MOVES, CREW, CREW, ANYBODY, MADE_UP, WAIT), max_size=40),
    seed=st.integers(0, 99),
)
def test_nothing_but_refusals_comes_of_it(
    game: tuple[str, str],
    posts: dict[str, str],
    typed: bool,
    box: bool,
    betting: int,
    says: list[tuple[str, str]],
    seed: int,
) -> None:
    asked: dict[str, Any] = {"game": game[1], "posts": posts, "pace": {"betting": betting}}
    if typed and game[1] != "automated-craps":
        asked |= {"dice": "typed", "posts": {**posts, "stick": "person"}}
    if box:
        asked |= {"buy_ins": "box"}
    asyncio.run(_play(Floor(seed), game[0], asked, says))


async def _play(
    floor: Floor, book: str, asked: dict[str, Any], says: list[tuple[str, str]]
) -> None:
    await floor.open(book, **asked)
    for place, name in zip((1, 9, 2), NAMES, strict=True):
        await floor.sit(name, "300", place=place)
        for admits in ("operator", "box", "floor"):
            if (await floor.live()).buy_in_requests:
                await floor.code(admits, f"{name} joins for 300 at {place}")
    other, met = floor.another(), []
    for number, (who, say) in enumerate(says):
        if who == "wait":
            await floor.tend(seconds=int(say))
            continue
        service = (floor.service, other)[number % 2]
        floor.service, other = service, (other if service is floor.service else floor.service)
        try:
            answer = await floor.say(who, say, id=f"id{number}")
        except ServiceError as wrong:
            met.append((wrong.code, who, say, wrong.message))
            continue
        again = await other.say(floor.table, holder(who), _same(number, say))
        assert again == answer or answer.seq is None
    assert [
        one
        for one in met
        if one[0] not in ("forbidden", "conflict", "not_understood") or not one[3]
    ] == []
    await floor.hold()
    await other.view(floor.table, Holder("box"))
    promise = DiceCommitment()
    for entry in await floor.log():
        verify_throw(floor.table, promise, entry)
        promise = promise.apply_entry(entry)


def _same(number: int, say: str) -> Any:
    from passline.live.schema import LineRequest

    return LineRequest(id=f"id{number}", say=say)
