"""Codes in, words out: wagers, refusals, calls and events as people read them, each worded once."""
