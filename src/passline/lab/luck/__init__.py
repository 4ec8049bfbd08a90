"""Split luck from decisions in a record, rank a session, and measure shooters' hands."""
