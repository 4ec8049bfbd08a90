"""The command line: a face over the library, one module a command."""

__all__: list[str] = []
