"""The command line. A module with the name of a command is that command; the others help them.

A command reads options, calls the library and prints results.
"""

__all__: list[str] = []
