"""The dealer school in the browser: its pages and its API. What it asks, marks and keeps is
``passline.school``'s.
"""
