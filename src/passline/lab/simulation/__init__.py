"""Play machines with random dice: many rolls, or many sessions, on all cores, a cluster or a GPU.

This package knows chains and machines, not the rules. Modules import numba and other heavy packages
only when they use them.
"""
