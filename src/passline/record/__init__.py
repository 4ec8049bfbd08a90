"""A game as text: table talk, ``.craps`` files, dealing and replaying them."""
