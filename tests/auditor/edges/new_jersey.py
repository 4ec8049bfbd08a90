"""The pays of `new-jersey`, typed in from the regulation."""

#: Wager and when, what it pays, the clause.
PAYS = """
pass               | 1 to 1 | 19:47-1.4(b)/pass
dont-pass          | 1 to 1 | 19:47-1.4(b)/dont-pass
come               | 1 to 1 | 19:47-1.4(b)/come
dont-come          | 1 to 1 | 19:47-1.4(b)/dont-come
place-win-4        | 9 to 5 | 19:47-1.4(b)/place-win-4
place-win-5        | 7 to 5 | 19:47-1.4(b)/place-win-5
place-win-6        | 7 to 6 | 19:47-1.4(b)/place-win-6
place-win-8        | 7 to 6 | 19:47-1.4(b)/place-win-8
place-win-9        | 7 to 5 | 19:47-1.4(b)/place-win-9
place-win-10       | 9 to 5 | 19:47-1.4(b)/place-win-10
place-lose-4       | 5 to 11 | 19:47-1.4(b)/place-lose-4
place-lose-5       | 5 to 8 | 19:47-1.4(b)/place-lose-5
place-lose-6       | 4 to 5 | 19:47-1.4(b)/place-lose-6
place-lose-8       | 4 to 5 | 19:47-1.4(b)/place-lose-8
place-lose-9       | 5 to 8 | 19:47-1.4(b)/place-lose-9
place-lose-10      | 5 to 11 | 19:47-1.4(b)/place-lose-10
hard-4             | 7 to 1 | 19:47-1.4(b)/hard-4
hard-6             | 9 to 1 | 19:47-1.4(b)/hard-6
hard-8             | 9 to 1 | 19:47-1.4(b)/hard-8
hard-10            | 7 to 1 | 19:47-1.4(b)/hard-10
field on 3,4,9,10,11 | 1 to 1 | 19:47-1.4(b)/field
field on 2         | 2 to 1 | 19:47-1.4(b)/field-2
field on 12        | 2 to 1 | 19:47-1.4(b)/field-12
any-seven on 7     | 4 to 1 | 19:47-1.4(b)/any-seven
any-craps on 2,3,12 | 7 to 1 | 19:47-1.4(b)/any-craps
craps-2 on 2       | 30 to 1 | 19:47-1.4(b)/craps-2
craps-3 on 3       | 15 to 1 | 19:47-1.4(b)/craps-3
craps-12 on 12     | 30 to 1 | 19:47-1.4(b)/craps-12
eleven on 11       | 15 to 1 | 19:47-1.4(b)/eleven
hop-2-2            | 30 to 1 | 19:47-1.4(b)/hop-2-2
hop-3-3            | 30 to 1 | 19:47-1.4(b)/hop-3-3
hop-4-4            | 30 to 1 | 19:47-1.4(b)/hop-4-4
hop-5-5            | 30 to 1 | 19:47-1.4(b)/hop-5-5
hop-1-3            | 15 to 1 | 19:47-1.4(b)/hop-1-3
hop-1-4            | 15 to 1 | 19:47-1.4(b)/hop-1-4
hop-1-5            | 15 to 1 | 19:47-1.4(b)/hop-1-5
hop-1-6            | 15 to 1 | 19:47-1.4(b)/hop-1-6
hop-2-3            | 15 to 1 | 19:47-1.4(b)/hop-2-3
hop-2-4            | 15 to 1 | 19:47-1.4(b)/hop-2-4
hop-2-5            | 15 to 1 | 19:47-1.4(b)/hop-2-5
hop-2-6            | 15 to 1 | 19:47-1.4(b)/hop-2-6
hop-3-4            | 15 to 1 | 19:47-1.4(b)/hop-3-4
hop-3-5            | 15 to 1 | 19:47-1.4(b)/hop-3-5
hop-3-6            | 15 to 1 | 19:47-1.4(b)/hop-3-6
hop-4-5            | 15 to 1 | 19:47-1.4(b)/hop-4-5
hop-4-6            | 15 to 1 | 19:47-1.4(b)/hop-4-6
horn               | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | 19:47-1.4(c)/horn
horn-high-2        | 2 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | 19:47-1.4(c)/horn-high
horn-high-3        | 1 craps-2 + 2 craps-3 + 1 eleven + 1 craps-12 | 19:47-1.4(c)/horn-high
horn-high-11       | 1 craps-2 + 1 craps-3 + 2 eleven + 1 craps-12 | 19:47-1.4(c)/horn-high
horn-high-12       | 1 craps-2 + 1 craps-3 + 1 eleven + 2 craps-12 | 19:47-1.4(c)/horn-high
c-and-e            | 1 any-craps + 1 eleven | 19:47-1.4(d)/c-and-e#1
whirl              | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 + 1 any-seven | 19:47-1.2(a)21#3
buy-4              | 2 to 1 | 19:47-1.5(a)/buy-4
buy-5              | 3 to 2 | 19:47-1.5(a)/buy-5
buy-6              | 6 to 5 | 19:47-1.5(a)/buy-6
buy-8              | 6 to 5 | 19:47-1.5(a)/buy-8
buy-9              | 3 to 2 | 19:47-1.5(a)/buy-9
buy-10             | 2 to 1 | 19:47-1.5(a)/buy-10
vig buy            | 1/20 of stake, made | 19:47-1.5(a)#2
lay-4              | 1 to 2 | 19:47-1.5(b)/lay-4
lay-5              | 2 to 3 | 19:47-1.5(b)/lay-5
lay-6              | 5 to 6 | 19:47-1.5(b)/lay-6
lay-8              | 5 to 6 | 19:47-1.5(b)/lay-8
lay-9              | 2 to 3 | 19:47-1.5(b)/lay-9
lay-10             | 1 to 2 | 19:47-1.5(b)/lay-10
vig lay            | 1/20 of stake, made | 19:47-1.5(b)#2
pass-odds-4        | 2 to 1 | 19:47-1.6(a)/pass-odds-4
pass-odds-5        | 3 to 2 | 19:47-1.6(a)/pass-odds-5
pass-odds-6        | 6 to 5 | 19:47-1.6(a)/pass-odds-6
pass-odds-8        | 6 to 5 | 19:47-1.6(a)/pass-odds-8
pass-odds-9        | 3 to 2 | 19:47-1.6(a)/pass-odds-9
pass-odds-10       | 2 to 1 | 19:47-1.6(a)/pass-odds-10
dont-pass-odds-4   | 1 to 2 | 19:47-1.6(b)/dont-pass-odds-4
dont-pass-odds-5   | 2 to 3 | 19:47-1.6(b)/dont-pass-odds-5
dont-pass-odds-6   | 5 to 6 | 19:47-1.6(b)/dont-pass-odds-6
dont-pass-odds-8   | 5 to 6 | 19:47-1.6(b)/dont-pass-odds-8
dont-pass-odds-9   | 2 to 3 | 19:47-1.6(b)/dont-pass-odds-9
dont-pass-odds-10  | 1 to 2 | 19:47-1.6(b)/dont-pass-odds-10
come-odds-4        | 2 to 1 | 19:47-1.6(c)/come-odds-4
come-odds-5        | 3 to 2 | 19:47-1.6(c)/come-odds-5
come-odds-6        | 6 to 5 | 19:47-1.6(c)/come-odds-6
come-odds-8        | 6 to 5 | 19:47-1.6(c)/come-odds-8
come-odds-9        | 3 to 2 | 19:47-1.6(c)/come-odds-9
come-odds-10       | 2 to 1 | 19:47-1.6(c)/come-odds-10
dont-come-odds-4   | 1 to 2 | 19:47-1.6(d)/dont-come-odds-4
dont-come-odds-5   | 2 to 3 | 19:47-1.6(d)/dont-come-odds-5
dont-come-odds-6   | 5 to 6 | 19:47-1.6(d)/dont-come-odds-6
dont-come-odds-8   | 5 to 6 | 19:47-1.6(d)/dont-come-odds-8
dont-come-odds-9   | 2 to 3 | 19:47-1.6(d)/dont-come-odds-9
dont-come-odds-10  | 1 to 2 | 19:47-1.6(d)/dont-come-odds-10
six-seven-eight on 1-5,2-4 if offers.six-seven-eight=true | 1 to 1 | 19:47-1.4(b)/six-seven-eight#1
six-seven-eight on 1-6,2-5 if offers.six-seven-eight=true | 1 to 1 | 19:47-1.4(b)/six-seven-eight#1
six-seven-eight on 3-4,2-6 if offers.six-seven-eight=true | 1 to 1 | 19:47-1.4(b)/six-seven-eight#1
six-seven-eight on 3-5 if offers.six-seven-eight=true | 1 to 1 | 19:47-1.4(b)/six-seven-eight#1
six-seven-eight on 3-3,4-4 if offers.six-seven-eight=true | 2 to 1 | 19:47-1.4(b)/six-seven-eight#2
fire on 4 if offers.fire=A | 24 to 1 | 19:47-1.4(e)/A/4
fire on 5 if offers.fire=A | 249 to 1 | 19:47-1.4(e)/A/5
fire on 6 if offers.fire=A | 999 to 1 | 19:47-1.4(e)/A/6
fire on 4 if offers.fire=B | 39 to 1 | 19:47-1.4(e)/B/4
fire on 5 if offers.fire=B | 199 to 1 | 19:47-1.4(e)/B/5
fire on 6 if offers.fire=B | 499 to 1 | 19:47-1.4(e)/B/6
"""
