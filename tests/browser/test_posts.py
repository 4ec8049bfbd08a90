"""The crew's pages: a table dealt by people from their posts, each with what it does and sees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.test_pages import axe, keep
from tests.browser.test_table import SLOW, cell, lies
from tests.web.serving import KEY, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.system

POSTS = ("floor", "box", "stick", "left-base", "right-base")
TABLET = {"width": 768, "height": 1024}
#: What is smaller than a fingertip. What lies in a line of text, and the felt's own cells (a
#: number's are larger on a small screen), are another matter.
SMALL = """() => [...document.querySelectorAll(
    '#post button, .post-columns :is(button, select, input, .log a)')]
  .filter(one => one.offsetParent && !one.closest('[hidden]'))
  .map(one => [one.textContent || one.name, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""


class CrewTable:
    """A table with a person at every post, and a page for whoever comes."""

    def __init__(self, browser: Browser, server: Server, **asked: object) -> None:
        posts = dict.fromkeys(POSTS, "person")
        opened = server.open(posts=posts, dice="typed", **asked)
        self.browser, self.server = browser, server
        self.table, self.tokens = str(opened["table"]), opened["tokens"]
        self.wrong: list[str] = []

    def page(self, role: str = "", **how: Any) -> Page:
        context = self.browser.new_context(
            base_url=self.server.url, reduced_motion="reduce", **{"viewport": TABLET, **how}
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.goto(f"/t/{self.table}" + (f"#{self.tokens[role]}" if role else ""))
        if role:
            page.get_by_role("heading", name="The log").wait_for(timeout=SLOW)
        return page

    def say(self, role: str, *lines: str) -> None:
        for number, line in enumerate(lines):
            request = f"{role}{number}{line}"
            said = self.server.say(self.table, self.tokens[role], request, line)
            assert said.json().get("seq"), (line, said.text)


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).first.click()


def logged(page: Page, line: str) -> None:
    page.locator(".entry-line", has_text=line).first.wait_for(timeout=SLOW)


def test_a_crew_deals_a_table_from_its_posts(browser: Browser, server: Server) -> None:
    crew = CrewTable(browser, server, buy_ins="box", name="Crew")
    box, dealer, stick = crew.page("box"), crew.page("left-base"), crew.page("stick")
    assert "#" not in stick.url
    ann = crew.page()
    assert ann.locator(".post-columns").count() == 0
    ann.get_by_role("textbox", name="Name").fill("ann")
    press(ann, "Sit down")
    ann.get_by_text("The box is asked for your $500").wait_for(timeout=SLOW)
    assert not ann.get_by_role("button", name="Sit down").is_visible()
    press(box, "Let ann in for $500")
    ann.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)

    # the base dealer books what is called: by a cell of the felt, and in words
    dealer.get_by_role("radio", name=re.compile("ann")).wait_for(timeout=SLOW)
    cell(dealer, "Pass").click()
    chosen = dealer.locator(".booking").get_by_role("combobox", name="Wager")
    assert chosen.input_value() == "pass"
    dealer.locator(".booking").get_by_label("Amount").fill("10")
    dealer.get_by_role("button", name="Bet", exact=True).click()
    lies(ann, "Pass", "$10")
    dealer.get_by_label("In words").fill("five on the field")
    dealer.keyboard.press("Enter")
    lies(ann, "Field", "$5")

    # the stick sends the dice, and types what they show
    stick.get_by_role("button", name="Dice out").and_(
        stick.locator("[aria-disabled=false]")
    ).wait_for()
    stick.keyboard.press("o")
    stick.get_by_text("The dice are out, with the shooter.").wait_for(timeout=SLOW)
    stick.keyboard.press("3")
    stick.keyboard.press("4")
    assert stick.get_by_role("button", name="First die 3").get_attribute("aria-pressed") == "true"
    stick.get_by_role("button", name="Call the dice: 3 and 4").wait_for()
    logged_before = stick.locator(".entry-line", has_text="roll 3 4").count()
    assert logged_before == 0  # shown first, and sent by Enter
    stick.keyboard.press("Enter")
    stick.locator(".big-call", has_text=re.compile("seven", re.IGNORECASE)).wait_for(timeout=SLOW)

    # the dealer works the layout, and ticks it off; the page remembers
    work = dealer.locator(".tasks input")
    work.first.wait_for(timeout=SLOW)
    count = work.count()
    assert count >= 2
    for _ in range(count):
        dealer.locator("h2").first.click()
        dealer.keyboard.press("t")
    dealer.get_by_text("All done.").wait_for(timeout=SLOW)
    dealer.reload()
    dealer.get_by_text("All done.").wait_for(timeout=SLOW)

    # the box calls a no roll, and the floor relieves the stick
    stick.keyboard.press("o")
    stick.get_by_text("The dice are out, with the shooter.").wait_for(timeout=SLOW)
    box.get_by_label("Ground").select_option("stacked")
    box.get_by_role("button", name="No roll").click()
    logged(box, "no roll stacked by boxperson")
    floor = crew.page("floor")
    floor.locator("[data-offer=relieve-1]").get_by_label("Name").fill("kim")
    press(floor, "Relieve")
    floor.locator(".part-posts dd", has_text="kim").wait_for(timeout=SLOW)
    stick.locator(".post-state", has_text="kim").wait_for(timeout=SLOW)
    assert crew.wrong == []
    for page in (box, dealer, stick, ann, floor):
        page.context.close()


@pytest.fixture(scope="module")
def dealt(browser: Browser, server: Server) -> Iterator[CrewTable]:
    """A table in mid-game, with somebody who asks to come in."""
    crew = CrewTable(browser, server, buy_ins="box", name="A crew's table", rulebook="iowa")
    crew.say("box", "ann joins for 500 at 2", "bob joins for 300 at 12")
    crew.say("left-base", "ann: pass for 10; field for 5")
    crew.say("right-base", "bob: pass for 15")
    crew.say("stick", "ann: hard 8 for 5", "dice out", "roll 4 2")
    server.ask("POST", f"/{crew.table}/seats", {"name": "dee", "buy_in": "400"})
    yield crew
    assert crew.wrong == []


#: The pages with most on them; those of the others are made of the same parts: in 'make long'.
SELDOM = [pytest.param(r, marks=pytest.mark.long) for r in ("left-base", "right-base", "box")]


@pytest.mark.parametrize("role", ["floor", "stick", "surveillance", *SELDOM])
def test_a_posts_page_fits_everybody(dealt: CrewTable, role: str) -> None:
    page = dealt.page(role)
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == []
    page.set_viewport_size({"width": 768, "height": 1024})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        keep(page, f"post-{role}-{page.evaluate('innerWidth')}-{scheme}")
        assert axe(page) == []
        page.set_viewport_size({"width": 390, "height": 844})
    page.context.close()


def test_on_a_tablet_the_stick_has_the_dice_without_scrolling(dealt: CrewTable) -> None:
    page = dealt.page("stick")
    call = page.get_by_role("button", name="Call the dice").bounding_box()
    assert call is not None
    assert page.evaluate("scrollY") == 0
    assert call["y"] + call["height"] <= TABLET["height"]
    page.context.close()


def test_what_is_barred_says_why_and_nothing_is_sent(dealt: CrewTable) -> None:
    page = dealt.page("stick")
    barred = page.get_by_role("button", name="Dice back")
    assert barred.get_attribute("aria-disabled") == "true"
    barred.click(force=True)
    page.get_by_role("alert").filter(has_text="the dice are not out").wait_for(timeout=SLOW)
    page.context.close()


def test_the_floor_gives_links_and_takes_them_back(dealt: CrewTable) -> None:
    page = dealt.page("floor")
    invites = page.locator(".part-invites")
    invites.get_by_label("Role").select_option("watcher")
    invites.get_by_label("Name, if any").fill("eve")
    press(page, "Make a link")
    link = invites.get_by_role("textbox", name="Link for watcher, eve").input_value(timeout=SLOW)
    token = link.rpartition("#")[2]
    assert dealt.server.ask("GET", f"/{dealt.table}", None, token).status_code == 200
    invites.get_by_label("Role").select_option("watcher")
    invites.get_by_label("Name, if any").fill("eve")
    press(page, "Withdraw tokens")
    page.get_by_text("The tokens of watcher, eve, are withdrawn.").wait_for(timeout=SLOW)
    assert dealt.server.ask("GET", f"/{dealt.table}", None, token).status_code == 401
    page.context.close()


def test_a_post_that_the_machine_holds_is_only_watched(page: Page, server: Server) -> None:
    told = server.open(posts={"stick": "person"}, dice="typed")
    page.goto(f"/t/{told['table']}#{told['tokens']['box']}")
    page.get_by_text("The machine is the boxperson here").wait_for(timeout=SLOW)
    assert page.locator(".offer:visible").count() == 0
    assert server.ask("POST", f"/{told['table']}/tokens", {"role": "box"}, KEY).status_code == 201


#: What is not wholly in the window: the felt, or something to press or fill in.
OUTSIDE = """() => [document.getElementById('stage'), ...document.querySelectorAll(
    '.post-column:not(:last-child) :is(button, select, input:not([type=checkbox]), summary)')]
  .filter(one => one.checkVisibility() && !one.closest('.players, .tasks'))
  .map(one => [one.id || one.textContent || one.name, one.getBoundingClientRect()])
  .filter(([, box]) => box.top < 0 || box.bottom > innerHeight || box.right > innerWidth)
  .map(([name, box]) => `${name} to ${box.bottom}`)"""


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 800)])
def test_a_post_has_its_controls_and_the_felt_in_one_screen(
    browser: Browser, server: Server, width: int, height: int
) -> None:
    crew = CrewTable(browser, server)
    ann = server.sit(crew.table)
    server.say(crew.table, ann, "a1", "pass for 10")
    crew.say("stick", "roll 3 3")
    for role in ("stick", "left-base", "right-base", "box", "floor"):
        page = crew.page(role, viewport={"width": width, "height": height})
        page.locator(".post-columns .post-card:visible").first.wait_for(timeout=SLOW)
        page.wait_for_timeout(300)
        assert page.evaluate(OUTSIDE) == []
        page.context.close()
    assert crew.wrong == []


@pytest.mark.parametrize(
    ("role", "part"), [("stick", "call"), ("box", "table"), ("floor", "table")]
)
def test_in_mid_game_too_with_somebody_waiting(dealt: CrewTable, role: str, part: str) -> None:
    page = dealt.page(role, viewport={"width": 1024, "height": 768})
    card = page.locator(f".part-{part}")
    card.wait_for(timeout=SLOW)
    page.wait_for_timeout(300)
    assert page.evaluate(OUTSIDE) == []
    box = card.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 768
    page.context.close()


@pytest.mark.parametrize("role", ["box", "floor"])
def test_in_a_low_window_the_felt_stays_beside_the(dealt: CrewTable, role: str) -> None:
    page = dealt.page(role, viewport={"width": 1366, "height": 600})
    page.locator(".post-columns button").last.scroll_into_view_if_needed()
    felt = page.locator("#felt").bounding_box()
    assert felt is not None
    assert page.evaluate("scrollY") > 0
    assert felt["y"] >= 0
    assert felt["y"] + felt["height"] <= 600
    page.context.close()


def test_a_throw_keyed_wrongly_is_corrected_by_the_box(browser: Browser, server: Server) -> None:
    crew = CrewTable(browser, server)
    stick, box, ann = crew.page("stick"), crew.page("box"), crew.page()
    ann.get_by_role("textbox", name="Name").fill("ann")
    press(ann, "Sit down")
    ann.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    say = ann.get_by_role("textbox", name="Say")
    say.fill("pass for 10")
    say.press("Enter")
    call = stick.get_by_role("button", name="Call the dice")
    assert call.is_disabled()
    press(stick, "First die 3")
    assert call.is_disabled()
    press(stick, "Second die 3")
    call.click()
    ann.get_by_role("log", name="Stick").filter(has_text="3 and 3").wait_for(timeout=SLOW)
    say.fill("pass-odds for 10")
    say.press("Enter")
    logged(box, "ann: pass-odds for 10")
    correct = box.locator("form[data-offer='correct-throw-1']")
    assert correct.get_by_role("button", name="Correct the throw").is_disabled()
    correct.get_by_role("button", name="First die 5").click()
    correct.get_by_role("button", name="Second die 6").click()
    correct.get_by_role("button", name="Correct the throw: 5 and 6").click()
    logged(box, "throw was 5 6 by boxperson")
    alert = ann.get_by_role("alert").filter(has_text="No longer up: pass odds for $10")
    alert.wait_for(timeout=SLOW)
    assert "The boxperson corrected the throw: it was 5 and 6, not 3 and 3." in alert.inner_text()
    assert crew.wrong == []


def test_a_name_typed_with_a_space_is_shown_with_it(browser: Browser, server: Server) -> None:
    crew = CrewTable(browser, server)
    page, box = crew.page(), crew.page("box")
    page.get_by_role("textbox", name="Name").fill("Mary Ann")
    press(page, "Sit down")
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    page.reload()
    page.get_by_role("status", name="Rail").filter(has_text="$500").wait_for(timeout=SLOW)
    box.locator(".player").filter(has_text="Mary Ann").wait_for(timeout=SLOW)
    page.locator("#players").filter(has_text="Mary Ann").first.wait_for(timeout=SLOW)
    page.get_by_role("textbox", name="Say").fill("pass for 10")
    page.keyboard.press("Enter")
    logged(box, "Mary Ann: pass for 10")
    lies(page, "Pass", "$10")
    for shown in (page, box):
        assert "Mary_Ann" not in shown.locator("main").inner_text()
    page.goto(f"/t/{crew.table}/replay")
    page.get_by_text("Mary Ann: pass for 10").wait_for(timeout=SLOW)
    assert "Mary_Ann" not in page.locator("main").inner_text()
    assert page.locator(".stack title").first.text_content() == "Mary Ann: Pass $10"
    assert crew.wrong == []
