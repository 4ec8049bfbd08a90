"""The live table under faults: the real server on a simulated clock, network and disk, by seed.

``run(seed)`` is one world from its opening to its audit; ``python -m tests.simulated`` runs many.
"""
