"""Compute exact answers: solve Markov chains in fractions, or in doubles with compiled loops.

Nothing here samples play or knows how bets are decided: that is in the chains.
"""
