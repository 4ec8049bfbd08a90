"""Games by record text: whatever stands there is dealt or is a RecordError, never a crash."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from passline.game.law.wager_names import known_slugs
from passline.record.deal import Dealt, deal_text
from passline.record.write import write_record
from passline.talk.errors import RecordError
from tests.auditor.figures import BOOKS
from tests.auditor.random_games import random_game

from .effort import effort
from .houses import is_citation

NAMES = ("ann", "bob")
_AMOUNTS = ("5", "6", "10", "12", "25", "30", "7", "1", "60", "100", "5000", "5001")
_ODD = (
    *("0", "-5", "0.01", "0.001", "1e9", "1.5.2", "1,000", "$10", "٣", "½", "１２", "ten", ""),
    *("9" * 15, "9" * 19, "9" * 5000, "1" + "0" * 400, "nan", "inf", "0x10", "١٢٫٥"),
)
_TAILS = ("", "", "", " match 10", " in the air", " unnoticed", " on call", " in cash", " nonsense")
_TALK_SOUND = (
    *("place the 6 for 12", "$64 across", "$22 inside", "horn high yo for 5", "press the 8"),
    *("odds for 50", "all down", "all on", "all off", "toke 5"),
    *("hard-8 for 1 for the dealers", "pass for 5 for the dealers"),
)
_TALK = (
    *(*_TALK_SOUND, "$5 on the hard eight", "same bet", "down on everything", "yo"),
    *("take me down", "max odds", "42 dollars inside", "press it"),
)
_TABLE_SOUND = (
    *("no roll off-table", "no roll improper by boxperson", "ruling void by boxperson"),
    *("ruling 3 4 by supervisor", "new dice age", "clock 2007-04-02 09:00"),
    *("roll 1 2 tampered", "supervisor orders ann to pass for delay"),
    *("dice out", "dice back", "inspect dice", "recall dice damage", "die lost", "die found"),
    *("new dice age serial 4411", "inspect dice 0.7500 serial 4411", "cancel dice 4411"),
    *("kim relieves the boxperson", "boxperson okays the dice", "dead game"),
    *("table closes", "table opens", "table opens"),
)
_TABLE = (
    *_TABLE_SOUND,
    "inspect dice 75",
    "cancel dice",
    "kim relieves ann",
    "roll 0 7",
    "roll",
    "clock yesterday",
    "no roll",
)
_DOES = (
    *("takes the dice", "passes the dice", "declines the dice", "leaves", "stands", "sits"),
    *(
        "changes 25 to green",
        "colours up",
        "asks for the same dice",
        "asks for new dice",
        "buys in 100",
        "buys in -1",
    ),
)

names = st.sampled_from(NAMES)
slugs = st.sampled_from((*known_slugs(), *("pass", "come", "dont-pass", "pass-odds") * 20))
rolls = st.builds("roll {} {}".format, st.integers(1, 6), st.integers(1, 6))


def lines(*, sound: bool) -> st.SearchStrategy[str]:
    """Lines of play that can be read; unsound, a few that cannot."""
    amounts = st.sampled_from(_AMOUNTS if sound else (*_AMOUNTS, *_ODD))
    tails = st.sampled_from(_TAILS[:-1] if sound else _TAILS)
    said = [
        st.builds("{} for {}{}".format, slugs, amounts, tails),
        st.builds("{} {} {}".format, slugs, st.sampled_from(("for", "to")), amounts),
        st.builds("{} {}".format, slugs, st.sampled_from(("down", "on", "off"))),
        st.sampled_from(_TALK_SOUND if sound else _TALK),
    ]
    says = st.lists(st.one_of(said), min_size=1, max_size=3).map("; ".join)
    return st.one_of(
        rolls,
        rolls,
        st.builds("{}: pass for 10".format, names),
        st.builds("{}: {}".format, names, says),
        st.builds("{} {}".format, names, st.sampled_from(_DOES[:-1] if sound else _DOES)),
        st.sampled_from(_TABLE_SOUND if sound else _TABLE),
    )


games = st.one_of(
    st.lists(lines(sound=True), min_size=15, max_size=40),
    st.lists(lines(sound=False), min_size=1, max_size=10),
)
headers = st.sampled_from(
    [f"rulebook: {book}\nplayer: ann 500\nplayer: bob 20000\n" for book in BOOKS]
    + [
        f"rulebook: new-jersey\ngame: {game}\nplayer: ann 500\nplayer: bob 90\n"
        for game in ("mini-craps", "automated-craps")
    ]
    + ["rulebook: iowa\nplayer: ann 1\nplayer: bob 10\n", "player: ann 5\n", ""]
)


def dealt_or_error(text: str) -> Dealt | None:
    """Deal a text; only a RecordError with words of its own may come instead."""
    try:
        return deal_text(text)
    except RecordError as wrong:
        said = str(wrong)
    assert said.strip()
    assert "\n" not in said
    assert len(said) < 2000
    return None


def cents(text: str) -> int:
    """Money of the JSON, back in cents."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    whole, part = digits.split(".")
    assert len(part) == 2
    return sign * (int(whole) * 100 + int(part))


def check(dealt: Dealt) -> dict[str, Any]:
    """The JSON adds up and cites."""
    found = dealt.to_json()
    held = sum(cents(p["rail"]) + cents(p["layout"]) for p in found["players"].values())
    held += cents(found["dealers"]["layout"]) if "dealers" in found else 0
    house = {key: cents(amount) for key, amount in found["house"].items()}
    assert house["drop"] == held + house["win"] + house["vig"] + dealt.table.tokes
    for player in found["players"].values():
        assert cents(player["layout"]) == sum(map(cents, player["wagers"].values()))
    for row in (row for roll in found["rolls"] for row in roll["settlements"]):
        assert is_citation(found["rulebook"], row["cite"]), row
    for row in found["refusals"]:
        assert row["reason"].strip()
        assert is_citation(found["rulebook"], row["cite"]), row
    return found


def without_lines(found: dict[str, Any]) -> dict[str, Any]:
    """The same game, wherever its lines stood; a refusal's words may have become canonical."""
    rolls = [{**roll, "line": 0} for roll in found["rolls"]]
    refusals = [{**row, "line": 0, "said": ""} for row in found["refusals"]]
    return {**found, "rolls": rolls, "refusals": refusals}


@effort(120)
@given(header=headers, body=games)
def test_a_random_record_is_dealt_or_is_an_error(header: str, body: list[str]) -> None:
    dealt = dealt_or_error(header + "\n".join(body))
    if dealt is not None:
        check(dealt)


@effort(60)
@given(book=st.sampled_from(list(BOOKS)), seed=st.integers(0, 10**6))
def test_a_record_written_canonically_is_the_same_game(book: str, seed: int) -> None:
    dealt = deal_text(random_game(book, seed, lines=30))
    written = write_record(dealt)
    again = deal_text(written)
    assert without_lines(check(again)) == without_lines(check(dealt))
    assert write_record(again) == written


edits = st.lists(
    st.tuples(st.integers(0, 2000), st.integers(0, 5), st.text(max_size=3)), max_size=12
)


def edited(text: str, changes: list[tuple[int, int, str]]) -> str:
    """A text after so many slips of the pen: in the lines of play, one in four anywhere."""
    for place, kind, what in changes:
        first = text.find("\n\n") if place % 4 else 0
        at = first + place % (len(text) - first + 1)
        if kind == 0:
            text = text[:at] + what + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + what + text[at + len(what) :]
        elif kind == 3:
            text = text[:at] + text[at : at + 1] * 2 + text[at + 1 :]
        elif kind == 4:
            text = text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
        else:
            text = text[:at] + "9" * (len(what) * 10) + text[at:]
    return text


@effort(120)
@given(
    book=st.sampled_from(list(BOOKS)),
    seed=st.integers(0, 200),
    changes=edits,
)
def test_a_record_with_slips_is_dealt_or_is_an_error(
    book: str, seed: int, changes: list[tuple[int, int, str]]
) -> None:
    dealt = dealt_or_error(edited(random_game(book, seed, lines=15), changes))
    if dealt is not None:
        check(dealt)


@effort(100)
@given(header=headers, noise=st.text(max_size=200))
@example(header="", noise="")
@example(header="", noise="\ufeff")
@example(header="rulebook: iowa\nplayer: ann 5\n", noise="\x0broll 1 2")
@example(header="rulebook: iowa\nplayer: ann 5\n", noise=":")
@example(header="rulebook: iowa\nplayer: ann 5\n", noise="ann:")
@example(header="rulebook: iowa\nplayer: ann 5\n", noise="house.odds.multiple: 10")
@example(header="", noise="rulebook: iowa\nhouse: /dev/null\nplayer: ann 5")
@example(header="", noise="rulebook: iowa\nhouse.: 1\nplayer: ann 5")
@example(header="", noise="rulebook: iowa\nhouse.limits.max: 1e400\nplayer: ann 5")
def test_noise_is_dealt_or_is_an_error(header: str, noise: str) -> None:
    dealt = dealt_or_error(header + noise)
    if dealt is not None:
        check(dealt)


@effort(100)
@given(header=headers, noise=st.binary(max_size=300))
def test_bytes_are_dealt_or_are_an_error(header: str, noise: bytes) -> None:
    for text in (noise.decode("latin-1"), noise.decode("utf-8", "surrogateescape")):
        dealt = dealt_or_error(header + text)
        if dealt is not None:
            check(dealt)


keys = st.sampled_from(
    (
        *("odds.multiple", "limits.min", "limits.max", "limits.smallest_chip", "buy.rate"),
        *("buy.when", "lay.base", "offers.fire", "offers.bonus", "pays.field-12", "lay.rounding"),
        *("limits.max_by_wager.pass", "odds.multiple.4", "buy.when.4", "offers.place-2", "x.y"),
    )
)
values = st.one_of(
    st.sampled_from(("1", "10", "3-4-5", "A", "true", "false", "won", "0.05", "3 to 1", "b")),
    st.sampled_from(_ODD),
    st.text(max_size=20),
)


@effort(120)
@given(
    book=st.sampled_from(list(BOOKS)),
    elections=st.lists(st.tuples(keys, values), max_size=3),
    body=games,
)
def test_any_election_is_taken_or_is_an_error(
    book: str, elections: list[tuple[str, str]], body: list[str]
) -> None:
    house = "".join(f"house.{key}: {value}\n" for key, value in elections)
    dealt = dealt_or_error(
        f"rulebook: {book}\n{house}player: ann 5000\nplayer: bob 9\n" + "\n".join(body)
    )
    if dealt is not None:
        check(dealt)
