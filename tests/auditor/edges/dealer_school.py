"""The pays of `dealer-school`, typed in from the school's manual."""

#: Wager and when, what it pays, the clause.
PAYS = """
pass               | 1 to 1 | pass-line/pays
dont-pass          | 1 to 1 | dont-pass/2-3
come               | 1 to 1 | come/pays
dont-come          | 1 to 1 | dont-come/pays
place-win-4        | 9 to 5 | place/4-10
place-win-5        | 7 to 5 | place/5-9
place-win-6        | 7 to 6 | place/6-8
place-win-8        | 7 to 6 | place/6-8
place-win-9        | 7 to 5 | place/5-9
place-win-10       | 9 to 5 | place/4-10
hard-4             | 7 to 1 | hardways/4-10
hard-6             | 9 to 1 | hardways/6-8
hard-8             | 9 to 1 | hardways/6-8
hard-10            | 7 to 1 | hardways/4-10
field on 3,4,9,10,11 | 1 to 1 | field/single
field on 2,12      | 2 to 1 | field/double
any-seven on 7     | 4 to 1 | prop.any-7
any-craps on 2,3,12 | 7 to 1 | prop.any-craps
craps-2 on 2       | 30 to 1 | horn/2
craps-3 on 3       | 15 to 1 | horn/3
craps-12 on 12     | 30 to 1 | horn/12
eleven on 11       | 15 to 1 | prop.yo
hop-2-2            | 30 to 1 | prop.3-way/one-way
hop-3-3            | 30 to 1 | prop.3-way/one-way
hop-4-4            | 30 to 1 | prop.3-way/one-way
hop-5-5            | 30 to 1 | prop.3-way/one-way
hop-1-3            | 15 to 1 | prop.3-way/two-ways
hop-1-4            | 15 to 1 | prop.3-way/two-ways
hop-1-5            | 15 to 1 | prop.3-way/two-ways
hop-1-6            | 15 to 1 | prop.3-way/two-ways
hop-2-3            | 15 to 1 | prop.3-way/two-ways
hop-2-4            | 15 to 1 | prop.3-way/two-ways
hop-2-5            | 15 to 1 | prop.3-way/two-ways
hop-2-6            | 15 to 1 | prop.3-way/two-ways
hop-3-4            | 15 to 1 | prop.3-way/two-ways
hop-3-5            | 15 to 1 | prop.3-way/two-ways
hop-3-6            | 15 to 1 | prop.3-way/two-ways
hop-4-5            | 15 to 1 | prop.3-way/two-ways
hop-4-6            | 15 to 1 | prop.3-way/two-ways
horn               | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | horn/definition
horn-high-2        | 2 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | horn-high/definition
horn-high-3        | 1 craps-2 + 2 craps-3 + 1 eleven + 1 craps-12 | horn-high/definition
horn-high-11       | 1 craps-2 + 1 craps-3 + 2 eleven + 1 craps-12 | horn-high/definition
horn-high-12       | 1 craps-2 + 1 craps-3 + 1 eleven + 2 craps-12 | horn-high/definition
whirl              | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 + 1 any-seven | whirl/definition
c-and-e            | 1 any-craps + 1 eleven | prop.c-and-e/craps
hi-lo              | 1 craps-2 + 1 craps-12 | prop.hi-lo/key
buy-4              | 2 to 1 | buy/true-odds
buy-5              | 3 to 2 | buy/true-odds
buy-6              | 6 to 5 | buy/true-odds
buy-8              | 6 to 5 | buy/true-odds
buy-9              | 3 to 2 | buy/true-odds
buy-10             | 2 to 1 | buy/true-odds
vig buy-4          | 1/20 of stake, won | buy.vig/4-10-on-win
vig buy-10         | 1/20 of stake, won | buy.vig/4-10-on-win
vig buy            | 1/20 of stake, made | buy.vig/rate
lay-4              | 1 to 2 | lay/true-odds
lay-5              | 2 to 3 | lay/true-odds
lay-6              | 5 to 6 | lay/true-odds
lay-8              | 5 to 6 | lay/true-odds
lay-9              | 2 to 3 | lay/true-odds
lay-10             | 1 to 2 | lay/true-odds
vig lay            | 1/20 of win, made | lay.vig/rate
pass-odds-4        | 2 to 1 | pass-odds/4-10
pass-odds-5        | 3 to 2 | pass-odds/5-9
pass-odds-6        | 6 to 5 | pass-odds/6-8
pass-odds-8        | 6 to 5 | pass-odds/6-8
pass-odds-9        | 3 to 2 | pass-odds/5-9
pass-odds-10       | 2 to 1 | pass-odds/4-10
dont-pass-odds-4   | 1 to 2 | dont-odds/4-10
dont-pass-odds-5   | 2 to 3 | dont-odds/5-9
dont-pass-odds-6   | 5 to 6 | dont-odds/6-8
dont-pass-odds-8   | 5 to 6 | dont-odds/6-8
dont-pass-odds-9   | 2 to 3 | dont-odds/5-9
dont-pass-odds-10  | 1 to 2 | dont-odds/4-10
come-odds-4        | 2 to 1 | come/pays
come-odds-5        | 3 to 2 | come/pays
come-odds-6        | 6 to 5 | come/pays
come-odds-8        | 6 to 5 | come/pays
come-odds-9        | 3 to 2 | come/pays
come-odds-10       | 2 to 1 | come/pays
dont-come-odds-4   | 1 to 2 | dont-come/odds
dont-come-odds-5   | 2 to 3 | dont-come/odds
dont-come-odds-6   | 5 to 6 | dont-come/odds
dont-come-odds-8   | 5 to 6 | dont-come/odds
dont-come-odds-9   | 2 to 3 | dont-come/odds
dont-come-odds-10  | 1 to 2 | dont-come/odds
"""
