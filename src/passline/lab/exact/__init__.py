"""Compute exact answers: solve Markov chains in fractions, or in doubles with compiled loops.

Nothing here draws random numbers or knows the rules of craps.
"""
