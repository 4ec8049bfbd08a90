"""Sessions: what is planned, how they end, and the distributions of what is left."""
