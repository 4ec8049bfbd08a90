"""Play Markov chains on an NVIDIA GPU: several rolls per random draw, one game per thread.

CuPy is imported only when a GPU is first used. Building the tables needs numpy only.
"""
