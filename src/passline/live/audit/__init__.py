"""The audit of a table's log: read it, and check every entry."""
