"""``passline felt``: draw a layout and the bets on it, as SVG, text or JSON."""

from __future__ import annotations

import click
import msgspec

from passline.cli.common import (
    Elections,
    complete_rulebook,
    election_option,
    example_epilog,
    exit_on_house_error,
    fail,
    game_option,
    json_text,
)
from passline.cli.files import (
    check_outputs,
    force_option,
    open_record_file,
    write_output,
)
from passline.felt.layout_contents import find_layout_contents
from passline.felt.plan import plan_felt
from passline.felt.svg import draw_table
from passline.felt.text_drawing import draw_text
from passline.game.house.load import house_for
from passline.game.table.events import Rolled
from passline.game.table.open_close import unopened_table
from passline.game.table.state import Table
from passline.game.table.table_ends import count_places
from passline.record.deal import deal_lines, load_record_house, open_record_table
from passline.record.read import read_lines

_VIEWS = {"left": "end:left", "right": "end:right", "center": "center", "whole": "whole"}


@click.command(epilog=example_epilog("passline felt iowa --end left"))
@click.argument(
    "source", metavar="[RULEBOOK|FILE]", required=False, shell_complete=complete_rulebook
)
@game_option
@election_option
@click.option("--record", metavar="RECORD|-", help="Draw the bets at the end of this record.")
@click.option(
    "--end",
    type=click.Choice(list(_VIEWS)),
    default="whole",
    show_default=True,
    help="Draw one end, left or right as the boxperson sees it, or the center.",
)
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), help="Default: as the viewer prefers."
)
@click.option("--text", "as_text", is_flag=True, help="Draw with characters, for the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print the layout and the bets as JSON.")
@click.option("--out", metavar="OUT", default="-", help="Write to OUT (- for standard output).")
@force_option
def command(
    source: str | None,
    game: str | None,
    options: Elections,
    record: str | None,
    end: str,
    theme: str | None,
    as_text: bool,
    as_json: bool,
    out: str,
    force: bool,
) -> None:
    """Draw the felt of a RULEBOOK, or of the house in a house-rules FILE, as SVG.

    With --record, draw the felt of that game's house with every bet on it when the game ends.
    """
    if source is not None and record is not None:
        fail("give either a rulebook or --record, not both")
    if source is None and record is None:
        fail("name a RULEBOOK or a house-rules FILE, or use --record FILE.craps")
    if as_text and as_json:
        fail("choose one of --text and --json")
    if record is not None and (game or options):
        fail(
            f"{'--game' if game else '-o'} can't be used with --record: the record names its house"
        )
    check_outputs({"out": out})
    faces = None
    if record is not None:
        table, faces = _deal_record_file(record)
    else:
        with exit_on_house_error():
            table = unopened_table(house_for(source or "", game, options))
    plan = plan_felt(table.layout, count_places(table))
    contents = find_layout_contents(table, faces)
    view = _VIEWS[end]
    if view not in plan.views:
        fail(f"--end {end}: this layout has only the {plan.ends[0]} end")
    if as_text:
        drawing = draw_text(plan, contents, view)
    elif as_json:
        drawing = json_text(msgspec.to_builtins({"plan": plan, "lie": contents})) + "\n"
    else:
        drawing = draw_table(table, plan, contents, view, standalone=True, theme=theme or "") + "\n"
    write_output(drawing, out)


def _deal_record_file(source: str) -> tuple[Table, tuple[int, int] | None]:
    """Return (table, dice): the table at the end of a record, and the last throw or None."""
    faces = None
    with open_record_file(source) as (lines, _, folder):
        record, rest = read_lines(lines)
        table = open_record_table(record, load_record_house(record, folder))
        for entry, _, after in deal_lines(table, rest):
            table = after
            for event in entry.events:
                if isinstance(event, Rolled):
                    faces = (event.first, event.second)
    return table, faces
