"""The operator's page, and invitations to private tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.test_pages import axe
from tests.browser.test_table import SLOW
from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.system


def test_the_operator_sees_every_table_and_takes_one(page: Page, server: Server) -> None:
    server.open(open=False, name="Hidden", rulebook="iowa")
    page.goto("/operate")
    page.get_by_label("House key").fill(KEY)
    page.get_by_role("button", name="Show the tables").click()
    page.get_by_text("Iowa craps manual, craps").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Close Hidden").click()
    page.get_by_role("button", name="Reopen Hidden").click()
    page.get_by_role("button", name="Close Hidden").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Invite a player to Hidden").click()
    link = page.get_by_label("A player's link to Hidden").input_value()
    assert axe(page) == []
    page.get_by_role("button", name="Operate Hidden").click()
    page.get_by_role("heading", name="You are the operator").wait_for(timeout=SLOW)
    page.get_by_role("button", name="Make a link").wait_for(timeout=SLOW)
    assert KEY not in page.evaluate(
        "document.cookie + location.href + JSON.stringify(localStorage)"
    )
    assert axe(page) == []
    page.get_by_label("Least").first.fill("10")
    page.get_by_role("button", name="Post limits").click()
    page.locator(".part-figures").filter(has_text="$10 to").wait_for(timeout=SLOW)
    with page.expect_download() as got:
        page.get_by_role("link", name="The whole log").click()
    assert '"limits 10 to' in got.value.path().read_text("utf-8")
    page.get_by_role("button", name="Back to the tables").click()
    page.get_by_role("button", name="Operate Hidden").wait_for(timeout=SLOW)
    page.goto(link)
    page.get_by_role("button", name="Sit down").wait_for(timeout=SLOW)


def test_a_table_by_invitation_has_a_link_for_players_and_one_for_its_learner(
    page: Page, server: Server
) -> None:
    page.goto("/open")
    page.get_by_label("In the lobby").uncheck()
    page.get_by_label("A learner's post").select_option("stick")
    page.get_by_label("House key").fill(KEY)
    page.get_by_role("button", name="Open the table").click()
    seat = page.get_by_label("players (each who has it may sit down)", exact=True).input_value()
    learner = page.get_by_label("stick (a learner's)", exact=True).input_value()
    page.goto(learner)
    page.wait_for_url("**/learn")
    page.goto(seat.partition("#")[0])
    page.get_by_role("heading", name="You are the stickperson").wait_for(timeout=SLOW)
    page.get_by_role("link", name="Go to your work").wait_for(timeout=SLOW)
    page.context.clear_cookies()
    page.goto("about:blank")
    page.goto(seat)
    page.get_by_role("button", name="Sit down").wait_for(timeout=SLOW)
