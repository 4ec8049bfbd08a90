"""The dice: the 36 outcomes of two of them, and what each weighs.

What a total means is the law's business, not the dice's.
"""
