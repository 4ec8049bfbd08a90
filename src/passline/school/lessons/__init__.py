"""The lessons of the dealer school: TOML files, their loader, and the figures in them."""
