"""One player's wagers: the layout's spots, what may be done with a wager, and what a roll does to
it.
"""
