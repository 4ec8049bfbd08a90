"""The audit of a log: reading it, and the checks that every entry must pass."""
