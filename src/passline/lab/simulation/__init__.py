"""Play strategies with random dice: many rolls, or many sessions, on all cores, a cluster or a GPU.

This package plays finite state machines and Markov chains; it does not know the rules. Modules
import numba and other heavy packages only when they use them.
"""
