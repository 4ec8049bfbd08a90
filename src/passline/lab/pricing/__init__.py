"""What every wager is worth: exact odds and par sheets, from the engine that deals the wagers."""
