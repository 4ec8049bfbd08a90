"""Any result of the lab, drawn as SVG that stands by itself."""

from __future__ import annotations

from fractions import Fraction

from passline.charts.marks import shorten
from passline.charts.svg import bars_svg, fan_svg, line_svg, worths_svg
from passline.results import Drawing, LabResult, ResultTable, show_money, show_part
from passline.sessions import Distribution, Session

#: Bars that a picture has at most.
_BARS = 30
#: The looks of a picture that no page's style reaches; light, on any ground.
_STYLE = (
    "svg.passline{background:#fff;max-width:720px}"
    "svg.passline text{font:12px sans-serif;fill:#222}"
    "svg.passline .grid{stroke:#ddd;fill:none}"
    "svg.passline .mark{stroke:#555;stroke-dasharray:4 3;fill:none}"
    "svg.passline .bar{fill:#5b7fa6}"
    "svg.passline .outer{fill:#cfdcea}svg.passline .inner{fill:#9dbbd8}"
    "svg.passline .median{stroke:#1d3d5c;stroke-width:2;fill:none}"
)
_ROOT = '<svg class="chart"'
_OWN = '<svg xmlns="http://www.w3.org/2000/svg" class="chart passline"'


def draw_result(found: LabResult) -> Drawing:
    """Draw a result; ValueError where there is nothing to see."""
    listing, title = found.listed(), found.headline()
    if not listing.up or not listing.records:
        raise ValueError(f"there is nothing to draw of {found!r}")
    if isinstance(found, Session) and len(found.fan) > 1:
        drawn = fan_svg(found, shorten(title, 60))
    else:
        drawn = _draw_listing(listing, shorten(title, 120))
    head, _, rest = drawn.replace(_ROOT, _OWN, 1).partition(">")
    return Drawing(title, f"{head}><style>{_STYLE}</style>{rest}")


def _draw_listing(listing: ResultTable, title: str) -> str:
    names = list(listing.columns)
    at, of = names.index(listing.across), names.index(listing.up)
    kind = listing.columns[listing.across]
    if listing.line:
        cents = 100 if kind == "money" else 1
        points = [(record[at] / cents, float(record[of])) for record in listing.records]
        return line_svg(title, (listing.across, listing.up), points)
    if kind == "money":
        pairs = sorted((record[at], float(record[of])) for record in listing.records)
        worths, weights = (tuple(column) for column in zip(*pairs, strict=True))
        return worths_svg(Distribution(worths, weights, 1.0), title, listing.across)
    if kind == "count":
        points = [(float(record[at]), float(record[of])) for record in listing.records]
        return line_svg(title, (listing.across, listing.up), points)
    own = listing.columns[listing.up]
    bars = [
        (shorten(str(record[at]), 26), float(record[of]), _figure(record[of], own))
        for record in listing.records
        if record[of] is not None
    ]
    shown = listing.up + (f", the first {_BARS}" if len(bars) > _BARS else "")
    return bars_svg(title, shown, bars[:_BARS])


def _figure(value: Fraction | float, kind: str) -> str:
    if kind == "money":
        return show_money(value)
    return show_part(value) if kind == "share" else f"{float(value):,.4g}"
