"""A throw is an event: it is shown once, before anything that it did, and never lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.test_evening import calls, entries, saw, thrown
from tests.browser.test_pages import axe
from tests.browser.test_table import SLOW, cell, lies, opened, sat_down
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.system

#: Dice that can be seen in the tray, and over the felt.
DICE = """() => [
  [...document.querySelectorAll("#dice .die")].filter((die) => die.checkVisibility()).length,
  [...document.querySelectorAll("#felt-dice .cube")].filter((die) => die.checkVisibility()).length,
]"""
FLYING = "() => document.getAnimations().length > 0"
#: Count the audio contexts that a page makes, and the sounds that it starts.
LISTEN = """() => {
  window.heard = { contexts: 0, sounds: 0 };
  window.AudioContext = class extends AudioContext {
    constructor() { super(); heard.contexts += 1; }
    get state() { return "running"; }
  };
  for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) { heard.sounds += 1; start.apply(this, when); };
  }
}"""
#: Have every animation take as long as the test says, if it does.
PACED = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: window.pace ?? options.duration });
  };
"""
MINUTE = "window.pace = 60_000"
HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@contextmanager
def moving(browser: Browser, server: Server, **asked: Any) -> Iterator[Page]:
    """A page on which things move."""
    context = browser.new_context(
        base_url=server.url, viewport={"width": 1280, "height": 800}, **asked
    )
    page = context.new_page()
    page.add_init_script(PACED)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert wrong == []


@pytest.fixture(scope="module")
def shared(browser: Browser, server: Server) -> Iterator[tuple[Page, str]]:
    """A player with a bet on the line, at a page on which things move."""
    table = opened(server)
    with moving(browser, server) as page:
        sat_down(page, table, "ann")
        page.evaluate("document.activeElement.blur()")
        yield page, table


def bet_again(page: Page) -> None:
    """Have a bet on the line, and the dice in the tray."""
    page.evaluate("delete window.pace")
    page.keyboard.press("x")  # the crew's moves at once
    if page.get_by_role("gridcell", name="Pass", exact=True).count():
        cell(page, "Pass").click()
        lies(page, "Pass", "$5")
    page.locator("#dice .die").first.wait_for(timeout=SLOW)


@pytest.mark.parametrize("how", ["double click", "R held", "Enter held"])
def test_one_press_is_one_throw(shared: tuple[Page, str], server: Server, how: str) -> None:
    page, table = shared
    bet_again(page)
    before = thrown(server, table)
    roll = page.get_by_role("button", name="Roll")
    if how == "double click":
        roll.dblclick()
        roll.click(force=True)
    else:
        roll.focus()
        for _ in range(12):  # the first is the press, the others repeat it
            page.keyboard.down(how[0] if how[0] == "R" else "Enter")
            page.wait_for_timeout(40)
    assert roll.get_attribute("aria-disabled") == "true"
    saw(page, before + 1)
    page.wait_for_timeout(300)
    for key in ("R", "Enter"):
        page.keyboard.up(key)
    assert thrown(server, table) == before + 1


def test_a_double_click_is_one_throw_where_nothing_moves(page: Page, server: Server) -> None:
    table = opened(server)
    sat_down(page, table, "ann")
    cell(page, "Pass").click()
    lies(page, "Pass", "$5")
    page.get_by_role("button", name="Roll").dblclick()
    saw(page, 1)
    page.wait_for_timeout(300)
    assert thrown(server, table) == 1
    assert not page.evaluate(FLYING)


def test_a_refused_throw_keeps_its_nonce_until_another_commitment(
    page: Page, server: Server
) -> None:
    """A server that could have another nonce would refuse the dice that it dislikes."""
    table = opened(server)
    sat_down(page, table, "ann")
    nonces: list[str] = []

    def refuse_first(route: Route) -> None:
        asked: Any = route.request.post_data_json
        if asked["say"] == "roll":
            nonces.append(asked["nonce"])
        if nonces == nonces[:1] and asked["say"] == "roll":
            refusal = {"reason": "not now", "cite": None}
            entry = {"said": "roll", "words": "roll", "refusal": refusal}
            route.fulfill(json={"seq": None, "hash": None, "receipt": None, "entries": [entry]})
        else:
            route.continue_()

    page.route("**/say", refuse_first)
    for throws in range(3):
        if throws != 1:  # At the second press the bet is up already.
            page.wait_for_timeout(300)
            if page.get_by_role("gridcell", name="Pass", exact=True).count():
                cell(page, "Pass").click()
                lies(page, "Pass", "$5")
        page.get_by_role("button", name="Roll").click()
        if throws:
            saw(page, throws)
        else:
            page.get_by_text("not now").first.wait_for(timeout=SLOW)
    assert nonces[0] == nonces[1] != nonces[2]


def test_nothing_is_given_away_before_the_dice_rest(
    shared: tuple[Page, str], server: Server
) -> None:
    page, table = shared
    bet_again(page)
    assert page.evaluate(DICE) == [2, 0]
    told = """() => ["rail", "puck", "history", "stick", "mine"].map(
      (id) => document.getElementById(id).innerText)"""
    before, throws = page.evaluate(told), thrown(server, table)
    page.evaluate(MINUTE)
    page.keyboard.press("r")
    page.wait_for_function(FLYING, timeout=SLOW)
    assert thrown(server, table) == throws + 1  # the server has dealt it
    page.wait_for_timeout(300)
    assert page.evaluate(told) == before
    assert page.evaluate(DICE) == [0, 2]
    page.keyboard.press("Escape")
    saw(page, throws + 1)
    assert sum(page.evaluate(DICE)) == 2
    last = entries(server, table)
    dice = next(e["line"].split()[1:] for e in reversed(last) if "fair" in e)
    assert page.locator("#felt-dice").get_attribute("data-faces") == ",".join(dice)
    assert calls(page)[-1].startswith(" and ".join(dice))


@pytest.mark.parametrize("how", ["Escape", "Space", "click"])
def test_the_flight_can_be_skipped(shared: tuple[Page, str], server: Server, how: str) -> None:
    page, table = shared
    bet_again(page)
    throws, said_before = thrown(server, table), len(entries(server, table))
    page.evaluate(MINUTE)
    page.keyboard.press("r")
    page.wait_for_function(FLYING, timeout=SLOW)
    if how == "click":
        cell(page, "Field").click()
    else:
        page.keyboard.press(how)
    saw(page, throws + 1)
    said = [entry["line"] for entry in entries(server, table)[said_before:]]
    assert not any("field" in line for line in said)  # a click that skips bets nothing


def test_every_throw_takes_another_path_to_the_far_wall(shared: tuple[Page, str]) -> None:
    page, _ = shared
    paths = page.evaluate(
        """async () => {
          const script = document.querySelector("script[type=module]").src;
          const { planThrow } = await import(script.replace("table.js", "dice_animation.js"));
          const whole = [-46, -46, 1464, 592], end = [812, -46, 600, 592];
          const plan = (shown) => planThrow(whole, shown, { x: 1400, y: 80 }, { x: 380, y: 230 });
          return [whole, end].map((shown) => Array.from({ length: 8 }, () => plan(shown)));
        }"""
    )
    for (left, right), seen in zip(((-46, 1418), (812, 1412)), paths, strict=True):
        assert len({(path["rest"]["x"], path["rest"]["y"]) for path in seen}) == 8
        for path in seen:
            assert left <= path["wall"] < path["rest"]["x"] < path["start"]["x"] <= right


class Shooter:
    """A program that has a seat by itself, and throws. ``seqs`` are the entries of its throws."""

    def __init__(self, server: Server) -> None:
        self.server, self.table, self.seqs = server, opened(server), [0]
        self.token = server.sit(self.table, "bob")

    def throw(self, times: int) -> None:
        for _ in range(times):
            number = len(self.seqs)
            self.server.say(self.table, self.token, f"b{number}", "pass for 5")
            answer = self.server.say(self.table, self.token, f"r{number}", "roll")
            assert answer.status_code == 200
            self.seqs.append(answer.json()["seq"])


def test_throws_of_an_absence_are_counted(browser: Browser, server: Server) -> None:
    """Offline, and with the page hidden: the throws are counted, and the replay shows them."""
    bob = Shooter(server)
    with moving(browser, server) as page:
        page.goto(f"/t/{bob.table}")
        page.locator("#felt svg").first.wait_for(timeout=SLOW)
        page.context.set_offline(True)
        page.locator("#connection").filter(has_text="lost").wait_for(timeout=SLOW)
        bob.throw(3)
        page.context.set_offline(False)
        link = page.get_by_role("link", name="3 throws while you were away")
        link.wait_for(timeout=SLOW)
        assert str(link.get_attribute("href")) == f"/t/{bob.table}/replay#{bob.seqs[1]}"
        saw(page, 3)
        assert axe(page) == []
        page.evaluate(HIDE, True)
        bob.throw(2)
        saw(page, 5)
        page.evaluate(HIDE, False)
        page.get_by_role("link", name="2 throws while you were away").wait_for(timeout=SLOW)
        bob.throw(1)
        saw(page, 6)
        assert page.locator("#missed").inner_text() == ""  # seen: nothing is left to count


def test_a_throw_on_a_lost_connection_is_one_throw_and_is_shown(
    browser: Browser, server: Server
) -> None:
    """Roll pressed offline, and pressed again, throws at most once; a reload in the flight too."""
    table = opened(server)
    with moving(browser, server) as page:
        sat_down(page, table, "ann")
        cell(page, "Pass").click()
        lies(page, "Pass", "$5")
        page.context.set_offline(True)
        page.locator("#connection").filter(has_text="lost").wait_for(timeout=SLOW)
        for _ in range(3):
            page.get_by_role("button", name="Roll").click(force=True)
        page.context.set_offline(False)
        history = page.get_by_role("list", name="History").get_by_role("listitem")
        page.wait_for_timeout(4000)
        lines = server.ask("GET", f"/{table}/log").text
        thrown = lines.count('"line":"roll ')
        assert thrown <= 1
        assert history.count() == thrown
        page.evaluate(MINUTE)
        if not thrown:
            page.get_by_role("button", name="Roll").click()
            page.wait_for_timeout(500)
        page.reload()
        history.first.wait_for(timeout=SLOW)
        assert history.count() == 1
        assert server.ask("GET", f"/{table}/log").text.count('"line":"roll ') == 1


def test_throws_that_come_too_fast_are_counted(browser: Browser, server: Server) -> None:
    """A throw whose dice were not seen is counted. Text mode tells every throw at once."""
    bob = Shooter(server)
    with moving(browser, server) as page:
        page.goto(f"/t/{bob.table}")
        page.evaluate(MINUTE)
        page.locator("#felt svg").first.wait_for(timeout=SLOW)
        page.wait_for_timeout(300)
        bob.throw(1)
        page.wait_for_function(FLYING, timeout=SLOW)
        bob.throw(2)
        page.wait_for_timeout(600)  # until both have come
        page.keyboard.press("Escape")
        page.get_by_role("link", name="1 throw too fast to show").wait_for(timeout=SLOW)
        page.keyboard.press("Escape")
        saw(page, 3)
        assert page.evaluate(DICE) == [0, 2]
        page.keyboard.press("t")
        page.locator("#text table, #text h2").first.wait_for(timeout=SLOW)
        assert page.evaluate(DICE) == [2, 0]
        bob.throw(1)
        saw(page, 4)
        assert not page.evaluate(FLYING)
        told = calls(page)[-1].split(".")[0]
        page.locator("#text").filter(has_text=f"The last throw was {told}").wait_for(timeout=SLOW)


def test_the_history_is_a_list_of_links_into_the_replay(page: Page, server: Server) -> None:
    table = opened(server)
    token = server.sit(table, "ann")
    for number in range(6):
        server.say(table, token, f"b{number}", "pass for 5")
        assert server.say(table, token, f"r{number}", "roll").status_code == 200
    dice = [e["line"].split()[1:] for e in entries(server, table) if "fair" in e]
    page.goto(f"/t/{table}")
    items = page.get_by_role("list", name="History").get_by_role("listitem")
    items.nth(5).wait_for(timeout=SLOW)
    expected = [str(int(a) + int(b)) for a, b in dice]
    assert [re.split(r"\D", text)[0] for text in items.all_inner_texts()] == expected
    page.reload()
    items.nth(5).wait_for(timeout=SLOW)
    link = items.last.get_by_role("link")
    assert " and ".join(dice[-1]) in str(link.get_attribute("aria-label"))
    link.click()
    page.wait_for_url(re.compile(rf"/t/{table}/replay#\d+$"))
    page.get_by_text(f"roll {' '.join(dice[-1])}").first.wait_for(timeout=SLOW)


def test_sounds_wait_for_a_gesture_and_stay_off(browser: Browser, server: Server) -> None:
    with moving(browser, server) as page:
        page.add_init_script(f"({LISTEN})()")
        table = opened(server)
        page.goto(f"/t/{table}")
        sound = page.get_by_role("button", name="Sound")
        sound.wait_for(timeout=SLOW)
        assert sound.get_attribute("aria-pressed") == "true"
        assert page.evaluate("heard") == {"contexts": 0, "sounds": 0}
        sat_down(page, table, "ann")
        page.evaluate("document.activeElement.blur()")
        cell(page, "Pass").click()
        lies(page, "Pass", "$5")
        page.wait_for_function("() => heard.contexts === 1 && heard.sounds > 0", timeout=SLOW)
        page.keyboard.press("s")
        assert sound.get_attribute("aria-pressed") == "false"
        page.reload()
        page.get_by_role("status", name="Rail").filter(has_text="$495").wait_for(timeout=SLOW)
        assert sound.get_attribute("aria-pressed") == "false"
        page.keyboard.press("r")
        saw(page, 1)
        assert page.evaluate("heard") == {"contexts": 0, "sounds": 0}
        sound.click()
        assert sound.get_attribute("aria-pressed") == "true"
        assert page.evaluate("heard.contexts") == 1
