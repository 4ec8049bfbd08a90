"""What is told of a request that is not carried out: a page to whoever reads pages, else JSON."""

from __future__ import annotations

from html import escape
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from passline.live.asks import HallError
from passline.web.answers import refused_answer
from passline.web.frame import first_words, framed, link
from passline.web.sending import send_once

_HEADS: Final = {
    400: "That cannot be read",
    401: "By invitation",
    403: "Not yours to do",
    404: "Nothing here",
    405: "Not this way",
    429: "One moment",
    503: "Not now",
}


def told_to(request: Request, wrong: HallError) -> Response:
    """The answer to a request that is not carried out."""
    answer = refused_answer(wrong)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return answer
    page = send_once(request, _page(wrong), wrong.status)
    for name in ("retry-after", "www-authenticate"):
        if name in answer.headers:
            page.headers[name] = answer.headers[name]
    return page


def _page(wrong: HallError) -> str:
    head = _HEADS.get(wrong.status, "That did not work")
    words = wrong.message[:1].upper() + wrong.message[1:]
    first = first_words().lower()
    where = f"From here: {link('/', f'the {first}')}, or {link('/docs', 'the docs')}."
    return framed(head, f"<h1>{head}</h1>\n<p>{escape(words)}.</p>\n<p>{where}</p>")
