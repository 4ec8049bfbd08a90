"""The payout card as an HTML document: self-contained, printable, easy for a screen reader."""

from __future__ import annotations

from passline.game.house.house import House
from passline.game.words.placard import make_placard
from passline.html_documents import render_document


def render_placard_html(house: House) -> str:
    """Return the payout card as an HTML document. Raise MissingExtra if Jinja2 is not installed."""
    return render_document("placard.html", "placard.css", card=make_placard(house))
