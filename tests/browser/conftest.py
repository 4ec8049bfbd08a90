"""Fixtures: a real Chromium and a real server. Without Chromium the tests are skipped."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.npm import ROOT
from tests.web.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

#: Nothing is asked of other hosts, and nothing is kept.
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium(own: str) -> str:
    """Where Chromium is: as ``PASSLINE_CHROMIUM`` says, as the system has it, or playwright's own;
    installed where that can be done. Where there is none, the test is skipped."""
    found = os.environ.get("PASSLINE_CHROMIUM") or _there(own)
    if not found:
        _install(own)
        found = _there(own)
    if not found or not Path(found).exists():
        pytest.skip("not run: there is no Chromium here, and none could be installed")
    return found


def _there(own: str) -> str:
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return found or (own if Path(own).exists() else "")


def _install(own: str) -> None:
    """Have playwright fetch its Chromium, or the system's packages theirs, where we may: tried
    once, whatever comes of it."""
    tried = ROOT / "build" / "chromium-tried"
    tried.parent.mkdir(exist_ok=True)
    with tried.open("a+") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)  # other workers wait for it
        if mark.tell():
            return
        mark.write("tried\n")
        mark.flush()
        ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
        if os.geteuid() == 0 and shutil.which("apt-get"):
            ways.append(["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"])
        for way in ways:
            with suppress(subprocess.TimeoutExpired):
                subprocess.run(way, capture_output=True, timeout=120, check=False)
            if _there(own):
                return


# Of one module each: while it stands, no other loop can run in this process.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser."""
    api = pytest.importorskip("playwright.sync_api", reason="not run: no playwright is installed")
    with api.sync_playwright() as playwright:
        path = chromium(playwright.chromium.executable_path)
        one = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield one
        one.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that was never started before."""
    with serving(tmp_path_factory.mktemp("live")) as one:
        yield one


def _matters(said: ConsoleMessage) -> bool:
    """Whether it is told of an error; what the server refuses is what was asked for."""
    return said.type == "error" and "Failed to load resource" not in said.text


@contextmanager
def _opened(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of a browser that was never here. It fails a test in which something went wrong on
    it, or in which it asked another host for anything."""
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    one = context.new_page()
    wrong: list[str] = []
    one.on("pageerror", lambda error: wrong.append(f"{one.url}: {error}"))
    one.on("console", lambda said: wrong.append(said.text) if _matters(said) else None)
    one.on(
        "request",
        lambda asked: None if asked.url.startswith(f"{server.url}/") else wrong.append(asked.url),
    )
    yield one
    context.close()
    assert wrong == []


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page for one test."""
    with _opened(browser, server) as one:
        yield one


@pytest.fixture(scope="module")
def walked(browser: Browser, server: Server) -> Iterator[Page]:
    """A page for the tests that look at one place after the other: a browser that was never
    anywhere takes as long to get there as to look."""
    with _opened(browser, server) as one:
        yield one
