"""Pictures: bankrolls over time, final bankrolls, ruin. ``passline[plot]`` brings matplotlib.

The charts for the terminal (``passline.charts.terminal``) need nothing.
"""
