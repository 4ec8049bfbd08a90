"""The payout card: what it says for each house, as text and as a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from passline.cli.placard import command as placard_command
from passline.game.house.house import House
from passline.game.house.load import house_for
from passline.game.law.book import Book, ShootoutRules
from passline.game.law.book_files import BOOKS
from passline.game.law.citations import CitedValue
from passline.game.law.load import rulebook
from passline.game.law.wagers import BookMaximum
from passline.game.words.placard import (
    Placard,
    PlacardRow,
    PlacardSection,
    make_placard,
    render_placard_html,
    render_placard_text,
)

replace = msgspec.structs.replace


def card(source: str, *options: tuple[str, str], game: str | None = None) -> Placard:
    return make_placard(house_for(source, game, options))


def section(of: Placard, title: str) -> PlacardSection:
    (found,) = [s for s in of.sections if s.title == title]
    return found


def rows(of: Placard, title: str) -> dict[str, str]:
    return {row.label: row.pays for row in section(of, title).rows}


def under(book: Book, *options: tuple[str, str], game: str | None = None) -> Placard:
    """The card of the same house under another book."""
    house = house_for(book.id, game, options)
    return make_placard(replace(house, book=book))


# What it says


def test_new_jersey_line_by_line() -> None:
    new_jersey = card("new-jersey")
    assert rows(new_jersey, "Pass and come") == {
        "Pass": "1 to 1",
        "Don't pass": "1 to 1",
        "Come": "1 to 1",
        "Don't come": "1 to 1",
    }
    assert section(new_jersey, "Pass and come").rows[1].note == "12 on the first roll is a push"
    assert rows(new_jersey, "Place to win") == {
        "4 or 10": "9 to 5",
        "5 or 9": "7 to 5",
        "6 or 8": "7 to 6",
    }
    assert rows(new_jersey, "Place to lose: 7 before the number") == {
        "4 or 10": "5 to 11",
        "5 or 9": "5 to 8",
        "6 or 8": "4 to 5",
    }
    assert rows(new_jersey, "Hardways") == {
        "Hard 4": "7 to 1",
        "Hard 6": "9 to 1",
        "Hard 8": "9 to 1",
        "Hard 10": "7 to 1",
    }
    assert rows(new_jersey, "One roll") == {
        "Field on 3, 4, 9, 10 or 11": "1 to 1",
        "Field on 2": "2 to 1",
        "Field on 12": "2 to 1",
        "Any seven": "4 to 1",
        "Any craps": "7 to 1",
        "Craps two": "30 to 1",
        "Craps three": "15 to 1",
        "Craps twelve": "30 to 1",
        "Eleven": "15 to 1",
    }
    assert rows(new_jersey, "Hops, one roll") == {
        "2-2, 3-3, 4-4, 5-5": "30 to 1",
        "1-3, 1-4, 2-3, 1-5, 2-4, 1-6, 2-5, 3-4, 2-6, 3-5, 3-6, 4-5, 4-6": "15 to 1",
    }


def test_odds_are_shared_where_pass_and_come_are_paid_alike() -> None:
    new_jersey = card("new-jersey")
    taken = section(new_jersey, "Pass odds and come odds")
    assert {r.label: r.pays for r in taken.rows} == {
        "4 or 10": "2 to 1",
        "5 or 9": "3 to 2",
        "6 or 8": "6 to 5",
    }
    assert rows(new_jersey, "Don't pass odds and don't come odds")["5 or 9"] == "2 to 3"
    assert "Pass odds" not in {s.title for s in new_jersey.sections}


@pytest.mark.parametrize(
    ("multiple", "taken", "laid"),
    [
        ("1", "At most the flat wager", "May win at most the flat wager"),
        ("10", "At most 10 times the flat wager", "May win at most 10 times the flat wager"),
        (
            "3-4-5",
            "At most 3 times the flat wager on 4 and 10, 4 times on 5 and 9, 5 times on 6 and 8",
            "May win at most 3 times the flat wager on 4 and 10, 4 times on 5 and 9, "
            "5 times on 6 and 8",
        ),
    ],
)
def test_the_odds_limit(multiple: str, taken: str, laid: str) -> None:
    new_jersey = card("new-jersey", ("odds.multiple", multiple))
    rest = ", within the maximum, or the next amount that pays exactly."
    assert section(new_jersey, "Pass odds and come odds").notes == (taken + rest,)
    assert section(new_jersey, "Don't pass odds and don't come odds").notes == (laid + rest,)


def test_odds_laid_by_stake_as_iowa_prints_them() -> None:
    laid = section(card("iowa"), "Don't pass odds and don't come odds").notes[0]
    assert laid.startswith("At most 20 times the flat wager on 4 and 10, 15 times on 5 and 9, 12 ")


def test_odds_of_a_fraction_and_of_one_point() -> None:
    new_jersey = card("new-jersey", ("odds.multiple", "2.5"), ("odds.multiple.4", "1"))
    taken = section(new_jersey, "Pass odds and come odds").notes[0]
    assert taken.startswith(
        "At most the flat wager on 4, 2.5 times on 5, 6, 8, 9 and 10, within the maximum"
    )
    iowa = card("iowa", ("odds.multiple.5", "3"))
    laid = section(iowa, "Don't pass odds and don't come odds").notes[0]
    assert laid.startswith(
        "May win at most 10 times the flat wager on 4, 6, 8, 9 and 10, 3 times on 5"
    )


def test_limits_in_dollars_on_odds_are_posted() -> None:
    options = [
        ("limits.max", "500"),
        ("limits.max_by_wager.pass-odds", "5000"),
        *((f"limits.max_by_wager.come-odds-{n}", "5000") for n in (4, 5, 6, 8, 9, 10)),
        ("limits.max_by_wager.dont-come-odds-6", "6000"),
        ("limits.min_by_wager.pass-odds", "5"),
    ]
    limits = rows(card("new-jersey", *options), "Limits")
    assert limits["Maximum, pass odds; come odds"] == "$5,000"
    assert limits["Maximum, don't come odds 6"] == "$6,000"
    assert limits["Minimum, pass odds"] == "$5"


def test_odds_limits_that_neither_fit_nor_keep_the_maximum() -> None:
    law = rulebook("dealer-school")
    laid = {
        "4 10": CitedValue(20, cites="x"),
        "5 9": CitedValue(15, cites="x"),
        "6 8": CitedValue(12, cites="x"),
    }
    limits = replace(
        law.odds,
        laid=laid,
        laid_by=CitedValue("stake", cites="x"),
        fit=CitedValue(False, cites="x"),
        posted_max=CitedValue(False, cites="x"),
    )
    law = replace(law, odds=limits)
    house = house_for("dealer-school")
    printed = {4: 20, 5: 15, 6: 12, 8: 12, 9: 15, 10: 20}
    iowa = make_placard(replace(house, book=law, laid_multiples=printed, laid_by="stake"))
    assert section(iowa, "Don't pass odds and don't come odds").notes == (
        "At most 20 times the flat wager on 4 and 10, 15 times on 5 and 9, 12 times on 6 and 8.",
    )


@pytest.mark.parametrize(
    ("book", "options", "title", "words"),
    [
        (
            "new-jersey",
            [],
            "Buy",
            "Vigorish 5 percent of the wager, rounded down to $1; taken when the wager is made.",
        ),
        (
            "new-jersey",
            [("buy.when", "won"), ("buy.rate", "0.045"), ("buy.rounding", "exact")],
            "Buy",
            "Vigorish 4.5 percent of the wager, to the cent; taken only when the wager wins.",
        ),
        (
            "section-2",
            [],
            "Lay: 7 before the number",
            "Vigorish 5 percent of what it may win, rounded down to $1; "
            "taken when the wager is made.",
        ),
        (
            "dealer-school",
            [],
            "Buy",
            "Vigorish 5 percent of the wager, rounded to the nearest $1, halves up; "
            "taken when the wager is made, on 4 and 10 only when it wins.",
        ),
        ("maryland-crapless", [("buy.rate", "0")], "Buy", "No vigorish."),
        (
            "dealer-school",
            [("lay.rounding", "up"), ("limits.smallest_chip", "0.50")],
            "Lay: 7 before the number",
            "Vigorish 5 percent of what it may win, rounded up to $0.50; "
            "taken when the wager is made.",
        ),
    ],
)
def test_vigorish_is_posted_in_full(
    book: str, options: Sequence[tuple[str, str]], title: str, words: str
) -> None:
    assert section(card(book, *options), title).notes == (words,)


def test_limits() -> None:
    assert rows(card("new-jersey"), "Limits") == {
        "Minimum": "$5",
        "Minimum on center wagers": "$1",
        "Maximum": "$5,000",
    }
    options = [
        ("limits.min", "25"),
        ("limits.center_min", "25"),
        ("limits.max", "2500"),
        ("limits.max_by_wager.place-win-6", "3000"),
        ("limits.max_by_wager.place-win-8", "3000"),
        ("limits.max_by_wager.field", "3000"),
        *((f"limits.max_by_wager.hard-{n}", "200") for n in (4, 6, 8, 10)),
        ("limits.max_by_wager.hop-2-2", "100"),
        ("limits.min_by_wager.field", "50"),
    ]
    assert rows(card("new-jersey", *options), "Limits") == {
        "Minimum": "$25",
        "Minimum, field": "$50",
        "Maximum": "$2,500",
        "Maximum, 2-2 hop": "$100",
        "Maximum, hardways": "$200",
        "Maximum, place to win 6 and 8; field": "$3,000",
    }


def test_the_books_own_maxima_bind_composites_through_their_legs() -> None:
    law = rulebook("new-jersey")
    two = replace(law.wager["craps-2"], most=(BookMaximum(50, cites="x"),))
    most = (BookMaximum(500, cites="x"), BookMaximum(600, (6, 8), cites="x"))
    place = replace(law.wager["place-win"], most=most)
    printed = replace(law, wager={**law.wager, "craps-2": two, "place-win": place})
    limits = rows(under(printed), "Limits")
    assert limits["Maximum, craps two"] == "$50"
    assert limits["Maximum, place to win"] == "$500"
    assert limits["Maximum, horn"] == "$200"
    # $50 on the 2 is two fifths of a horn high twos, a fifth of any other and of a whirl.
    assert limits["Maximum, horn high 2"] == "$125"
    assert limits["Maximum, horn high 3, 11 and 12; whirl"] == "$250"


def test_iowas_maxima() -> None:
    limits = rows(card("iowa"), "Limits")
    assert limits["Maximum, place to win 6 and 8"] == "$600"
    assert limits["Maximum, any seven"] == "$400"
    assert limits["Maximum, horn; hardways"] == "$200"
    assert limits["Maximum, horn high 3 and 11"] == "$250"
    assert limits["Maximum, horn high 2 and 12"] == "$125"
    assert limits["Maximum, craps two; craps twelve"] == "$50"


def test_breakage_is_posted() -> None:
    assert section(card("new-jersey"), "Limits").notes == (
        "Wagers are made so that they can be paid exactly in chips of $1.",
    )
    for how in ("down", "up"):
        school = card("dealer-school", ("limits.breakage", how), ("limits.smallest_chip", "5"))
        assert section(school, "Limits").notes == (
            f"What cannot be paid exactly is paid rounded {how} to $5.",
        )


def test_composites_are_their_legs() -> None:
    found = {row.label: row for row in section(card("new-jersey"), "Combinations, one roll").rows}
    assert found["Horn"] == PlacardRow(
        "Horn",
        "in 4s",
        "one unit each on craps two, craps three, eleven and craps twelve, each paid as posted",
    )
    assert found["Horn high"].pays == "in 5s"
    assert "1 more on the one named (2, 3, 11 or 12)" in found["Horn high"].note
    assert found["Whirl"].pays == "in 5s"
    assert found["C and E"].pays == "in 2s"


def test_a_composite_of_unlike_legs_says_how_many_on_each() -> None:
    law = rulebook("new-jersey")
    horn = replace(law.wager["horn"], legs=CitedValue({"craps-2": 2, "eleven": 1}, cites="x"))
    found = under(replace(law, wager={**law.wager, "horn": horn}))
    (row,) = [r for r in section(found, "Combinations, one roll").rows if r.label == "Horn"]
    assert (row.pays, row.note) == ("in 3s", "2 on craps two and 1 on eleven, each paid as posted")


def test_only_what_is_dealt_is_posted() -> None:
    titles = {s.title for s in card("new-jersey").sections}
    assert "Fire" not in titles
    assert "6-7-8 on 3-3 or 4-4" not in rows(card("new-jersey"), "One roll")
    elected = card("new-jersey", ("offers.six-seven-eight", "true"), ("offers.lay", "false"))
    assert rows(elected, "One roll")["6-7-8 on 3-3 or 4-4"] == "2 to 1"
    assert rows(elected, "One roll")["6-7-8 on 1-5, 2-4, 7, 2-6 or 3-5"] == "1 to 1"
    assert "Lay: 7 before the number" not in {s.title for s in elected.sections}
    assert "Fire" in {s.title for s in card("new-jersey", ("offers.fire", "A")).sections}


def test_a_house_that_pays_more_posts_it() -> None:
    raised = card("new-jersey", ("pays.field-12", "3 to 1"), ("pays.place-win-4", "2 to 1"))
    assert rows(raised, "One roll")["Field on 12"] == "3 to 1"
    assert rows(raised, "Place to win") == {
        "4": "2 to 1",
        "5 or 9": "7 to 5",
        "6 or 8": "7 to 6",
        "10": "9 to 5",
    }


def test_fire_in_new_jersey() -> None:
    fire = section(card("new-jersey", ("offers.fire", "B")), "Fire")
    assert fire.rows == (
        PlacardRow("4 different points", "39 to 1"),
        PlacardRow("5 different points", "199 to 1"),
        PlacardRow("6 different points", "499 to 1"),
    )
    assert fire.notes == (
        "The points that count: 4, 5, 6, 8, 9 and 10, each once.",
        "From $1 to $5, in steps of $1.",
        "Closes at a new shooter's first come-out roll.",
        "Paid or taken at a 7 that ends a point, once, at the most points made.",
    )


def test_crapless_fire_bonus_and_place_elections() -> None:
    crapless = card(
        "maryland-crapless", ("offers.fire", "A"), ("offers.bonus", "B"), ("offers.place-2", "b")
    )
    assert rows(crapless, "Fire") == {
        "4 different points": "24 to 1",
        "5 different points": "249 to 1",
        "6 or more different points": "999 to 1",
    }
    bonus = section(crapless, "Bonus craps")
    assert bonus.rows == (
        PlacardRow("All small", "30 to 1", "2, 3, 4, 5 and 6, each before any 7"),
        PlacardRow(
            "Make them all", "150 to 1", "2, 3, 4, 5, 6, 8, 9, 10, 11 and 12, each before any 7"
        ),
        PlacardRow("All tall", "30 to 1", "8, 9, 10, 11 and 12, each before any 7"),
    )
    assert bonus.notes == (
        "Closes at a new shooter's first come-out roll.",
        "Paid as soon as complete.",
        "Any 7 takes it.",
    )
    assert rows(crapless, "Place to win") == {
        "2": "25 to 5",
        "3 or 11": "11 to 4",
        "4 or 10": "9 to 5",
        "5 or 9": "7 to 5",
        "6 or 8": "7 to 6",
        "12": "11 to 2",
    }


# Notices


def test_notices_of_new_jersey() -> None:
    assert card("new-jersey").notices == (
        "Off on a come-out roll unless called on: come odds, place to win, buy and hardways.",
        "No call bets.",
        "Match play coupons are taken on pass and don't pass.",
    )
    assert "Only seated players may wager." in card("new-jersey", game="mini-craps").notices
    no_coupons = card("new-jersey", ("offers.match_play", "false"))
    assert not any("coupons" in notice for notice in no_coupons.notices)


def test_wagers_that_cannot_be_called_on() -> None:
    law = rulebook("new-jersey")
    odds = replace(law.wager["come-odds"], call_on=CitedValue(False, cites="x"))
    hard = {f"hard-{n}": replace(law.wager[f"hard-{n}"], come_out=None) for n in (4, 6, 8, 10)}
    book = replace(law, wager={**law.wager, "come-odds": odds, **hard})
    assert under(book).notices[:2] == (
        "Off on a come-out roll unless called on: place to win and buy.",
        "Off on every come-out roll: come odds.",
    )
    rests = replace(law, working=CitedValue("off", cites="x"))
    assert "pass, don't pass" in under(rests).notices[1]


def test_call_bets_and_netting() -> None:
    law = rulebook("new-jersey")
    tender = replace(law.tender, call_bets=CitedValue(True, cites="x"))
    book = replace(law, tender=tender, net_center=CitedValue(True, cites="x"))
    notices = under(book).notices
    assert "No call bets." not in notices
    assert any("losing center wagers come out of what the winning ones" in n for n in notices)


def _shootout() -> ShootoutRules:
    """Iowa's promotion (shootout.1 to shootout.10)."""
    return ShootoutRules(
        points=CitedValue((4, 5, 6, 8, 9, 10), cites="x"),
        needs=CitedValue(("pass", "dont-pass"), cites="x"),
        start=CitedValue(100, cites="x"),
        step=CitedValue(100, cites="x"),
        at=CitedValue("09:00", cites="x"),
        cap=CitedValue(1500, cites="x"),
        reset=CitedValue(100, cites="x"),
        void_on_pass=CitedValue(True, cites="x"),
        resumes=CitedValue("seven-out", cites="x"),
        void_on_tampering=CitedValue(True, cites="x"),
        share_needs=CitedValue("any-bet", cites="x"),
        share_shooter=CitedValue(False, cites="x"),
        share={
            "100-700": CitedValue(10, cites="x"),
            "800-1400": CitedValue(20, cites="x"),
            "1500": CitedValue(30, cites="x"),
        },
    )


def test_the_shootout_and_its_shares() -> None:
    book = replace(rulebook("new-jersey"), shootout=_shootout())
    assert under(book).notices[-2:] == (
        "Craps Shootout: a shooter with a pass or don't pass wager who makes 4, 5, 6, 8, 9 and 10, "
        "in any order in one turn, wins the bonus. It starts at $100 and grows $100 a day at "
        "09:00, to at most $1,500.",
        "Share the Wealth: every other player with any wager up receives $10 at a bonus of $100 "
        "to $700, $20 at a bonus of $800 to $1,400 and $30 at a bonus of $1,500.",
    )
    own = replace(
        _shootout(),
        share_shooter=CitedValue(True, cites="x"),
        share_needs=CitedValue("line-bet", cites="x"),
    )
    notices = under(replace(book, shootout=own)).notices
    assert "every player with a line wager up" in notices[-1]


def test_iowas_shootout_is_posted_unless_left_out() -> None:
    assert any(n.startswith("Craps Shootout: ") for n in card("iowa").notices)
    left_out = card("iowa", ("offers.shootout", "false"))
    assert not any("Shootout" in n or "Wealth" in n for n in left_out.notices)


def test_a_book_without_hops_has_no_section_for_them() -> None:
    law = rulebook("dealer-school")
    kept = {family: rule for family, rule in law.wager.items() if not family.startswith("hop-")}
    titles = [s.title for s in under(replace(law, wager=kept)).sections]
    assert "Hops, one roll" not in titles
    assert "One roll" in titles


# As text


@pytest.mark.parametrize("book", BOOKS)
def test_every_card_fits_eighty_columns(book: str) -> None:
    for game in rulebook(book).games.value:
        for line in render_placard_text(house_for(book, game)).splitlines():
            assert len(line) <= 80
            assert line == line.rstrip()


@pytest.mark.parametrize("book", BOOKS)
def test_odds_are_always_to_and_never_for(book: str) -> None:
    for shown in (render_placard_text(house_for(book)), render_placard_html(house_for(book))):
        assert "30 to 1" in shown
        assert not re.search(r"\d for \d", shown)


def test_a_book_that_posts_odds_for() -> None:
    book = replace(rulebook("new-jersey"), odds_word=CitedValue("for", cites="x"))
    shown = render_placard_text(replace(house_for("new-jersey"), book=book))
    # "For" counts the stake: 9 to 5 is 14 for 5.
    assert "14 for 5" in shown
    assert "31 for 1" in shown
    assert not re.search(r"\d to \d", shown)


def boardwalk(tmp_path: Path, name: str = "Boardwalk") -> House:
    path = tmp_path / "boardwalk.toml"
    path.write_text(f'rulebook = "new-jersey"\nname = "{name}"\n', "utf-8")
    return house_for(str(path))


def test_the_heading_names_house_game_and_book(tmp_path: Path) -> None:
    lines = render_placard_text(boardwalk(tmp_path)).splitlines()
    assert lines[1].strip() == "BOARDWALK"
    assert lines[2].strip() == "Craps under New Jersey regulation 19:47-1: what each wager pays"
    own = render_placard_text(house_for("new-jersey", "mini-craps")).splitlines()
    assert own[1].strip() == "NEW JERSEY REGULATION 19:47-1"
    assert own[2].strip() == "Mini-craps: what each wager pays"


def test_a_row_has_leaders_and_a_long_one_runs_over() -> None:
    text = render_placard_text(house_for("new-jersey"))
    assert "  Hard 10 ..................... 7 to 1" in text
    assert "    3-6, 4-5, 4-6 ............ 15 to 1" in text
    assert "* No call bets.\n" in text


# As a page


class _Checker(HTMLParser):
    """Every tag closed in order, headings and tables labelled, nothing fetched."""

    void = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.labels: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert not {"src", "href"} & set(given)
        assert tag != "script"
        if tag not in self.void:
            self.open.append(tag)
        if given.get("id"):
            assert given["id"] not in self.ids
            self.ids.add(str(given["id"]))
        if "aria-labelledby" in given:
            self.labels.append(str(given["aria-labelledby"]))
        if tag == "th":
            assert given.get("scope") in {"row", "col"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def check(page: str) -> _Checker:
    checker = _Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert set(checker.labels) <= checker.ids
    assert "url(" not in page
    assert "@import" not in page
    return checker


@pytest.mark.parametrize("book", BOOKS)
def test_the_page_stands_by_itself_and_says_all_that_the_card_says(book: str) -> None:
    house = house_for(book)
    page = render_placard_html(house)
    texts = " ".join("".join(check(page).texts).split())
    assert page.startswith("<!doctype html>\n<html lang=")
    assert "<title>" in page
    found = make_placard(house)
    for part in found.sections:
        for row in part.rows:
            assert row.label in texts
            assert row.pays in texts
            assert row.note in texts
        assert all(note in texts for note in part.notes)
    assert all(notice in texts for notice in found.notices)


def test_a_houses_name_is_only_ever_text(tmp_path: Path) -> None:
    house = boardwalk(tmp_path, "<script>alert(1)</script> & Co")
    page = render_placard_html(house)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co" in page
    check(page)


def test_a_card_without_notices_has_no_list() -> None:
    law = rulebook("dealer-school")
    silent = {
        family: replace(rule, come_out=None) if rule.come_out is not None else rule
        for family, rule in law.wager.items()
    }
    tender = replace(law.tender, call_bets=CitedValue(True, cites="x"))
    book = replace(law, wager=silent, tender=tender)
    page = render_placard_html(replace(house_for("dealer-school"), book=book))
    assert "Notices" not in page
    check(page)


# passline placard


def placard(*args: str) -> Result:
    return CliRunner().invoke(placard_command, args, prog_name="passline placard")


def test_the_command_prints_the_card() -> None:
    done = placard("new-jersey")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == render_placard_text(house_for("new-jersey"))
    mini = placard("new-jersey", "--game", "mini-craps", "-o", "odds.multiple=10")
    assert mini.stdout == render_placard_text(
        house_for("new-jersey", "mini-craps", [("odds.multiple", "10")])
    )


def test_the_command_takes_a_file_and_writes_a_page(tmp_path: Path) -> None:
    house = boardwalk(tmp_path)
    source, out = str(tmp_path / "boardwalk.toml"), tmp_path / "card.html"
    done = placard(source, "--html", str(out))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"wrote {out}\n")
    assert out.read_text("utf-8") == render_placard_html(house)
    assert placard(source, "--html", "-").stdout == render_placard_html(house)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["new-jersy"], "there is no rulebook 'new-jersy': did you mean new-jersey?"),
        (["nowhere.toml"], "there is no house-rules file nowhere.toml"),
        (["new-jersey", "--game", "crapless"], "game = crapless is not allowed"),
        (["new-jersey", "-o", "odds.multiple"], "expected KEY=VALUE, such as -o odds.multiple=10"),
        (["new-jersey", "-o", "=3"], "expected KEY=VALUE"),
        (["new-jersey", "-o", "odds.multiple="], "expected KEY=VALUE"),
        (["new-jersey", "-o", "odds.multiple=101"], "[19:47-1.6(e)#1]"),
        (["new-jersey", "-o", "odds.multipel=1"], "did you mean odds.multiple?"),
        (["new-jersey", "--html", "/nowhere/card.html"], "/nowhere/card.html cannot be written"),
        (["new-jersey", "--html", "/"], "/ cannot be written"),
        (["new-jersey", "--html", "a\0b"], "cannot be written"),
    ],
)
def test_the_command_refuses_what_it_cannot_use(args: Sequence[str], words: str) -> None:
    done = placard(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("passline placard: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


def test_placard_help_ends_with_an_example_that_works() -> None:
    *_, example = placard("--help").stdout.strip().splitlines()
    assert example.strip() == "passline placard new-jersey -o offers.fire=A"
    done = placard(*example.split()[2:])
    assert done.exit_code == 0
    assert "999 to 1" in done.stdout


def test_a_shape_without_a_section_is_listed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from passline.game.law.shapes.hardway import Hardway
    from passline.game.words import placard

    known = tuple(shape for shape in placard._SHAPES_WITH_A_SECTION if shape is not Hardway)
    monkeypatch.setattr(placard, "_SHAPES_WITH_A_SECTION", known)
    card = placard.make_placard(house_for("iowa"))
    [other] = [section for section in card.sections if section.title == "Other bets"]
    assert "Hard 8" in [row.label for row in other.rows]
