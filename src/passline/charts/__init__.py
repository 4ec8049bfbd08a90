"""Pictures: bankrolls over time, final bankrolls, ruin. ``passline[plot]`` brings matplotlib.

The charts for the terminal (``passline.charts.terminal``) need nothing.
"""

from passline.charts import terminal
from passline.charts.drawings import draw_result
from passline.charts.errors import ChartError
from passline.charts.files import check_path
from passline.charts.marks import heading
from passline.charts.sessions import save_sessions, session_figure
from passline.charts.simulation import save_simulation, simulation_figure

__all__ = [
    "ChartError",
    "check_path",
    "draw_result",
    "heading",
    "save_sessions",
    "save_simulation",
    "session_figure",
    "simulation_figure",
    "terminal",
]
