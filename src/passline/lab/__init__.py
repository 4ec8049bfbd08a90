"""Analyze strategies and sessions: the library's ``machine``, ``simulate`` and ``session``."""
