"""Playing in the terminal: a table, a prompt, others at the rail."""
