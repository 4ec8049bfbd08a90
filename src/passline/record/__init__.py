"""A game as text: ``.craps`` files, read, dealt, written and reported as JSON."""
