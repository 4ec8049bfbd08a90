"""The law: rulebooks as typed, cited data, and the registers of their clauses."""
