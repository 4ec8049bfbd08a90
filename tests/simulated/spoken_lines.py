"""What the people of a world say."""

from __future__ import annotations

from random import Random

BETS = (
    *("pass for 10", "dont pass for 10", "field for 5", "come for 10", "place 6 for 12"),
    *(
        "place 6 for 12; hard 8 for 5",
        "odds for 20",
        "buy 4 for 20",
        "horn for 4",
        "any seven for 5",
    ),
    *("pass for 10; field for 7; any seven for 5", "64 across", "two way yo for 2"),
)
ACTS = (
    *("undo", "undo", "all down", "same bet", "press the 6", "place 6 off", "toke 5"),
    *("take the dice", "pass the dice", "decline", "buy in 100", "leave", "ready"),
    *("leave my line down", "colour up", "change 50 to green"),
)
ODD = (
    *("pass for 10 in cash", "roll 3 4", "no roll off-table", "bob: field for 5", ";", "#", ""),
    *("pass for 99999999999", "place 6 for -5", "x:y", "\u00e4\u0000", "nonsense", "pass " * 300),
)
STICK = (
    *("dice out", "dice out", "roll 3 4", "roll 2 2", "roll 5 4", "roll 6 1", "dice back"),
    *("no roll off-table", "ann: hard 8 for 5", "nonsense"),
)
BOX = (
    *("ann joins for 100", "bob joins for 100", "cal joins for 100", "ann buys in 100"),
    *("boxperson okays the dice", "new dice damage", "inspect dice", "dead game"),
)
FLOOR = ("table closes", "table opens", "table opens", "new dice damage")


def player(chance: Random) -> str:
    """What a player says next: mostly what moves the game on."""
    turn = chance.random()
    if turn < 0.35:
        return "roll"
    if turn < 0.75:
        return chance.choice(BETS)
    return chance.choice(ACTS if turn < 0.93 else ODD)


def garbage(chance: Random) -> bytes:
    """A body that is none, or not of the shape."""
    return chance.choice(
        (
            chance.randbytes(chance.randrange(40)),
            b"",
            b"[]",
            b"null",
            b'{"id": 1, "say": ["pass"]}',
            b'{"id": "x", "say": "\\ud800"}',
            b'{"id": "x", "say": "pass for 10", "nonce": 5}',
            b'{"id": "x", "say": "pass for 10", "more": {}}',
            b'{"id": "", "say": "pass for 10"}',
            b'{"name": "eve", "buy_in": "1e9", "place": -1}',
            b'{"name": "eve", "buy_in": "100", "place": 99999999999999999999}',
            b'{"name": "\\u0000", "buy_in": "100"}',
            b'{"role": "player", "name": "' + b"x" * 300 + b'"}',
            b'{"rulebook": "iowa", "pace": {"betting": -1}}',
            b'{"rulebook": "iowa", "elections": {"odds.multiple": "x"}}',
            b'{"house": "[["}',
            b"[" * 2000,
            b"x" * (17 * 1024),
        )
    )
