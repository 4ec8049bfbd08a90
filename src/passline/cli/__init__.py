"""The command line. Each module is one command; it reads options, calls the library and prints
results.
"""

__all__: list[str] = []
