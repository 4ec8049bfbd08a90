"""The auditor of what wagers are worth: edges, long runs and sessions by other roads.

Nothing here imports the engine, nor the auditor's model of it: the figures are typed in from the
rulebooks (a module a book, the clause beside each), and the answers come from closed forms,
inclusion and exclusion, and plain enumeration, in fractions. The test modules alone meet the
engine, through its command line.
"""
