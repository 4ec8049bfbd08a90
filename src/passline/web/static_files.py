"""Static files: the style sheets, scripts and icons of the pages, read from disk only once.

Their address is ``/static/STAMP/NAME``. The stamp is a hash of all files, which changes when any of
them does. So browsers may store a file for good, and scripts import one another by relative paths.
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
from passline.game.words.web import say_web
from passline.live.schema import ServiceError
from passline.web.responses import IMMUTABLE, REVALIDATE, CachedBody, cached_response, prepare_body

_MEDIA_TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
}
#: A static import (or re-export) of another script in the same folder.
_MODULE_IMPORT: Final = re.compile(r'^(?:import|export) [^;]*?"\./([\w.]+)";', re.MULTILINE)


@cache
def _load_files() -> dict[str, CachedBody]:
    folder = resources.files("passline.web").joinpath("static")
    files = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        media_type = _MEDIA_TYPES.get(file.name.rpartition(".")[2])
        if media_type is not None:
            files[file.name] = prepare_body(file.read_bytes(), media_type)
    files["felt.css"] = prepare_body(read_style_sheet(), _MEDIA_TYPES["css"])
    return files


@cache
def _version_stamp() -> str:
    """Return a hash of all static files, which is part of their addresses."""
    tags = "".join(f"{name} {file.tag}\n" for name, file in _load_files().items())
    return sha256(tags.encode()).hexdigest()[:12]


def static_url(name: str) -> str:
    """Return the path of a static file. Raise LookupError if there is none of that name."""
    if name not in _load_files():
        raise LookupError(f"there is no static file {name}")
    return f"/static/{_version_stamp()}/{name}"


@cache
def list_script_imports(name: str) -> tuple[str, ...]:
    """Return the names of a script and of all scripts that it imports, directly or not.

    A page lists them all, so that the browser loads them at once instead of one after another.
    """
    scripts = [name]
    for script in scripts:
        text = _load_files()[script].body.decode()
        scripts += [found for found in _MODULE_IMPORT.findall(text) if found not in scripts]
    return tuple(dict.fromkeys(scripts))


async def static_file(request: Request) -> Response:
    """``GET /static/STAMP/NAME``: a file.

    Browsers may store it for good if the stamp is current.
    """
    file = _load_files().get(request.path_params["name"])
    if file is None:
        raise ServiceError("not_found", say_web("no-file"))
    is_current = request.path_params["stamp"] == _version_stamp()
    return cached_response(request, file, IMMUTABLE if is_current else REVALIDATE)
