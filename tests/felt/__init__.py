"""The felt: zones, places, what lies there, and the picture."""
