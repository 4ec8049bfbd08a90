"""Replay a game forward and back: the moments of a live table's log or of a record."""
