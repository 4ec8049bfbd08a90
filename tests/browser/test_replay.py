"""The replay page in a real browser: steps by line and by throw, links, and a running game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.test_pages import axe
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system

SLOW = 20_000.0


class Game:
    """A table whose dice are typed in, and what is said there."""

    def __init__(self, server: Server) -> None:
        told = server.open(dice="typed", posts={"stick": "person"}, name="Walked")
        self.server, self.table, self.said = server, str(told["table"]), 0
        self.tokens = {"stick": told["tokens"]["stick"], "ann": server.sit(self.table)}

    def say(self, who: str, *says: str) -> None:
        for say in says:
            self.said += 1
            answer = self.server.say(self.table, self.tokens[who], f"i{self.said}", say)
            assert answer.json()["seq"] is not None, answer.text


@pytest.fixture
def game(server: Server) -> Game:
    one = Game(server)
    one.say("ann", "pass for 10")
    one.say("stick", "roll 4 4")
    one.say("ann", "place-win-6 for 12")
    one.say("stick", "roll 3 3", "roll 4 3")
    return one


def at(page: Page, words: str) -> None:
    """The page stands at a moment."""
    page.get_by_role("status", name="Where").filter(has_text=words).wait_for(timeout=SLOW)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_game_is_walked_forward_and_back(page: Page, game: Game, tmp_path: Path) -> None:
    page.goto(f"/t/{game.table}")
    page.get_by_role("link", name="Replay").click()
    last = int(game.server.ask("GET", f"/{game.table}").json()["seq"])
    at(page, f"Moment {last} of {last}, throw 3 of 3, live")
    press(page, "First")
    at(page, f"Moment 0 of {last}")
    assert page.url.endswith("/replay#0")
    press(page, "Next throw")
    at(page, "throw 1 of 3")
    assert "roll 4 4" in page.locator("#moment").inner_text()
    press(page, "Next throw")
    at(page, "throw 2 of 3")
    settled = page.get_by_role("group", name="Settlements of this throw")
    assert re.search(r"ann\s+Place 6\s+\$12\s+wins at 7 to 6\s+\$14", settled.inner_text())
    ledger = page.get_by_role("group", name="Ledger")
    assert re.search(r"Sum\s+\$0", ledger.inner_text())
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.set_viewport_size({"width": 1280, "height": 800})
    assert "$492" in page.get_by_role("group", name="Rails").inner_text()
    clause = settled.get_by_role("link").first
    assert game.server.http.get(str(clause.get_attribute("href"))).status_code == 200
    page.keyboard.press("ArrowLeft")
    at(page, "throw 1 of 3")
    assert "place-win-6 for 12" in page.locator("#moment").inner_text()
    assert page.locator("#felt .stack").count() == 2
    page.keyboard.press("Shift+ArrowRight")
    at(page, "throw 2 of 3")
    page.keyboard.press("Home")
    at(page, "Moment 0 of")
    page.keyboard.press("PageDown")
    at(page, "throw 1 of 3")
    here = page.url
    page.get_by_role("button", name="3-3, moment").click()
    at(page, "throw 2 of 3")
    slider = page.get_by_role("slider", name="Moment")
    now = int(slider.input_value())
    slider.press("ArrowLeft")
    at(page, f"Moment {now - 1} of")
    page.goto(here)  # a link to a moment
    at(page, "throw 1 of 3")
    page.reload()
    at(page, "throw 1 of 3")
    page.get_by_label("Text only").check()
    assert page.locator("#felt").is_hidden()
    for name, begins in (
        ("The game as .craps", "rulebook: new-jersey\n"),
        ("The log", '{"at":'),
        ("Settlements and ledger as CSV", "moment,at,line,"),
    ):
        with page.expect_download() as taken:
            page.get_by_role("link", name=name).click()
        file = tmp_path / taken.value.suggested_filename
        taken.value.save_as(file)
        assert file.read_text("utf-8").startswith(begins)


def test_a_running_table_is_followed(page: Page, game: Game) -> None:
    page.goto(f"/t/{game.table}/replay")
    at(page, "throw 3 of 3, live")
    game.say("ann", "pass for 10")
    game.say("stick", "roll 5 5")
    at(page, "throw 4 of 4, live")
    page.locator("#moment", has_text="roll 5 5").wait_for(timeout=SLOW)
    press(page, "Previous throw")
    at(page, "throw 3 of 4, the game goes on")
    game.say("ann", "field for 5")
    page.wait_for_function("Number(document.getElementById('slider').max) >= 9", timeout=SLOW)
    at(page, "throw 3 of 4")  # who looks back is left there
    press(page, "Last")
    at(page, ", live")
    assert "Field" in page.get_by_role("group", name="Wagers").inner_text()


def test_it_plays_by_itself(page: Page, game: Game) -> None:
    page.goto(f"/t/{game.table}/replay#0")
    at(page, "Moment 0 of")
    page.get_by_label("Pace").select_option("fast")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause", exact=True).wait_for(timeout=SLOW)
    at(page, "Moment 2 of")
    press(page, "Pause")
    page.get_by_role("button", name="Play", exact=True).wait_for(timeout=SLOW)
    assert axe(page) == []


def test_an_address_that_names_no_moment_says_so(page: Page, game: Game) -> None:
    page.goto(f"/t/{game.table}/replay#999999")
    page.get_by_role("alert").filter(has_text="choose a moment from 0 to").wait_for(timeout=SLOW)
    at(page, ", live")


def test_a_throw_is_checked_in_the_browser(page: Page, server: Server) -> None:
    """The proof is computed here; a page that was told another secret or another table says so."""
    told = server.open(name="Proven", pace={"betting": 0, "shooter": 0})
    table = str(told["table"])
    token = server.sit(table)
    for number, say in enumerate(("pass for 10", "roll")):
        assert server.say(table, token, f"p{number}", say).json()["seq"] is not None
    log = server.ask("GET", f"/{table}/log").text.splitlines()
    throw = next(number for number, line in enumerate(log) if '"fair"' in line)
    page.goto(f"{server.url}/t/{table}/replay#{throw}")
    page.get_by_role("button", name="Check this throw").click()
    page.get_by_role("status", name="Proof").filter(has_text="Right: the secret").wait_for(
        timeout=SLOW
    )

    def bend(route: Any) -> None:
        answer = route.fetch()
        moment = answer.json()
        moment["table"] = "other"
        route.fulfill(response=answer, json=moment)

    page.route("**/replay?at=*", bend)
    page.reload()
    page.get_by_role("button", name="Check this throw").click()
    status = page.get_by_role("status", name="Proof")
    status.filter(has_text=re.compile("Wrong: the secret gives|Right")).wait_for(timeout=SLOW)
    page.evaluate("Object.defineProperty(crypto, 'subtle', {value: undefined})")
    page.get_by_role("button", name="Check this throw").click()
    status.filter(has_text="passline audit").wait_for(timeout=SLOW)
