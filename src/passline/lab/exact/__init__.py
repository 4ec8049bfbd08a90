"""Exact answers: Markov chains solved in fractions, or in doubles by compiled loops. No sampling,
no rules.
"""
