"""A client of live tables, for programs that sit down, say lines and follow the log.

This is the only part of ``passline.live`` that uses HTTP.
"""
