"""Lines of the floor: read, written canonically, and refused in words where they cannot be read."""

from __future__ import annotations

import pytest

from passline.game.table import commands as cmd
from passline.record.deal import deal_text
from passline.record.table_lines import read_table_line, write_table_line
from passline.record.write import write_record
from passline.talk.errors import RecordError
from tests.table.games import deal

HEADER = "rulebook: iowa\nplayer: ann 500\n\n"


def read(line: str) -> cmd.AnyCommand:
    return read_table_line(line, deal("", book="iowa").table)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("dice out", cmd.SendDice()),
        ("dice back", cmd.DrawBack()),
        ("die lost", cmd.LoseDie()),
        ("die found", cmd.FindDie()),
        ("dead game", cmd.DeadGame()),
        ("table closes", cmd.CloseTable()),
        ("table opens", cmd.OpenTable()),
        ("dice in the air", cmd.ReleaseDice()),
        ("dealer confirms ann hard-8", cmd.Confirm("ann", "hard-8", "dealer")),
        ("zoe joins for 200", cmd.Join("zoe", 20000)),
        ("zoe joins for 200 at 7", cmd.Join("zoe", 20000, 7)),
        ("inspect dice by supervisor", cmd.InspectDice("supervisor")),
        (
            "inspect dice 0.7500 serial A-1 by supervisor",
            cmd.InspectDice("supervisor", (7500,), ("A-1",)),
        ),
        (
            "inspect dice 0.7502 1.0000 serial 44 45 flaw chipped flaw flaw by boxperson",
            cmd.InspectDice(
                by="boxperson", sizes=(7502, 10000), serials=("44", "45"), flaws=("chipped", "flaw")
            ),
        ),
        ("recall dice out-of-sight", cmd.RecallDice("out-of-sight")),
        ("new dice age", cmd.NewDice("age")),
        ("new dice age serial 4411", cmd.NewDice("age", "4411")),
        ("cancel dice 4411 by supervisor", cmd.CancelDice("4411", "supervisor")),
        ("cancel dice 4411 on 4 by supervisor", cmd.CancelDice("4411", "supervisor", 4)),
        ("kim relieves the stickperson", cmd.Relieve("kim", "stickperson")),
        ("kim relieves the left base dealer", cmd.Relieve("kim", "left base dealer")),
        ("boxperson okays the dice", cmd.OkayDice()),
        ("limits 15 to 2000", cmd.SetLimits(15_00, 2000_00)),
        ("limits field 2.50 to 500", cmd.SetLimits(2_50, 500_00, "field")),
        ("ann changes 100 to green", cmd.ChangeCheques("ann", 10000, "green")),
    ],
)
def test_a_line_reads_and_writes(line: str, command: cmd.AnyCommand) -> None:
    assert read(line) == command
    assert write_table_line(command) == line


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("Dice Out", cmd.SendDice()),
        ("inspect dice .75 .7511", cmd.InspectDice("supervisor", (7500, 7511))),
        (
            "inspect dice flaw flaw serial 4411",
            cmd.InspectDice(by="supervisor", sizes=(), serials=("4411",), flaws=("flaw",)),
        ),
        ("cancel dice 4411", cmd.CancelDice("4411", "supervisor")),
        ("kim relieves the stick", cmd.Relieve("kim", "stickperson")),
        ("kim relieves the dealer", cmd.Relieve("kim", "base dealer")),
        ("box okays the dice", cmd.OkayDice()),
        ("ann changes $100 into green", cmd.ChangeCheques("ann", 10000, "green")),
        ("limits joins for 100", cmd.Join("limits", 100_00)),
    ],
)
def test_other_words_for_the_same(line: str, command: cmd.AnyCommand) -> None:
    assert read(line) == command


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("inspect dice 7500", "'7500' is no measurement: expected inches, such as 0.7502"),
        ("inspect dice 0.75000", "is no measurement"),
        ("inspect dice .٧٥", "is no measurement"),
        ("inspect dice serial 44/11", "'44/11' is no serial number"),
        ("inspect dice flaw dusty", "'dusty' is no flaw: expected one of flaw, defect"),
        ("inspect dice by ann", "there is no crew role 'ann'"),
        ("recall dice boredom", "'boredom' is no reason: expected one of out of sight"),
        ("new dice age serial", "'age serial' is no reason"),
        ("new dice age serial 4/4", "'4/4' is no serial number"),
        ("cancel dice 4411 on 7", "expected which set: 'cancel dice 4411'"),
        ("kim relieves the cook", "'cook' is no post: expected one of stickperson"),
        ("ann okays the dice", "there is no crew role 'ann'"),
        ("ann changes much to green", "'much' is not a valid amount"),
        ("kim changes 100 to green", "'kim' is no player here: ann"),
    ],
)
def test_a_line_that_cannot_be_read(line: str, wrong: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(line)
    assert wrong in str(caught.value)


def test_a_wager_for_the_dealers_is_said_and_written() -> None:
    dealt = deal_text(HEADER + "ann: hard-8 for 1 for the dealers; hard-6 for $2 for dealers")
    written = "ann: hard-8 for 1 for the dealers; hard-6 for 2 for the dealers"
    assert written in write_record(dealt)


def test_a_wager_for_the_dealers_takes_no_other_words() -> None:
    with pytest.raises(RecordError, match="or for the dealers, alone"):
        deal_text(HEADER + "ann: hard-8 for 1 in the air for the dealers")


def test_a_command_that_is_no_line_has_no_words() -> None:
    with pytest.raises(TypeError, match="not a line of the table"):
        write_table_line(cmd.Bet("ann", "pass", 500))
