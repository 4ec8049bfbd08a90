"""One player's wagers: the spots of a layout, what may be done with a wager, and its settlement.

A layout is all wagers that a house deals. Each is a spot, such as ``place-win-6``, with its odds,
limits and what every throw does to it.
"""
