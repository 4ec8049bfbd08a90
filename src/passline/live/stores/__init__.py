"""The stores of live tables: in memory, in SQLite for one server, in PostgreSQL for any number."""
