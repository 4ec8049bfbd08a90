"""The dealer school on the web: its API and its pages. The teaching is in ``passline.school``."""
