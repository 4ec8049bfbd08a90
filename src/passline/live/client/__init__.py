"""A client of live tables: what a program needs to sit down, speak and follow the log.

The one part of ``passline.live`` that knows HTTP, and only from the outside.
"""
