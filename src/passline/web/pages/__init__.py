"""The pages outside the school: lobby, tables, replays, law, odds, sessions, documentation."""
