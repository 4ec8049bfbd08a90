"""Live tables: the log that is their only authority, and what keeps it.

This much needs nothing of the engine: entries and their chain, stores, tokens, the house's dice.
"""

__all__: list[str] = []
