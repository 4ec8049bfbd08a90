"""What every wager is worth: odds and par sheets, exact, from the engine that deals the wagers."""
