"""The felt: a house's layout as a plan, what lies on it, and its picture."""
