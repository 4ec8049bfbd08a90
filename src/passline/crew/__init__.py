"""What the crew does: stick calls, work lists, procedures between rolls, and payoffs in chips.

It also shows how a dealer presses a bet, which is to raise a winning place bet from its payoff.
"""
