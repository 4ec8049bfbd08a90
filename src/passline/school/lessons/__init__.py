"""The lessons of the dealer school: TOML files, their loader, and the figures in them.

``lesson_files`` reads the files and makes their questions. ``figures`` asks the engine for every
amount, stack and call that a lesson shows.
"""
