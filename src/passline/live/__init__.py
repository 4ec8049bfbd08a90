"""Live tables: games of craps that several people play over a network. Nothing here opens sockets.

A table's log is a list of entries. An entry holds either a line that somebody said and the events
that followed (bets, rolls, payments), or an act without a line, such as an invitation. Each entry
contains the hash of the one before it. The log alone determines the state of the table.

A post is a job of the crew, such as stick, box or base dealer. The auto dealer, whose role is
``machine``, works the posts that no person has. A holder is the role and name that a token gives. A
house is a rulebook with the options (elections) that an operator chose. A dice commitment is the
published hash of the secret that decides the next throw.
"""
