"""The stores: in memory, in SQLite for one server, in PostgreSQL for any number of them.

Each brings its own library, so it is imported where it is opened.
"""

__all__: list[str] = []
