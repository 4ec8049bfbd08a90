"""The files beside the pages: style, scripts, the icon. All of them are read once, at the start.

Their address holds a stamp of them all, ``/static/STAMP/NAME``: a browser keeps what it has for
ever, scripts find one another beside themselves, and new files have new addresses.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.felt.svg import read_style_sheet
from passline.live.requests import ServiceError
from passline.web.responses import IMMUTABLE, REVALIDATE, CachedBody, cached_response, prepare_body

_MEDIA_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
#: What a script imports as it begins, from beside itself.
_MODULE_IMPORT: Final = re.compile(r'^(?:import|export) [^;]*?"\./([\w.]+)";', re.MULTILINE)


@cache
def _load_files() -> dict[str, CachedBody]:
    folder = resources.files("passline.web").joinpath("static")
    found = {}
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        media_type = _MEDIA_TYPES.get(file.name.rpartition(".")[2])
        if media_type is not None:
            found[file.name] = prepare_body(file.read_bytes(), media_type)
    found["felt.css"] = prepare_body(read_style_sheet(), _MEDIA_TYPES["css"])
    return found


@cache
def _version_stamp() -> str:
    every = "".join(f"{name} {kept.tag}\n" for name, kept in _load_files().items())
    return sha256(every.encode()).hexdigest()[:12]


def static_url(name: str) -> str:
    """Where a page finds a file."""
    if name not in _load_files():
        raise LookupError(f"there is no static file {name!r}")
    return f"/static/{_version_stamp()}/{name}"


@cache
def list_script_imports(name: str) -> tuple[str, ...]:
    """The scripts that a script cannot begin without, itself first: a browser that is told of them
    asks for all at once, not for each where another names it."""
    found = [name]
    for one in found:
        text = _load_files()[one].body.decode()
        found += [beside for beside in _MODULE_IMPORT.findall(text) if beside not in found]
    return tuple(dict.fromkeys(found))


async def static_file(request: Request) -> Response:
    """``/static/STAMP/NAME``: an old stamp gets today's file, and does not keep it."""
    kept = _load_files().get(request.path_params["name"])
    if kept is None:
        raise ServiceError("not_found", "there is no such file")
    return cached_response(
        request, kept, IMMUTABLE if request.path_params["stamp"] == _version_stamp() else REVALIDATE
    )
