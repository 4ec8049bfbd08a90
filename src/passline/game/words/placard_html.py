"""The payout card as an HTML page: self-contained, printable, easy for a screen reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from passline.game.house.house import House
from passline.game.words.placard import Placard, PlacardRow, PlacardSection, make_placard

_DICE_PATTERN = re.compile(r"\b\d-\d\b,?")  # a combination of dice stays on one line
_STYLE = """
:root { --ink: #14201a; --soft: #4c5a52; --felt: #0b5d3b; --line: #c3cec7; --paper: #fffefb; }
* { box-sizing: border-box; }
html { background: #e9ede9; }
body {
  margin: 2rem auto; padding: 2.2rem 2.4rem; max-width: 66rem; background: var(--paper);
  color: var(--ink); border-top: .6rem solid var(--felt);
  font: 1rem/1.4 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif;
}
header { text-align: center; margin-bottom: 1.6rem; }
h1 { margin: 0; font-size: 2.3rem; line-height: 1.15; letter-spacing: .02em; }
header p { margin: .3rem 0 0; color: var(--soft); font-style: italic; }
main { columns: 3 17rem; column-gap: 2.2rem; }
section { break-inside: avoid; margin: 0 0 1.3rem; }
h2 {
  margin: 0 0 .25rem; padding-bottom: .15rem; color: var(--felt); font-size: .92em;
  letter-spacing: .07em; text-transform: uppercase; border-bottom: 2px solid var(--felt);
}
table { width: 100%; border-collapse: collapse; }
th, td { padding: .16rem 0; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th { padding-right: .8rem; font-weight: normal; text-align: left; }
td {
  font-weight: 700; text-align: right; white-space: nowrap; font-variant-numeric: lining-nums;
}
small { display: block; color: var(--soft); font-size: .84em; line-height: 1.3; }
section p { margin: .35rem 0 0; color: var(--soft); font-size: .88em; line-height: 1.32; }
ul { margin: .35rem 0 0; padding-left: 1.1rem; }
li { margin: .2rem 0; line-height: 1.32; }
.dice { white-space: nowrap; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
@page { size: letter; margin: 12mm; }
@media print {
  html, body { background: none; }
  body { margin: 0; padding: 0; max-width: none; border: 0; font-size: 9.8pt; }
  header { margin-bottom: 4mm; }
  h1 { font-size: 19pt; }
  main { columns: 3; column-gap: 7mm; }
  section { margin-bottom: 3.2mm; }
  th { padding: .35mm 2mm .35mm 0; }
  td { padding: .35mm 0; }
}
"""


def render_placard_html(house: House) -> str:
    """Return the card as one HTML page."""
    card = make_placard(house)
    return render_page(
        f"{card.name}: {card.game} payouts", _STYLE, _render_heading(card), _render_sections(card)
    )


def render_page(title: str, style: str, head: str, sections: Iterable[str]) -> str:
    """Return a self-contained page with its style: a heading and sections of HTML."""
    lines = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>",
        f"<header>\n{head}\n</header>\n<main>",
        *sections,
        "</main>\n</body>\n</html>",
    ]
    return "\n".join(lines) + "\n"


def render_placard_parts(house: House) -> tuple[str, str]:
    """Return the heading and the sections of the card, for a page that has its own frame."""
    card = make_placard(house)
    return _render_heading(card), "\n".join(_render_sections(card))


def _render_heading(card: Placard) -> str:
    rules = f" under {card.book}" if card.book != card.name else ""
    words = escape(card.game + rules)
    return f"<h1>{escape(card.name)}</h1>\n<p>{words}: what each wager pays</p>"


def _render_sections(card: Placard) -> Iterator[str]:
    for number, section in enumerate(card.sections):
        yield from _render_section(f"s{number}", section)
    if card.notices:
        yield '<section aria-labelledby="notices">\n<h2 id="notices">Notices</h2>\n<ul>'
        yield from (f"<li>{escape(notice)}</li>" for notice in card.notices)
        yield "</ul>\n</section>"


def _render_section(name: str, section: PlacardSection) -> Iterator[str]:
    amount = "Amount" if section.title == "Limits" else "Pays"
    yield f'<section aria-labelledby="{name}">\n<h2 id="{name}">{escape(section.title)}</h2>'
    yield '<table>\n<thead class="unseen"><tr><th scope="col">Wager</th>'
    yield f'<th scope="col">{amount}</th></tr></thead>\n<tbody>'
    yield from map(_render_row, section.rows)
    yield "</tbody>\n</table>"
    yield from (f"<p>{escape(note)}</p>" for note in section.notes)
    yield "</section>"


def _render_row(row: PlacardRow) -> str:
    note = f"<small>{escape(row.note)}</small>" if row.note else ""
    label = _DICE_PATTERN.sub(r'<span class="dice">\g<0></span>', escape(row.label))
    head = f'<th scope="row">{label}{note}</th>'
    return f"<tr>{head}<td>{escape(row.pays)}</td></tr>"
