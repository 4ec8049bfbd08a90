"""Explore the engine under a strategy into a finite table: ``next[state, outcome]`` and ``money``.

Modules that need numpy (``passline[lab]``) are apart from those that do not.
"""
