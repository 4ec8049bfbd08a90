"""Analyze betting strategies: what they cost, how sessions end, which bankroll they need.

A strategy at a table becomes a ``machine``, a finite state machine. ``session`` solves it exactly,
and ``simulate`` plays it with random dice.
"""
