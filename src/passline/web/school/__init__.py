"""The dealer school on the web: its API and its pages. ``passline.school`` does the teaching."""
