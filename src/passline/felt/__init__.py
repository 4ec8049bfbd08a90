"""The felt: a house's layout as a plan, what lies on it, and its picture."""

from passline.felt.lying import lie_of
from passline.felt.pieces import Lie
from passline.felt.plan import Cell, FeltPlan, plan_felt
from passline.felt.svg import draw_plan, style_sheet
from passline.felt.svg_lie import draw_table
from passline.felt.svg_stack import chip_symbols, draw_stack

__all__ = [
    "Cell",
    "FeltPlan",
    "Lie",
    "chip_symbols",
    "draw_plan",
    "draw_stack",
    "draw_table",
    "lie_of",
    "plan_felt",
    "style_sheet",
]
