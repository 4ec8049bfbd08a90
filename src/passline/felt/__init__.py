"""The felt of a house: its plan, what is on it, and its picture as SVG or text."""
