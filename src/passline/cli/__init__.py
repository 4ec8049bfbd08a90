"""The command line: each module is one command.

It reads options, calls the library and prints results.
"""

__all__: list[str] = []
