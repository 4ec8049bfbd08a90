"""Table talk: what people at the table say, understood as commands, and said back to them."""
