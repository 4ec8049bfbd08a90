"""Step through a game forward and back, from a live table's log or from a record."""
