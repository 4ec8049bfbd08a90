"""The law: rulebooks as typed data in which every value cites its clause.

A value that no clause states comes from the customs, a set of defaults shared by all books, and
cites "custom" with a reason. The clauses themselves are in registers, one for each rulebook.
"""
