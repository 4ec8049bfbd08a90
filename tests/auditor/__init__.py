"""The auditor: hand-worked games and a second model of the rules that shares nothing with ours.

Nothing here imports the engine's rules (``law``, ``house``, ``layout``, ``table``): the figures are
typed in from the rulebooks and ``decisions.md``, the arithmetic is its own, in whole cents. The one
bridge is ``bridge.py``, which hands a game to the record dealer as text and takes JSON back.
"""
