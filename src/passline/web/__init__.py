"""The live tables' face on the network: the API, its streams, and the pages."""
