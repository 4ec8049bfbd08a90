"""The web app manifest, ``/manifest.webmanifest``: name, colors and icons of the installed app."""

from __future__ import annotations

from functools import cache
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from passline.game.words.web import SITE_DESCRIPTION
from passline.web.responses import CachedBody, cached_response, prepare_body
from passline.web.static_files import static_url

#: The green of the bar at the top of every page.
_GREEN: Final = "#0b5d3b"
#: The icons: file, sizes, media type and purpose.
_ICONS: Final = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon_192.png", "192x192", "image/png", "any"),
    ("icon_512.png", "512x512", "image/png", "any"),
    ("icon_maskable_512.png", "512x512", "image/png", "maskable"),
)


@cache
def _make_manifest() -> CachedBody:
    icons = [
        {"src": static_url(name), "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in _ICONS
    ]
    manifest = {
        "name": "Passline",
        "short_name": "Passline",
        "description": SITE_DESCRIPTION,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _GREEN,
        "theme_color": _GREEN,
        "icons": icons,
    }
    return prepare_body(msgspec.json.encode(manifest), "application/manifest+json")


async def web_manifest(request: Request) -> Response:
    """``GET /manifest.webmanifest``: what a browser needs to install the pages as an app."""
    return cached_response(request, _make_manifest())
