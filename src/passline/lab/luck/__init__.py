"""Luck and decisions: a hand's luck, an evening's split, the same throws under any strategy."""
