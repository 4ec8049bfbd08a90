"""What a strategy or a night comes to: the library's ``machine``, ``simulate`` and ``session``."""
