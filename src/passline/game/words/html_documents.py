"""Render HTML documents from the Jinja2 templates in ``documents``: cards and reports to print.

Templates escape every value except ``Markup``. A document is one HTML file and loads no others. The
server's pages (`web.page_templates`) reuse parts of these templates. Jinja2 is optional (the extra
``html``), so it is imported when a document is rendered.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from passline.optional_packages import missing_extra

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_DICE = re.compile(r"\b\d-\d\b,?")
# Before "(", after "," or ";", and after the "/" within a clause.
_BREAK_POINTS = re.compile(r"(?<= )(?=\()|(?<=[,;] )|(?<=/)")


def render_document(template: str, style: str = "", **values: object) -> str:
    """Render a template of the folder ``documents`` with ``values``, and return the HTML.

    ``template`` is the template's file name. ``style`` is that of a style sheet in the same folder,
    or "". Raise MissingExtra if Jinja2 is not installed.
    """
    try:
        from markupsafe import Markup
    except ImportError as error:
        raise missing_extra(error, "an HTML document") or error from None
    sheet = (
        files("passline.game.words").joinpath("documents", style).read_text("utf-8")
        if style
        else ""
    )
    return _environment().get_template(template).render(values, style=Markup(sheet))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("passline.game.words", "documents"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(document_filters())
    return environment


def document_filters() -> dict[str, Any]:
    """Return the Jinja2 filters that the templates of documents use, by name."""
    return {"keep_dice_together": _keep_dice_together, "break_points": _split_at_breaks}


def _keep_dice_together(text: str) -> Markup:
    """Return text as HTML in which a combination of dice, such as 6-6, stays on one line."""
    from markupsafe import Markup, escape

    return Markup(_DICE.sub(r'<span class="dice">\g<0></span>', str(escape(text))))


def _split_at_breaks(text: str) -> list[tuple[str, str]]:
    """Split a text where a narrow column may break it, into (part, space after it) pairs.

    >>> _split_at_breaks("9 to 5 (point 5), even")
    [('9 to 5', ' '), ('(point 5),', ' '), ('even', '')]
    """
    parts = [(part.rstrip(), part) for part in _BREAK_POINTS.split(text)]
    return [(own, part[len(own) :]) for own, part in parts]
