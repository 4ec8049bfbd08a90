"""Exact answers: chains solved in fractions."""

#: Chains of more states are not solved for their long run unless asked: it would take minutes.
SOLVED = 5_000

__all__ = ["SOLVED"]
