"""Sitting at the table: what a player types, and what is shown for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.play.display import Display
from passline.record.deal import deal_text

from .tables import play_lines, sit, words


def test_a_first_round() -> None:
    session = sit(throws=[(4, 3)])
    first = list(session.opening_lines())
    assert first[-1] == ('Nobody can shoot yet. Say "pass line for 10", then "roll".')
    assert play_lines(session, "pass line for 10") == ["Pass for $10. $490 in your rail."]
    shown = play_lines(session, "roll")
    assert shown[0] == "The stick offers you 5 dice: you take two."
    assert shown[1].startswith("[4][3]  seven")
    assert shown[2] == "  pass line $10 wins $10 at 1 to 1: 2 red"


@pytest.mark.parametrize("typed", ["r", "ROLL", "roll", "roll the dice", '"roll"', " shoot "])
def test_ways_to_roll(typed: str) -> None:
    session = sit(throws=[(3, 3)])
    words(session, "pass for 10", typed)
    assert session.game.table.puck == 6


def test_says_and_a_roll_in_one_line() -> None:
    session = sit(throws=[(3, 3), (2, 2)])
    words(session, "pass for 10; field for 5; roll; odds for 10; roll")
    assert session.game.throws == 2
    assert set(session.game.table.seat("ann").wagers) == {"pass", "pass-odds"}


def test_a_refusal_stops_the_dice() -> None:
    session = sit(throws=[(3, 3)])
    shown = words(session, "pass for 10; big 6 for 5; roll")
    assert "No: big 6 is not a wager of this rulebook [19:47-1.2(b)]" in shown
    assert session.game.throws == 0
    assert "pass" in session.game.table.seat("ann").wagers


def test_what_is_not_understood_stops_the_dice_and_the_says_with_it() -> None:
    session = sit(throws=[(3, 3)])
    words(session, "pass for 10; hocus pocus; roll")
    assert session.game.throws == 0
    assert session.game.table.seat("ann").wagers == {}


def test_nobody_may_shoot_without_a_line_wager_and_no_dice_are_used_up() -> None:
    session = sit(throws=[(3, 3)])
    shown = words(session, "roll")
    assert shown.startswith("No: nobody may throw")
    assert '"pass line for 10"' in shown
    words(session, "pass for 10; roll")
    assert session.game.table.puck == 6


# Offers: never guessed with money


def test_a_typo_is_offered_and_taken_on_yes() -> None:
    session = sit()
    assert 'Did you mean "place the 6 for 12"?' in words(session, "plce the 6 for 12")
    assert session.prompt == "y or n> "
    assert session.game.table.seat("ann").wagers == {}
    assert words(session, "y").startswith("Place 6 for $12.")
    assert session.prompt == "coming out> "


@pytest.mark.parametrize("answer", ["n", "no"])
def test_an_offer_is_dropped_on_no(answer: str) -> None:
    session = sit()
    words(session, "plce the 6 for 12")
    assert play_lines(session, answer) == ["Nothing has changed."]
    assert session.game.table.seat("ann").wagers == {}


def test_an_offer_is_dropped_by_another_line() -> None:
    session = sit()
    words(session, "plce the 6 for 12", "field for 5")
    assert set(session.game.table.seat("ann").wagers) == {"field"}
    shown = words(session, "y")  # nothing is asked any more
    assert set(session.game.table.seat("ann").wagers) == {"field"}
    assert "not understood" in shown or "did not understand" in shown


def test_a_mistyped_command_is_offered() -> None:
    session = sit(throws=[(3, 3)])
    words(session, "pass for 10")
    assert 'Did you mean "roll"?' in words(session, "rol")
    words(session, "yes")
    assert session.game.throws == 1


# Coming, going, dice


def test_buying_in_again() -> None:
    session = sit(throws=[(1, 2)], bankroll=1_000)
    shown = words(session, "pass for 10; roll")
    assert 'You have $0 in your rail. Say "buy in 200" to go on, or "quit".' in shown
    assert play_lines(session, "buy in for $200") == ["You buy in for $200: 2 black."]
    assert "how much" in words(session, "buy in")
    assert "not a valid amount" in words(session, "buy in a lot")
    assert "The most you can buy in for at a time is $10,000,000." in words(
        session, "buy in 99999999999"
    )
    assert session.game.table.seat("ann").rail == 20_000


def test_passing_the_dice() -> None:
    session = sit(throws=[(3, 3)], rail=("pass",))
    list(session.opening_lines())
    words(session, "pass for 10; roll")
    assert session.game.table.shooter == "ann"
    assert play_lines(session, "pass the dice") == ["You pass the dice, by choice."]
    assert "you do not hold the dice" in words(session, "pass the dice")


def test_same_bet_after_a_decision() -> None:
    session = sit(throws=[(1, 2), (4, 4)])
    words(session, "pass for 10; yo for 1; roll")
    assert words(session, "same bet").startswith("Pass for $10, yo for $1.")


def test_leaving_takes_down_what_may_come_down() -> None:
    session = sit(throws=[(3, 3)])
    words(session, "pass for 10; roll; place the 8 for 12")
    shown = words(session, "leave")
    assert "Place 8 down, $12 back to you." in shown
    assert "You go with $490 and $10 up ($0)." in shown
    assert session.over
    assert not session.game.table.seat("ann").here


def test_quitting_leaves_everything_up() -> None:
    session = sit(throws=[(3, 3)])
    shown = words(session, "pass for 10; roll; place the 8 for 12; quit")
    assert "You go with $478 and $22 up ($0)." in shown
    assert session.over
    assert session.game.table.seat("ann").here


def test_mini_craps_keeps_a_player_seated() -> None:
    session = sit(throws=[(3, 3)], game="mini-craps")
    words(session, "pass for 10; roll")
    shown = words(session, "stand", "leave")
    assert shown.count("No: you stay seated until every wager is decided") == 2
    assert not session.over


def test_automated_craps_needs_no_shooter() -> None:
    session = sit(throws=[(3, 3)], game="automated-craps")
    assert 'Say "pass line for 10"' in "\n".join(session.opening_lines())
    shown = words(session, "roll", "take the dice")
    assert session.game.table.puck == 6
    assert "No: automated-craps has no shooter" in shown


# Dice typed in


@pytest.mark.parametrize("typed", ["4 3", "43", "4-3", "4,3", "4+3", "roll 4 3", "roll 43"])
def test_dice_typed_in(typed: str) -> None:
    session = sit(throws=None)
    words(session, "pass for 10", typed)
    assert session.game.written[-2:] == ["roll 4 3", "ann: pass for 10"]  # it won, and is left up


def test_typed_dice_are_never_guessed() -> None:
    session = sit(throws=None)
    shown = words(session, "pass for 10", "roll", "11", "12", "7", "roll 7 1")
    assert "Which dice fell?" in shown
    assert "A die has the faces 1 to 6" in words(session, "4 7")
    assert "A die has the faces 1 to 6" in words(session, "roll 4, 0")
    assert "type them apart, such as 1 1" in shown
    assert "type them apart, such as 1 2" in shown
    assert session.game.throws == 0
    words(session, "1 2")
    assert session.game.throws == 1


def test_what_else_befalls_typed_dice() -> None:
    session = sit(throws=None)
    shown = words(session, "pass for 10", "no roll off-table by stickperson")
    assert "No roll, off table" in shown
    assert session.game.written[-1] == "no roll off-table by stickperson"


def test_the_floor_of_a_real_table_is_typed_in() -> None:
    session = sit("iowa", throws=None)
    lines = ("kim relieves the stickperson", "dice out", "dice back", "inspect dice by supervisor")
    shown = words(session, "pass for 10", *lines)
    assert "No:" not in shown
    assert "not understood" not in shown
    assert session.game.written[-4:] == list(lines)
    assert "is no reason" in words(session, "recall dice because")


def test_dice_cannot_be_typed_where_they_are_thrown() -> None:
    session = sit(throws=[(3, 3)])
    shown = words(session, "pass for 10", "4 3", "no roll off-table by stickperson")
    assert "The dice are rolled for you here" in shown
    assert session.game.throws == 0


# Who speaks


def test_speaking_for_oneself_and_for_others() -> None:
    session = sit(rail=("pass",))
    assert play_lines(session, "sam: field for 5") == [
        "sam bets by a strategy: speak for yourself."
    ]
    assert play_lines(session, "bob: field for 5") == ["There is no bob at the table."]
    assert play_lines(session, "y") != ["Field for $5. $495 in your rail."]  # nothing was offered
    assert play_lines(session, "ANN: field for 5") == ["Field for $5. $495 in your rail."]
    assert play_lines(session, "yo: 5") == ["Yo for $5. $490 in your rail."]
    session.others.clear()
    shown = play_lines(session, "sam: field for 5; yo for 1", "sam leaves")
    assert shown[0] == "Field for $5, yo for $1. $994 in sam's rail."
    assert session.game.written[-2:] == ["sam: field for 5; eleven for 1", "sam leaves"]


def test_what_another_player_does_is_not_done_by_oneself() -> None:
    session = sit(throws=[(3, 3)], rail=("pass",))
    session.others.clear()
    words(session, "pass for 10; sam: x", "pass for 10", "sam: pass for 10", "roll")
    assert session.game.table.shooter == "ann"
    assert "sam does not hold the dice" in words(session, "sam: pass the dice")
    before = session.game.table
    for said in ("leave", "buy in 500", "undo"):
        assert "That is only for yourself" in words(session, f"sam: {said}")
    assert (session.game.table, session.over) == (before, False)


# Asides


def test_why_tells_what_was_decided_where_it_applies() -> None:
    session = sit("dealer-school", [(3, 3), (5, 4), (3, 3), (6, 6), (3, 3)])
    words(session, "pass for 10; roll; come for 10; roll")
    assert "decided:" not in words(session, "why")  # the come went to the nine, not to the point
    words(session, "come for 10; roll; don't come for 10")
    assert "decided: A come bet whose number is the point" not in words(session, "why")
    session = sit("dealer-school", [(3, 3), (4, 2)])
    words(session, "don't pass for 10; roll; come for 10; roll")
    assert "decided: A come bet whose number is the point: travels" in words(session, "why")
    session = sit("iowa", [(5, 6)])
    words(session, "yo for 1; pass for 10; roll")
    assert "Big 6" not in words(session, "why")
    assert "decided:" not in words(session, "why")
    assert "decided: A misprint" in words(session, "why payout/pass")  # asked for by name


def test_why_after_a_throw_and_after_a_refusal() -> None:
    session = sit(throws=[(3, 3), (4, 3)])
    assert "The last roll decided none of your bets" in words(session, "why")
    words(session, "pass for 10; roll", "pass down")
    refused = words(session, "why")
    assert refused.startswith("Refused: pass line can't be taken down")
    assert "[19:47-1.3(c)1]" in refused
    words(session, "roll")
    assert "[19:47-1.2(a)1.ii(2)]" in words(session, "why")
    assert "[19:47-1.3(b)#2]" in words(session, "why 19:47-1.3(b)#2")
    assert "decided: Match play" in words(session, "why 19:47-1.3(b)#2")
    assert "no clause nonsense" in words(session, "why nonsense")


def test_odds_on_what_is_up() -> None:
    session = sit(throws=[(3, 3)])
    assert "You have nothing up" in words(session, "odds")
    shown = play_lines(session, "pass for 10; roll; odds for 10; hard 8 for 1", "odds")
    rows = {line[:20].strip(): line for line in shown if "%" in line}
    assert rows["pass line"].split()[3:] == ["5", "win,", "6", "lose", "1.414%", "$0.14"]
    assert rows["odds"].split()[2:] == ["5", "win,", "6", "lose", "0.000%", "$0.00"]
    assert "1 win, 10 lose" in rows["hard 8"]
    assert "$21" in rows["together"]


def test_odds_of_a_wager_that_rests() -> None:
    assert "  off" in words(sit(), "place the 6 for 12", "odds")


def test_bets_lists_every_kind_with_a_say_that_is_understood() -> None:
    for book in ("new-jersey", "section-2", "iowa", "maryland-crapless", "dealer-school"):
        session = sit(book)
        shown = play_lines(session, "bets")
        assert all(len(line) <= 79 for line in shown)
        assert len(shown) <= 22
        for spot in list(session.game.table.layout.spots.values()):
            if spot.number and spot.family in {"come", "dont-come"}:
                continue
            from passline.play.hints import suggest_bet
            from passline.talk.understand import understand

            (command,) = understand(
                session.game.table, "ann", suggest_bet(session.game.table, spot.slug)
            )
            assert getattr(command, "wager", "") == spot.slug


def test_bets_by_a_word() -> None:
    session = sit()
    assert play_lines(session, "bets hard 8") == ['hard 8 pays 9 to 1. Say "hard 8 for 1".']
    assert 'No wager here is called "zebra"' in words(session, "bets zebra")


def test_crew_after_a_throw() -> None:
    session = sit(throws=[(4, 3)])
    assert play_lines(session, "crew") == ["Nothing has been rolled yet."]
    shown = words(session, "pass for 10; roll", "crew")
    assert "stickperson calls: seven" in shown
    assert "pays ann" in shown


def test_undo_says_what_was_taken_back() -> None:
    session = sit()
    words(session, "pass for 10")
    assert play_lines(session, "undo") == ["Taken back: pass for $10. You have $500 in your rail."]
    assert "said nothing since the last throw" in words(session, "undo")


def test_help_fits_a_screen() -> None:
    for session in (sit(), sit(throws=None)):
        shown = play_lines(session, "help")
        assert len(shown) < 24
        assert all(len(line) <= 79 for line in shown)
        assert play_lines(session, "?") == shown


# Saving


def test_saving(tmp_path: Path) -> None:
    session = sit(throws=[(3, 3)])
    words(session, "pass for 10; roll")
    shown = words(session, f"save {tmp_path / 'tonight'}")
    saved = tmp_path / "tonight.craps"
    assert "Saved to" in shown
    assert deal_text(saved.read_text("utf-8")).table == session.game.table
    words(session, "field for 5")
    assert "Replace it?" in " ".join(words(session, f"save {saved}").split())
    words(session, "n")
    assert "field" not in saved.read_text("utf-8")
    assert "Saved" in words(session, f"save {saved}", "y")
    assert "field" in saved.read_text("utf-8")


def test_saving_makes_no_folder(tmp_path: Path) -> None:
    shown = words(sit(), f"save {tmp_path / 'nowhere' / 'tonight'}")
    assert "there is no folder" in " ".join(shown.split())
    assert not (tmp_path / "nowhere").exists()


def test_saving_where_it_cannot_be(tmp_path: Path) -> None:
    session = sit()
    assert "Save it where?" in words(session, "save")
    (tmp_path / "folder.craps").mkdir()
    assert "cannot be written" in words(session, f"save {tmp_path / 'folder.craps'}")
    (tmp_path / "file").write_text("x")
    assert "cannot be written" in words(session, f"save {tmp_path / 'file' / 'game'}")


@pytest.mark.parametrize("name", ["~nosuchuser/a", "/", ".", "..", "a" * 300])
def test_a_name_that_no_file_can_have_does_not_end_the_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = sit()
    shown = play_lines(session, f"save {name}")
    assert "cannot be written" in " ".join(" ".join(shown).split())
    assert list(tmp_path.iterdir()) == []
    assert max(map(len, shown)) <= 79
    assert play_lines(session, "field for 5") == ["Field for $5. $495 in your rail."]


def test_a_file_that_may_not_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    session = sit()
    monkeypatch.setattr(Path, "exists", barred)
    assert words(session, "save tonight") == "tonight cannot be written: Permission denied"


# Whether anything was played


def test_it_is_played_once_the_record_has_a_line_of_it() -> None:
    session = sit(rail=("pass",))
    list(session.opening_lines())  # sam bets, and the player has said nothing
    words(session, "help", "zebra", "big 6 for 5")
    assert not session.played
    words(session, "field for 5")
    assert session.played


# What is shown


def test_the_hints_are_not_repeated_for_ever() -> None:
    session = sit(throws=[(1, 2)] * 8)
    shown = words(session, *["pass for 10; roll"] * 8)
    assert 0 < shown.count('Say "pass line for 10"') <= 8
    session = sit(throws=[(3, 3)] + [(5, 4)] * 8)
    shown = words(session, "pass for 10; roll", *["roll"] * 8)
    assert shown.count("Back your line") == 2
    assert "Back your line" in words(session, "")


def test_a_hint_names_amounts_that_the_house_takes() -> None:
    session = sit(options=(("limits.min", "25"),), throws=[(2, 2)])
    assert '"pass line for 25"' in "\n".join(session.opening_lines())
    shown = words(session, "pass for 25; roll")
    assert '"odds for 25"' in shown
    assert "No:" not in words(session, "odds for 25")


def test_the_hint_with_nothing_up() -> None:
    session = sit(throws=[(4, 4)], rail=("pass",))
    list(session.opening_lines())
    shown = words(session, "roll")
    assert 'Say "place the 6 for 12" or "come for 10", or "roll".' in shown
    assert "No:" not in words(session, "place the 6 for 12; come for 10")


def test_no_line_is_too_long_and_none_has_control_characters() -> None:
    session = sit(throws=[(3, 3), (2, 2), (4, 3)], rail=("three-point-molly", "across"))
    lines = list(session.opening_lines())
    lines += play_lines(
        session, "pass for 10; $66 across; all the hards for 1 each; hop the eights for 2; roll",
        "\x1b[2Jpass\x07 for 10", "x" * 5000, "why", "crew", "bets", "odds", "", "roll", "table",
        "\x00", ";;;", "buy in 10,000,000", "table", "roll", "crew",
    )  # fmt: skip
    assert max(map(len, lines)) <= 79
    assert all(line.isprintable() for line in lines)


def test_plain_speaks_in_sentences() -> None:
    session = sit(throws=[(3, 3)], rail=("pass-odds",), look=Display(plain=True))
    shown = "\n".join(
        [*session.opening_lines(), *play_lines(session, "pass for 10; roll", "table")]
    )
    assert "The dice: 3 and 3." in shown
    assert "The puck is on 6." in shown
    assert "You have the dice." in shown
    assert not set("┌│└·[]") & set(shown)


def test_a_narrow_terminal_gets_sentences_that_fit() -> None:
    session = sit(throws=[(3, 3)], rail=("pass-odds",), look=Display(width=40))
    lines = [
        *session.opening_lines(),
        *play_lines(session, "pass for 10; roll", "table", "bets", "help"),
    ]
    assert max(map(len, lines)) <= 40
    assert "The puck is on 6." in lines
