"""The terminal table: a game, its screen, its prompt, and other players who bet by strategy."""
