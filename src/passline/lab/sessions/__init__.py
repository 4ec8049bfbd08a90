"""Sessions of play: the plan, the result, and the distribution of the final bankroll."""
