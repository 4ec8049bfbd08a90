"""Company at a table: hosting, invitations, who is here, leaving and coming back."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_pages import axe
from tests.browser.test_table import SLOW, cell, opened, sat_down
from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.system


def hosted(page: Page, name: str, listed: bool = True) -> str:
    """Open a table as the lobby's form does it; its id."""
    page.goto("/")
    page.get_by_role("button", name="Play with friends").click()
    page.get_by_role("textbox", name="Table name").fill(name)
    page.get_by_label("Rulebook").select_option("new-jersey")
    page.get_by_role("textbox", name="Minimum").fill("10")
    page.get_by_role("textbox", name="Maximum").fill("500")
    page.get_by_label("Odds").fill("3-4-5")
    page.get_by_role("checkbox", name="Listed in the lobby").set_checked(listed)
    assert axe(page) == []
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.get_by_role("heading", name=name).wait_for(timeout=SLOW)
    return page.url.rpartition("/")[2]


def test_a_table_for_friends_by_invitation(page: Page, browser: Browser, server: Server) -> None:
    table = hosted(page, "Friday craps", listed=False)
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_role("textbox", name="Link").input_value()
    assert re.fullmatch(rf"{server.url}/t/{table}#[0-9a-f]{{48}}", link)
    page.get_by_role("img", name="QR code of the link").wait_for()
    assert axe(page) == []
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Invite").click()
    assert page.get_by_role("textbox", name="Link").input_value() == link, "made once"
    page.get_by_role("button", name="Close").click()
    page.get_by_role("textbox", name="Name").fill("ann")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    friend = browser.new_context(base_url=server.url).new_page()
    friend.goto(link)
    friend.get_by_role("textbox", name="Name").fill("bob")
    friend.get_by_role("button", name="Sit down").click()
    friend.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    friend.get_by_role("button", name="Invite").click()
    assert friend.get_by_role("textbox", name="Link").input_value() == link, "passed on"
    friend.get_by_role("button", name="Close").click()
    assert friend.get_by_text("You host this table").count() == 0
    page.locator("#players").get_by_text("bob").wait_for(timeout=SLOW)
    page.locator("#players .dot-on").nth(1).wait_for(timeout=SLOW)
    friend.context.close()
    page.locator("#players .dot-away").wait_for(timeout=SLOW)
    page.get_by_text("You host this table").click()
    assert axe(page) == []
    lowest = page.get_by_role("textbox", name="Lowest bet")
    assert lowest.input_value() == "10"  # as posted now
    lowest.fill("15")
    page.get_by_role("textbox", name="Highest bet").fill("300")
    page.get_by_role("button", name="Post the limits").click()
    page.get_by_role("radio", name="$15").and_(page.locator(":checked")).wait_for(
        state="attached", timeout=SLOW
    )  # the default chip is the minimum
    page.get_by_role("button", name="Remove bob").click()
    page.get_by_role("button", name="Remove bob").wait_for(state="detached", timeout=SLOW)
    page.get_by_role("button", name="Close the table").click()
    page.locator("#now").filter(has_text="The table is closed").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Open the table again").click()
    page.get_by_role("button", name="Close the table").wait_for(timeout=SLOW)
    page.get_by_role("link", name="The floor's page").click()
    page.get_by_role("heading", name="You are the floorperson").wait_for(timeout=SLOW)


def test_a_listed_table_is_in_the_lobby_and_watched(
    page: Page, browser: Browser, server: Server
) -> None:
    table = hosted(page, "Open house")
    watcher = browser.new_context(base_url=server.url).new_page()
    watcher.goto("/")
    watcher.get_by_role("link", name="Open house").click()
    watcher.wait_for_url(f"**/t/{table}")
    watching = page.get_by_role("region", name="Watching")
    watching.filter(has_text=re.compile("[12] watching")).wait_for(timeout=SLOW)
    watcher.get_by_role("button", name="Invite").click()
    assert watcher.get_by_role("textbox", name="Link").input_value().endswith(f"/t/{table}")
    watcher.get_by_role("button", name="Close").click()

    # who is removed watches, and may sit down again
    watcher.get_by_role("textbox", name="Name").fill("bob")
    watcher.get_by_role("button", name="Sit down").click()
    watcher.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    page.get_by_text("You host this table").click()
    page.get_by_role("button", name="Remove bob").click()
    watcher.get_by_role("alert").filter(has_text="not valid any more").wait_for(timeout=SLOW)
    watcher.get_by_role("button", name="Sit down").wait_for(timeout=SLOW)
    assert watcher.get_by_role("status", name="Connection").inner_text() == ""
    watcher.goto(f"/t/{table}#{'0' * 48}")  # nor is a page dead that an old invitation leads to
    watcher.get_by_role("alert").filter(has_text="not valid any more").wait_for(timeout=SLOW)
    watcher.get_by_role("button", name="Sit down").wait_for(timeout=SLOW)
    watcher.context.close()


def test_leaving_asks_once_and_sums_up(page: Page, server: Server) -> None:
    table = opened(server, name="Evening")
    sat_down(page, table, "ann")
    cell(page, "Field").click()
    page.get_by_role("button", name="Roll").wait_for()
    cell(page, "Pass").click()
    page.get_by_role("button", name="Roll").click()
    page.get_by_role("log", name="Stick").locator("p").first.wait_for(timeout=SLOW)
    leave = page.get_by_role("button", name="Leave", exact=True)
    leave.click()
    page.get_by_role("button", name="Stay").click()
    leave.click()
    page.get_by_role("button", name="Leave the table").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Your game at Evening").wait_for(timeout=SLOW)
    words = sheet.inner_text()
    for fact in ("In", "Out", "Net", "Throws", "Best hand", "Luck", "Decisions"):
        assert fact in words
    assert sheet.get_by_role("link", name="Replay the game").get_attribute("href")
    assert axe(page) == []
    sheet.get_by_role("button", name="Close").click()
    page.goto("/")
    page.get_by_role("link", name="Return to your seat at Evening").click()
    back = page.get_by_role("button", name=re.compile(r"Come back with \$"))
    back.wait_for(timeout=SLOW)
    back.click()
    page.get_by_role("button", name="Leave", exact=True).wait_for(timeout=SLOW)
    assert back.count() == 0


#: Bets and throws with the page's own cookie, at most twenty lines a second.
FIFTY_THROWS = """async () => {
    const headers = { "Content-Type": "application/json" };
    const say = async (id, words) => {
        const body = JSON.stringify({ id, say: words });
        const table = location.pathname.split("/")[2];
        await fetch(`/api/tables/${table}/say`, { method: "POST", headers, body });
        await new Promise((done) => setTimeout(done, 55));
    };
    for (let n = 0; n < 50; n += 1) {
        await say(`b${n}`, "pass for 5");
        await say(`r${n}`, "roll");
    }
}"""


def test_a_player_without_a_link_is_told_who_invites(page: Page, server: Server) -> None:
    told = server.open(open=False)
    named = server.ask("POST", f"/{told['table']}/tokens", {"role": "player", "name": "ann"}, KEY)
    page.goto(f"/t/{told['table']}#{named.json()['token']}")
    assert page.get_by_role("textbox", name="Say").count() == 0  # nobody hears who has no seat
    page.get_by_role("textbox", name="Name").fill("")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("alert").filter(has_text="Type a name").wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Name").fill("ann")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Say").wait_for()
    page.get_by_role("button", name="Invite").click()
    page.get_by_role("alert").filter(has_text="Its host can invite").wait_for(timeout=SLOW)
    assert page.get_by_role("dialog").count() == 0


def test_a_daily_ends_in_a_result(page: Page) -> None:
    page.goto("/daily")
    page.get_by_role("textbox", name="Name").fill("dora")
    page.get_by_role("button", name="Play today's throws").click()
    page.wait_for_url("**/daily/*")
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    page.evaluate(FIFTY_THROWS)
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("heading", name="Your Daily").wait_for(timeout=SLOW)
    line = sheet.locator(".share-line").inner_text()
    assert re.search(r"Passline Daily \d{4}-\d\d-\d\d: [+−]?\$[\d.,]+, 1st of 1, luck", line), line
    assert "Rank" in sheet.inner_text()
    assert axe(page) == []
    sheet.get_by_role("button", name="Close").click()
    assert "$0 on the felt" in page.locator("#up").inner_text()
    page.get_by_role("button", name="Your result").click()
    sheet.get_by_role("link", name="Everybody's results").click()
    page.get_by_role("cell", name="dora").wait_for(timeout=SLOW)
    page.get_by_role("link", name="See your result").click()
    sheet.get_by_role("heading", name="Your Daily").wait_for(timeout=SLOW)
