"""The crew's side of the table: what is called, announced, taken, paid and placed."""
