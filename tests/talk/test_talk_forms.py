"""Every row of ``talk.tsv``: what a player says, what it is understood as, and how it is dealt."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from passline.game.law.clauses import list_clauses
from passline.game.table.state import Table
from passline.game.words.refusals import describe_refusal
from passline.record.deal import deal_text
from passline.record.write import write_record
from passline.talk.canonical import format_command
from passline.talk.echo import echo
from passline.talk.errors import RecordError, UnplayableError
from passline.talk.understand import understand
from tests.case_tables import check_every_row

ROWS = [
    tuple(line.split("\t"))
    for line in Path(__file__).with_name("talk.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
#: Rows that are bets, neither refused nor misunderstood.
PLAYED_ROWS = [row for row in ROWS if not row[2].startswith(("refused: ", "unheard: "))]
#: How many rows there are. Change these with the table.
ROW_COUNT, PLAYED_COUNT = 689, 455
POINT = "player: ann 9000\nann: pass for 10\nroll 3 3\n"
ACTION = (
    "ann: place-win-6 for 12; place-win-8 for 12; place-win-5 for 25; buy-4 for 25; hard-8 for 5\n"
    "ann: hard-6 for 5; come for 10\nroll 5 4\nann: pass-odds for 20; come-odds-9 for 20\n"
)
TABLES = {
    "opening": "rulebook: dealer-school\nplayer: ann 9000\n",
    "point": f"rulebook: dealer-school\n{POINT}",
    "action": f"rulebook: dealer-school\n{POINT}{ACTION}",
    "iowa": f"rulebook: iowa\n{POINT}",
    "new-jersey": f"rulebook: new-jersey\n{POINT}",
    "single": f"rulebook: dealer-school\n{POINT}ann: place-win-8 for 12\n",
    "sides": (
        "rulebook: dealer-school\nplayer: ann 9000\nann: pass for 10; dont-pass for 10\nroll 3 3\n"
        "ann: come for 10\nroll 4 4\nann: come for 10\nroll 5 4\n"
        "ann: place-win-4 for 10; buy-4 for 25\n"
    ),
    "dark": "rulebook: dealer-school\nplayer: ann 9000\nann: dont-pass for 10\nroll 3 3\n",
    "iowa-up": f"rulebook: iowa\n{POINT}ann: place-win-6 for 12; place-win-8 for 12\n",
    "crapless": f"rulebook: maryland-crapless\n{POINT}",
    "crapless-up": f"rulebook: maryland-crapless\n{POINT}"
    "ann: place-win-12 for 10; place-win-2 for 10; craps-2 for 5\n",
    "placed": f"rulebook: dealer-school\n{POINT}ann: place-win-6 for 30\n",
    "laid": (
        "rulebook: dealer-school\nplayer: ann 9000\nann: dont-pass for 10\nroll 5 4\n"
        "ann: dont-pass-odds for 30\n"
    ),
    "come": f"rulebook: dealer-school\n{POINT}ann: come for 10\nroll 4 1\n",
    "dollar-25": "rulebook: new-jersey\nhouse.limits.smallest_chip: 25\nhouse.limits.min: 25\n"
    "player: ann 9000\nann: pass for 25\nroll 3 3\n",
    "section-2": f"rulebook: section-2\n{POINT}",
    "nj-whirl": f"rulebook: new-jersey\n{POINT}ann: whirl for 5\n",
    "nj-whirl-more": f"rulebook: new-jersey\n{POINT}ann: horn for 4; whirl for 5\n",
    "section-2-whirl": f"rulebook: section-2\n{POINT}ann: whirl for 10\n",
    "small": f"rulebook: dealer-school\n{POINT}ann: place-win-6 for 6\n",
    "iowa-hard": f"rulebook: iowa\n{POINT}ann: hard-8 for 5\n",
    "vegas": "rulebook: las-vegas\nhouse.offers.bonus: A\nhouse.offers.repeater: A\n"
    "house.offers.muggsys-corner: A\nplayer: ann 9000\nplayer: bob 9000\nbob: pass for 10\n",
    "dont-come": f"rulebook: dealer-school\n{POINT}ann: dont-come for 10\nroll 5 3\n",
}


@cache
def table_of(name: str) -> Table:
    return deal_text(TABLES[name]).table


def test_every_row_is_understood_as_it_says() -> None:
    check_every_row(ROWS, _check_meaning, ROW_COUNT)


def _check_meaning(name: str, talk: str, meant: str) -> None:
    table = table_of(name)
    kind, _, words = meant.partition(": ")
    if kind == "refused":
        with pytest.raises(UnplayableError) as refused:
            understand(table, "ann", talk)
        assert words in describe_refusal(refused.value.refusal)
        reason = describe_refusal(refused.value.refusal)
        assert all(_leads_on(table, choice, reason) for choice in refused.value.choices)
    elif kind == "unheard":
        with pytest.raises(RecordError) as unheard:
            understand(table, "ann", talk)
        assert words in str(unheard.value)
    else:
        commands = understand(table, "ann", talk)
        assert "; ".join(format_command(command) for command in commands) == meant


def _leads_on(table: Table, choice: str, reason: str) -> bool:
    """Return whether an offered choice is understood, or asks a further question."""
    try:
        return bool(understand(table, "ann", choice))
    except UnplayableError as again:
        return describe_refusal(again.refusal) != reason


def test_a_record_of_talk_is_dealt_like_the_canonical_record() -> None:
    check_every_row(PLAYED_ROWS, _check_record, PLAYED_COUNT)


def _check_record(name: str, talk: str, meant: str) -> None:
    spoken = deal_text(f"{TABLES[name]}ann: {talk}\nroll 6 2\n")
    canonical = deal_text(f"{TABLES[name]}ann: {meant}\nroll 6 2\n")
    assert spoken.table == canonical.table
    assert [e.words for e in spoken.entries] == [e.words for e in canonical.entries]
    assert deal_text(write_record(spoken)).table == spoken.table


def test_an_echo_is_understood_as_what_it_repeats() -> None:
    check_every_row(PLAYED_ROWS, _check_echo, PLAYED_COUNT)


def _check_echo(name: str, talk: str, meant: str) -> None:
    table = table_of(name)
    for command in understand(table, "ann", talk):
        assert understand(table, "ann", echo(command)) == [command]


def test_a_bet_is_repeated_as_a_base_dealer_does() -> None:
    table = table_of("point")
    for talk, repeated in (
        ("place the six for twelve", "place 6 for $12"),
        ("the 6 and 8 for 12 each", "place 6 for $12, place 8 for $12"),
        ("two-way yo for 5 and 1", "yo for $5, yo for $1 for the dealers"),
        ("full odds", "pass odds for $50"),
        ("take me down", "all down"),
    ):
        assert echo(understand(table, "ann", talk)) == repeated
    action, dark = table_of("action"), table_of("dont-come")
    assert echo(understand(action, "ann", "odds on the nine working")) == "come odds on the 9 on"
    lays = echo(understand(dark, "ann", "odds on the eight for 12"))
    assert lays == "don't come odds on the 8 for $12"


def _tabled() -> list[object]:
    """Return every row of the school's tables: the group, the sum, and the parts of the clause."""
    found: list[object] = []
    for clause in list_clauses("dealer-school"):
        name, _, row = clause.id.partition("/")
        if name in {"across", "across-no-4", "across-no-6", "inside", "outside"} and row.isdigit():
            figures = dict(part.split("=") for part in clause.figures.split("; "))
            mark = pytest.mark.clause(f"dealer-school:{clause.id}")
            found.append(pytest.param(name, figures, marks=mark, id=clause.id))
    return found


@pytest.mark.parametrize(("name", "figures"), _tabled())
def test_groups_follow_every_row_of_the_school_tables(name: str, figures: dict[str, str]) -> None:
    parts = {n: cents for n, cents in figures.items() if n != "amount"}
    meant = [f"place-win-{n} for {cents}" for n, cents in parts.items()]
    for talk in (
        f"${figures['amount']} {name}",
        f"{name.replace('-', ' ')} for {figures['amount']}",
    ):
        commands = understand(table_of("point"), "ann", talk)
        assert [format_command(command) for command in commands] == meant


def test_the_school_has_all_its_tables() -> None:
    assert len(_tabled()) == 11 + 11 + 11 + 12 + 12
