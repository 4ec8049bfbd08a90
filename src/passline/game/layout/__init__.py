"""One player's wagers: the layout's spots, what may be done with a wager, and its settlement."""
