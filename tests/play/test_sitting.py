"""Sitting at the table: what a player types, and what is shown for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.play.display import Display
from passline.record.deal import deal_text

from .tables import sit, told, words


def test_a_first_round() -> None:
    sitting = sit(throws=[(4, 3)])
    first = list(sitting.begin())
    assert first[-1] == ('Nobody can shoot yet. Say "pass line for 10", then "roll".')
    assert told(sitting, "pass line for 10") == ["Pass for $10. $490 in your rail."]
    shown = told(sitting, "roll")
    assert shown[0] == "The stick offers you 5 dice: you take two."
    assert shown[1].startswith("[4][3]  seven")
    assert shown[2] == "  pass line $10 wins $10 at 1 to 1: 2 red"


@pytest.mark.parametrize("typed", ["r", "ROLL", "roll", "roll the dice", '"roll"', " shoot "])
def test_ways_to_roll(typed: str) -> None:
    sitting = sit(throws=[(3, 3)])
    words(sitting, "pass for 10", typed)
    assert sitting.game.table.puck == 6


def test_says_and_a_roll_in_one_line() -> None:
    sitting = sit(throws=[(3, 3), (2, 2)])
    words(sitting, "pass for 10; field for 5; roll; odds for 10; roll")
    assert sitting.game.throws == 2
    assert set(sitting.game.table.seat("ann").wagers) == {"pass", "pass-odds"}


def test_a_refusal_stops_the_dice() -> None:
    sitting = sit(throws=[(3, 3)])
    shown = words(sitting, "pass for 10; big 6 for 5; roll")
    assert "No: big 6 is not a wager of new-jersey [19:47-1.2(b)]" in shown
    assert sitting.game.throws == 0
    assert "pass" in sitting.game.table.seat("ann").wagers


def test_what_is_not_understood_stops_the_dice_and_the_says_with_it() -> None:
    sitting = sit(throws=[(3, 3)])
    words(sitting, "pass for 10; hocus pocus; roll")
    assert sitting.game.throws == 0
    assert sitting.game.table.seat("ann").wagers == {}


def test_nobody_may_shoot_without_a_line_wager_and_no_dice_are_used_up() -> None:
    sitting = sit(throws=[(3, 3)])
    shown = words(sitting, "roll")
    assert shown.startswith("No: nobody may throw")
    assert '"pass line for 10"' in shown
    words(sitting, "pass for 10; roll")
    assert sitting.game.table.puck == 6


# Offers: never guessed with money


def test_a_typo_is_offered_and_taken_on_yes() -> None:
    sitting = sit()
    assert 'Did you mean "place the 6 for 12"?' in words(sitting, "plce the 6 for 12")
    assert sitting.ask == "y or n> "
    assert sitting.game.table.seat("ann").wagers == {}
    assert words(sitting, "y").startswith("Place 6 for $12.")
    assert sitting.ask == "coming out> "


@pytest.mark.parametrize("answer", ["n", "no"])
def test_an_offer_is_dropped_on_no(answer: str) -> None:
    sitting = sit()
    words(sitting, "plce the 6 for 12")
    assert told(sitting, answer) == ["Nothing has changed."]
    assert sitting.game.table.seat("ann").wagers == {}


def test_an_offer_is_dropped_by_another_line() -> None:
    sitting = sit()
    words(sitting, "plce the 6 for 12", "field for 5")
    assert set(sitting.game.table.seat("ann").wagers) == {"field"}
    shown = words(sitting, "y")  # nothing is asked any more
    assert set(sitting.game.table.seat("ann").wagers) == {"field"}
    assert "not understood" in shown or "did not understand" in shown


def test_a_mistyped_command_is_offered() -> None:
    sitting = sit(throws=[(3, 3)])
    words(sitting, "pass for 10")
    assert 'Did you mean "roll"?' in words(sitting, "rol")
    words(sitting, "yes")
    assert sitting.game.throws == 1


# Coming, going, dice


def test_buying_in_again() -> None:
    sitting = sit(throws=[(1, 2)], bankroll=1_000)
    shown = words(sitting, "pass for 10; roll")
    assert 'You have $0 in your rail. Say "buy in 200" to go on, or "quit".' in shown
    assert told(sitting, "buy in for $200") == ["You buy in for $200: 2 black."]
    assert "how much" in words(sitting, "buy in")
    assert "no amount" in words(sitting, "buy in a lot")
    assert "The most you can buy in for at a time is $10,000,000." in words(
        sitting, "buy in 99999999999"
    )
    assert sitting.game.table.seat("ann").rail == 20_000


def test_passing_the_dice() -> None:
    sitting = sit(throws=[(3, 3)], rail=("pass",))
    list(sitting.begin())
    words(sitting, "pass for 10; roll")
    assert sitting.game.table.shooter == "ann"
    assert told(sitting, "pass the dice") == ["You pass the dice, by choice."]
    assert "you do not hold the dice" in words(sitting, "pass the dice")


def test_same_bet_after_a_decision() -> None:
    sitting = sit(throws=[(1, 2), (4, 4)])
    words(sitting, "pass for 10; yo for 1; roll")
    assert words(sitting, "same bet").startswith("Pass for $10, yo for $1.")


def test_leaving_takes_down_what_may_come_down() -> None:
    sitting = sit(throws=[(3, 3)])
    words(sitting, "pass for 10; roll; place the 8 for 12")
    shown = words(sitting, "leave")
    assert "Place 8 down, $12 back to you." in shown
    assert "You go with $490 and $10 up ($0)." in shown
    assert sitting.over
    assert not sitting.game.table.seat("ann").here


def test_quitting_leaves_everything_up() -> None:
    sitting = sit(throws=[(3, 3)])
    shown = words(sitting, "pass for 10; roll; place the 8 for 12; quit")
    assert "You go with $478 and $22 up ($0)." in shown
    assert sitting.over
    assert sitting.game.table.seat("ann").here


def test_mini_craps_keeps_a_player_seated() -> None:
    sitting = sit(throws=[(3, 3)], game="mini-craps")
    words(sitting, "pass for 10; roll")
    shown = words(sitting, "stand", "leave")
    assert shown.count("No: you stay seated until every wager is decided") == 2
    assert not sitting.over


def test_automated_craps_needs_no_shooter() -> None:
    sitting = sit(throws=[(3, 3)], game="automated-craps")
    assert 'Say "pass line for 10"' in "\n".join(sitting.begin())
    shown = words(sitting, "roll", "take the dice")
    assert sitting.game.table.puck == 6
    assert "No: automated-craps has no shooter" in shown


# Dice typed in


@pytest.mark.parametrize("typed", ["4 3", "43", "4-3", "4,3", "4+3", "roll 4 3", "roll 43"])
def test_dice_typed_in(typed: str) -> None:
    sitting = sit(throws=None)
    words(sitting, "pass for 10", typed)
    assert sitting.game.written[-2:] == ["roll 4 3", "ann: pass for 10"]  # it won, and is left up


def test_typed_dice_are_never_guessed() -> None:
    sitting = sit(throws=None)
    shown = words(sitting, "pass for 10", "roll", "11", "12", "7", "roll 7 1")
    assert "Which dice fell?" in shown
    assert "A die has the faces 1 to 6" in words(sitting, "4 7")
    assert "A die has the faces 1 to 6" in words(sitting, "roll 4, 0")
    assert "type them apart, such as 1 1" in shown
    assert "type them apart, such as 1 2" in shown
    assert sitting.game.throws == 0
    words(sitting, "1 2")
    assert sitting.game.throws == 1


def test_what_else_befalls_typed_dice() -> None:
    sitting = sit(throws=None)
    shown = words(sitting, "pass for 10", "no roll off-table by stickperson")
    assert "No roll, off table" in shown
    assert sitting.game.written[-1] == "no roll off-table by stickperson"


def test_the_floor_of_a_real_table_is_typed_in() -> None:
    sitting = sit("iowa", throws=None)
    lines = ("kim relieves the stickperson", "dice out", "dice back", "inspect dice by supervisor")
    shown = words(sitting, "pass for 10", *lines)
    assert "No:" not in shown
    assert "not understood" not in shown
    assert sitting.game.written[-4:] == list(lines)
    assert "is no reason" in words(sitting, "recall dice because")


def test_dice_cannot_be_typed_where_they_are_thrown() -> None:
    sitting = sit(throws=[(3, 3)])
    shown = words(sitting, "pass for 10", "4 3", "no roll off-table by stickperson")
    assert "The dice are rolled for you here" in shown
    assert sitting.game.throws == 0


# Who speaks


def test_speaking_for_oneself_and_for_others() -> None:
    sitting = sit(rail=("pass",))
    assert told(sitting, "sam: field for 5") == ["sam bets by a strategy: speak for yourself."]
    assert told(sitting, "bob: field for 5") == ["There is no bob at the table."]
    assert told(sitting, "y") != ["Field for $5. $495 in your rail."]  # nothing was offered
    assert told(sitting, "ANN: field for 5") == ["Field for $5. $495 in your rail."]
    assert told(sitting, "yo: 5") == ["Yo for $5. $490 in your rail."]
    sitting.others.clear()
    shown = told(sitting, "sam: field for 5; yo for 1", "sam leaves")
    assert shown[0] == "Field for $5, yo for $1. $994 in sam's rail."
    assert sitting.game.written[-2:] == ["sam: field for 5; eleven for 1", "sam leaves"]


def test_what_another_player_does_is_not_done_by_oneself() -> None:
    sitting = sit(throws=[(3, 3)], rail=("pass",))
    sitting.others.clear()
    words(sitting, "pass for 10; sam: x", "pass for 10", "sam: pass for 10", "roll")
    assert sitting.game.table.shooter == "ann"
    assert "sam does not hold the dice" in words(sitting, "sam: pass the dice")
    before = sitting.game.table
    for said in ("leave", "buy in 500", "undo"):
        assert "That is only for yourself" in words(sitting, f"sam: {said}")
    assert (sitting.game.table, sitting.over) == (before, False)


# Asides


def test_why_tells_what_was_decided_where_it_applies() -> None:
    sitting = sit("dealer-school", [(3, 3), (5, 4), (3, 3), (6, 6), (3, 3)])
    words(sitting, "pass for 10; roll; come for 10; roll")
    assert "decided:" not in words(sitting, "why")  # the come went to the nine, not to the point
    words(sitting, "come for 10; roll; don't come for 10")
    assert "decided: A come bet whose number is the point" not in words(sitting, "why")
    sitting = sit("dealer-school", [(3, 3), (4, 2)])
    words(sitting, "don't pass for 10; roll; come for 10; roll")
    assert "decided: A come bet whose number is the point: travels" in words(sitting, "why")
    sitting = sit("iowa", [(5, 6)])
    words(sitting, "yo for 1; pass for 10; roll")
    assert "Big 6" not in words(sitting, "why")
    assert "decided:" not in words(sitting, "why")
    assert "decided: A misprint" in words(sitting, "why payout/pass")  # asked for by name


def test_why_after_a_throw_and_after_a_refusal() -> None:
    sitting = sit(throws=[(3, 3), (4, 3)])
    assert "The last roll decided none of your bets" in words(sitting, "why")
    words(sitting, "pass for 10; roll", "pass down")
    refused = words(sitting, "why")
    assert refused.startswith("Refused: pass line may not be taken down")
    assert "[19:47-1.3(c)1]" in refused
    words(sitting, "roll")
    assert "[19:47-1.2(a)1.ii(2)]" in words(sitting, "why")
    assert "[19:47-1.3(b)#2]" in words(sitting, "why 19:47-1.3(b)#2")
    assert "decided: Match play" in words(sitting, "why 19:47-1.3(b)#2")
    assert "no clause nonsense" in words(sitting, "why nonsense")


def test_odds_on_what_is_up() -> None:
    sitting = sit(throws=[(3, 3)])
    assert "You have nothing up" in words(sitting, "odds")
    shown = told(sitting, "pass for 10; roll; odds for 10; hard 8 for 1", "odds")
    rows = {line[:20].strip(): line for line in shown if "%" in line}
    assert rows["pass line"].split()[3:] == ["5", "win,", "6", "lose", "1.414%", "$0.14"]
    assert rows["odds"].split()[2:] == ["5", "win,", "6", "lose", "0.000%", "$0.00"]
    assert "1 win, 10 lose" in rows["hard 8"]
    assert "$21" in rows["together"]


def test_odds_of_a_wager_that_rests() -> None:
    assert "  off" in words(sit(), "place the 6 for 12", "odds")


def test_bets_lists_every_kind_with_a_say_that_is_understood() -> None:
    for book in ("new-jersey", "section-2", "iowa", "maryland-crapless", "dealer-school"):
        sitting = sit(book)
        shown = told(sitting, "bets")
        assert all(len(line) <= 79 for line in shown)
        assert len(shown) <= 22
        for spot in list(sitting.game.table.layout.spots.values()):
            if spot.number and spot.family in {"come", "dont-come"}:
                continue
            from passline.play.hints import suggest_bet
            from passline.talk.understand import understand

            (command,) = understand(
                sitting.game.table, "ann", suggest_bet(sitting.game.table, spot.slug)
            )
            assert getattr(command, "wager", "") == spot.slug


def test_bets_by_a_word() -> None:
    sitting = sit()
    assert told(sitting, "bets hard 8") == ['hard 8 pays 9 to 1. Say "hard 8 for 1".']
    assert 'No wager here is called "zebra"' in words(sitting, "bets zebra")


def test_crew_after_a_throw() -> None:
    sitting = sit(throws=[(4, 3)])
    assert told(sitting, "crew") == ["Nothing has been rolled yet."]
    shown = words(sitting, "pass for 10; roll", "crew")
    assert "stickperson calls: seven" in shown
    assert "pays ann" in shown


def test_undo_says_what_was_taken_back() -> None:
    sitting = sit()
    words(sitting, "pass for 10")
    assert told(sitting, "undo") == ["Taken back: pass for 10. You have $500 in your rail."]
    assert "said nothing since the last throw" in words(sitting, "undo")


def test_help_fits_a_screen() -> None:
    for sitting in (sit(), sit(throws=None)):
        shown = told(sitting, "help")
        assert len(shown) < 24
        assert all(len(line) <= 79 for line in shown)
        assert told(sitting, "?") == shown


# Saving


def test_saving(tmp_path: Path) -> None:
    sitting = sit(throws=[(3, 3)])
    words(sitting, "pass for 10; roll")
    shown = words(sitting, f"save {tmp_path / 'tonight'}")
    saved = tmp_path / "tonight.craps"
    assert "Saved to" in shown
    assert deal_text(saved.read_text("utf-8")).table == sitting.game.table
    words(sitting, "field for 5")
    assert "Replace it?" in words(sitting, f"save {saved}")
    words(sitting, "n")
    assert "field" not in saved.read_text("utf-8")
    assert "Saved" in words(sitting, f"save {saved}", "y")
    assert "field" in saved.read_text("utf-8")


def test_saving_makes_no_folder(tmp_path: Path) -> None:
    shown = words(sit(), f"save {tmp_path / 'nowhere' / 'tonight'}")
    assert "there is no folder" in " ".join(shown.split())
    assert not (tmp_path / "nowhere").exists()


def test_saving_where_it_cannot_be(tmp_path: Path) -> None:
    sitting = sit()
    assert "Save it where?" in words(sitting, "save")
    (tmp_path / "folder.craps").mkdir()
    assert "cannot be written" in words(sitting, f"save {tmp_path / 'folder.craps'}")
    (tmp_path / "file").write_text("x")
    assert "cannot be written" in words(sitting, f"save {tmp_path / 'file' / 'game'}")


@pytest.mark.parametrize("name", ["~nosuchuser/a", "/", ".", "..", "a" * 300])
def test_a_name_that_no_file_can_have_does_not_end_the_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sitting = sit()
    shown = told(sitting, f"save {name}")
    assert "cannot be written" in " ".join(" ".join(shown).split())
    assert list(tmp_path.iterdir()) == []
    assert max(map(len, shown)) <= 79
    assert told(sitting, "field for 5") == ["Field for $5. $495 in your rail."]


def test_a_file_that_may_not_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    sitting = sit()
    monkeypatch.setattr(Path, "exists", barred)
    assert words(sitting, "save tonight") == "tonight cannot be written: Permission denied"


# Whether anything was played


def test_it_is_played_once_the_record_has_a_line_of_it() -> None:
    sitting = sit(rail=("pass",))
    list(sitting.begin())  # sam bets, and the player has said nothing
    words(sitting, "help", "zebra", "big 6 for 5")
    assert not sitting.played
    words(sitting, "field for 5")
    assert sitting.played


# What is shown


def test_the_hints_are_not_repeated_for_ever() -> None:
    sitting = sit(throws=[(1, 2)] * 8)
    shown = words(sitting, *["pass for 10; roll"] * 8)
    assert 0 < shown.count('Say "pass line for 10"') <= 8
    sitting = sit(throws=[(3, 3)] + [(5, 4)] * 8)
    shown = words(sitting, "pass for 10; roll", *["roll"] * 8)
    assert shown.count("Back your line") == 2
    assert "Back your line" in words(sitting, "")


def test_a_hint_names_amounts_that_the_house_takes() -> None:
    sitting = sit(options=(("limits.min", "25"),), throws=[(2, 2)])
    assert '"pass line for 25"' in "\n".join(sitting.begin())
    shown = words(sitting, "pass for 25; roll")
    assert '"odds for 25"' in shown
    assert "No:" not in words(sitting, "odds for 25")


def test_the_hint_with_nothing_up() -> None:
    sitting = sit(throws=[(4, 4)], rail=("pass",))
    list(sitting.begin())
    shown = words(sitting, "roll")
    assert 'Say "place the 6 for 12" or "come for 10", or "roll".' in shown
    assert "No:" not in words(sitting, "place the 6 for 12; come for 10")


def test_no_line_is_too_long_and_none_has_control_characters() -> None:
    sitting = sit(throws=[(3, 3), (2, 2), (4, 3)], rail=("three-point-molly", "across"))
    lines = list(sitting.begin())
    lines += told(
        sitting, "pass for 10; $66 across; all the hards for 1 each; hop the eights for 2; roll",
        "\x1b[2Jpass\x07 for 10", "x" * 5000, "why", "crew", "bets", "odds", "", "roll", "table",
        "\x00", ";;;", "buy in 10,000,000", "table", "roll", "crew",
    )  # fmt: skip
    assert max(map(len, lines)) <= 79
    assert all(line.isprintable() for line in lines)


def test_plain_speaks_in_sentences() -> None:
    sitting = sit(throws=[(3, 3)], rail=("pass-odds",), look=Display(plain=True))
    shown = "\n".join([*sitting.begin(), *told(sitting, "pass for 10; roll", "table")])
    assert "The dice: 3 and 3." in shown
    assert "The puck is on 6." in shown
    assert "You have the dice." in shown
    assert not set("┌│└·[]") & set(shown)


def test_a_narrow_terminal_gets_sentences_that_fit() -> None:
    sitting = sit(throws=[(3, 3)], rail=("pass-odds",), look=Display(width=40))
    lines = [*sitting.begin(), *told(sitting, "pass for 10; roll", "table", "bets", "help")]
    assert max(map(len, lines)) <= 40
    assert "The puck is on 6." in lines
