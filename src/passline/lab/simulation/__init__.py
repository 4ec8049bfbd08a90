"""Playing machines with random dice: many rolls, or many sessions, on all cores.

This package knows chains and machines, not the rules. Nothing heavy is imported before it is used.
"""
