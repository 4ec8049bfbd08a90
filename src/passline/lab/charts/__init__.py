"""Charts of bankrolls, final distributions, ruin and simulated means.

``passline[plot]`` installs matplotlib, for PNG and SVG files. The charts for the terminal
(``charts.terminal``) and for pages and notebooks (``charts.svg``) need no extra package.
"""
