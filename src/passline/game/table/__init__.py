"""The table: players, rails, the bank, the dice. Commands in, events or refusals out."""
