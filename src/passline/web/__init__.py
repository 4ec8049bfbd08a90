"""The web server: the HTTP API, event streams and pages of live tables and of the school."""
