"""Exact answers: chains solved in fractions."""

__all__: list[str] = []
