"""The catalog of words: codes of wagers, events and refusals as sentences for people."""
