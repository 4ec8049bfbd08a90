"""The pays of `iowa`, typed in from the casino's manual."""

#: Wager and when, what it pays, the clause.
PAYS = """
pass               | 1 to 1 | payout/pass
dont-pass          | 1 to 1 | payout/dont-pass
come               | 1 to 1 | payout/come
dont-come          | 1 to 1 | payout/dont-come
place-win-4        | 9 to 5 | payout/place-4
place-win-5        | 7 to 5 | payout/place-5
place-win-6        | 7 to 6 | payout/place-6
place-win-8        | 7 to 6 | payout/place-8
place-win-9        | 7 to 5 | payout/place-9
place-win-10       | 9 to 5 | payout/place-10
hard-4             | 7 to 1 | payout/hard-4
hard-6             | 9 to 1 | payout/hard-6
hard-8             | 9 to 1 | payout/hard-8
hard-10            | 7 to 1 | payout/hard-10
big-6              | 1 to 1 | max.6
big-8              | 1 to 1 | max.6
field on 3,4,9,10,11 | 1 to 1 | payout/field-3-4-9-10-11
field on 2         | 2 to 1 | payout/field-2
field on 12        | 2 to 1 | payout/field-12
any-seven on 7     | 4 to 1 | payout/any-seven
any-craps on 2,3,12 | 7 to 1 | payout/any-craps
craps-2 on 2       | 30 to 1 | payout/craps-2
craps-3 on 3       | 15 to 1 | payout/craps-3
craps-12 on 12     | 30 to 1 | payout/craps-12
eleven on 11       | 15 to 1 | payout/eleven
hop-2-2            | 30 to 1 | wagers.10.hop/2-2
hop-3-3            | 30 to 1 | wagers.10.hop/3-3
hop-4-4            | 30 to 1 | wagers.10.hop/4-4
hop-5-5            | 30 to 1 | wagers.10.hop/5-5
hop-1-3            | 15 to 1 | wagers.10.hop/3-1
hop-1-4            | 15 to 1 | wagers.10.hop/4-1
hop-1-5            | 15 to 1 | wagers.10.hop/5-1
hop-1-6            | 15 to 1 | wagers.10.hop/6-1
hop-2-3            | 15 to 1 | wagers.10.hop/3-2
hop-2-4            | 15 to 1 | wagers.10.hop/4-2
hop-2-5            | 15 to 1 | wagers.10.hop/5-2
hop-2-6            | 15 to 1 | wagers.10.hop/6-2
hop-3-4            | 15 to 1 | wagers.10.hop/4-3
hop-3-5            | 15 to 1 | wagers.10.hop/5-3
hop-3-6            | 15 to 1 | wagers.10.hop/6-3
hop-4-5            | 15 to 1 | wagers.10.hop/5-4
hop-4-6            | 15 to 1 | wagers.10.hop/6-4
horn               | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | def.horn-bet#2
horn-high-2        | 2 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | def.horn-high-bet
horn-high-3        | 1 craps-2 + 2 craps-3 + 1 eleven + 1 craps-12 | def.horn-high-bet
horn-high-11       | 1 craps-2 + 1 craps-3 + 2 eleven + 1 craps-12 | def.horn-high-bet
horn-high-12       | 1 craps-2 + 1 craps-3 + 1 eleven + 2 craps-12 | def.horn-high-bet
hi-lo              | 1 craps-2 + 1 craps-12 | def.hi-lo
three-way-craps    | 1 craps-2 + 1 craps-3 + 1 craps-12 | def.three-way-craps
buy-4              | 2 to 1 | buy/odds-4-10
buy-5              | 3 to 2 | buy/odds-5-9
buy-6              | 6 to 5 | buy/odds-6-8
buy-8              | 6 to 5 | buy/odds-6-8
buy-9              | 3 to 2 | buy/odds-5-9
buy-10             | 2 to 1 | buy/odds-4-10
vig buy            | 1/20 of stake, made | buy/vig
lay-4              | 1 to 2 | lay/odds-4-10
lay-5              | 2 to 3 | lay/odds-5-9
lay-6              | 5 to 6 | lay/odds-6-8
lay-8              | 5 to 6 | lay/odds-6-8
lay-9              | 2 to 3 | lay/odds-5-9
lay-10             | 1 to 2 | lay/odds-4-10
vig lay            | 1/20 of win, made | lay/vig
pass-odds-4        | 2 to 1 | wagers.5.c.A/4-10
pass-odds-5        | 3 to 2 | wagers.5.c.A/5-9
pass-odds-6        | 6 to 5 | wagers.5.c.A/6-8
pass-odds-8        | 6 to 5 | wagers.5.c.A/6-8
pass-odds-9        | 3 to 2 | wagers.5.c.A/5-9
pass-odds-10       | 2 to 1 | wagers.5.c.A/4-10
dont-pass-odds-4   | 1 to 2 | wagers.5.d.B/4-10
dont-pass-odds-5   | 2 to 3 | wagers.5.d.B/5-9
dont-pass-odds-6   | 5 to 6 | wagers.5.d.B/6-8
dont-pass-odds-8   | 5 to 6 | wagers.5.d.B/6-8
dont-pass-odds-9   | 2 to 3 | wagers.5.d.B/5-9
dont-pass-odds-10  | 1 to 2 | wagers.5.d.B/4-10
come-odds-4        | 2 to 1 | wagers.5.c.B/4-10
come-odds-5        | 3 to 2 | wagers.5.c.B/5-9
come-odds-6        | 6 to 5 | wagers.5.c.B/6-8
come-odds-8        | 6 to 5 | wagers.5.c.B/6-8
come-odds-9        | 3 to 2 | wagers.5.c.B/5-9
come-odds-10       | 2 to 1 | wagers.5.c.B/4-10
dont-come-odds-4   | 1 to 2 | wagers.5.d.A/4-10
dont-come-odds-5   | 2 to 3 | wagers.5.d.A/5-9
dont-come-odds-6   | 5 to 6 | wagers.5.d.A/6-8
dont-come-odds-8   | 5 to 6 | wagers.5.d.A/6-8
dont-come-odds-9   | 2 to 3 | wagers.5.d.A/5-9
dont-come-odds-10  | 1 to 2 | wagers.5.d.A/4-10
"""
