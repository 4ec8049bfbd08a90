"""Split what a player won into luck and decisions, rank a session, and measure shooters' hands."""
