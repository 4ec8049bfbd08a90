"""Draw the PNG pictures of ``src/passline/web/static`` from their SVG sources, with Chromium.

Home screens and link previews take no SVG. Run it again after a change of a source:
``.venv/bin/python tools/draw_icons.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "passline" / "web" / "static"
#: Each picture: its name, its source, its width and its height.
PICTURES = (
    ("icon_180.png", "icon_maskable.svg", 180, 180),
    ("icon_192.png", "icon.svg", 192, 192),
    ("icon_512.png", "icon.svg", 512, 512),
    ("icon_maskable_512.png", "icon_maskable.svg", 512, 512),
    ("link_preview.png", "link_preview.svg", 1200, 630),
)


def draw_pictures(chromium: str) -> None:
    """Draw all pictures with the browser at the path ``chromium``, and write them."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, source, width, height in PICTURES:
            page = browser.new_page(viewport={"width": width, "height": height})
            svg = (STATIC / source).read_text("utf-8")
            style = "margin:0;background:transparent"
            sized = svg.replace("<svg ", f'<svg width="{width}" height="{height}" ', 1)
            page.set_content(f'<body style="{style}">{sized}</body>')
            page.locator("svg").screenshot(path=STATIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    from tests.browser.conftest import chromium

    with sync_playwright() as found:
        path = chromium(found.chromium.executable_path)
    draw_pictures(path)
