"""What the crew does: stick calls, work lists, procedures, payoffs in chips, and press moves."""
