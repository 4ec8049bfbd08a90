"""The pays of `section-2`, typed in from the regulation."""

#: Wager and when, what it pays, the clause.
PAYS = """
pass               | 1 to 1 | 2(d)(2)/pass
dont-pass          | 1 to 1 | 2(d)(2)/dont-pass
come               | 1 to 1 | 2(d)(2)/come
dont-come          | 1 to 1 | 2(d)(2)/dont-come
place-win-4        | 9 to 5 | 2(d)(2)/place-win-4
place-win-5        | 7 to 5 | 2(d)(2)/place-win-5
place-win-6        | 7 to 6 | 2(d)(2)/place-win-6
place-win-8        | 7 to 6 | 2(d)(2)/place-win-8
place-win-9        | 7 to 5 | 2(d)(2)/place-win-9
place-win-10       | 9 to 5 | 2(d)(2)/place-win-10
place-lose-4       | 5 to 11 | 2(d)(2)/place-lose-4
place-lose-5       | 5 to 8 | 2(d)(2)/place-lose-5
place-lose-6       | 4 to 5 | 2(d)(2)/place-lose-6
place-lose-8       | 4 to 5 | 2(d)(2)/place-lose-8
place-lose-9       | 5 to 8 | 2(d)(2)/place-lose-9
place-lose-10      | 5 to 11 | 2(d)(2)/place-lose-10
hard-4             | 7 to 1 | 2(d)(2)/hard-4
hard-6             | 9 to 1 | 2(d)(2)/hard-6
hard-8             | 9 to 1 | 2(d)(2)/hard-8
hard-10            | 7 to 1 | 2(d)(2)/hard-10
field on 3,4,9,10,11 | 1 to 1 | 2(d)(2)/field
field on 2         | 2 to 1 | 2(d)(2)/field-2
field on 12        | 2 to 1 | 2(d)(2)/field-12
any-seven on 7     | 4 to 1 | 2(d)(2)/any-seven
any-craps on 2,3,12 | 7 to 1 | 2(d)(2)/any-craps
craps-2 on 2       | 30 to 1 | 2(d)(2)/craps-2
craps-3 on 3       | 15 to 1 | 2(d)(2)/craps-3
craps-12 on 12     | 30 to 1 | 2(d)(2)/craps-12
eleven on 11       | 15 to 1 | 2(d)(2)/eleven
hop-2-2            | 30 to 1 | 2(d)(2)/hop-2-2
hop-3-3            | 30 to 1 | 2(d)(2)/hop-3-3
hop-4-4            | 30 to 1 | 2(d)(2)/hop-4-4
hop-5-5            | 30 to 1 | 2(d)(2)/hop-5-5
hop-1-3            | 15 to 1 | 2(d)(2)/hop-1-3
hop-1-4            | 15 to 1 | 2(d)(2)/hop-1-4
hop-1-5            | 15 to 1 | 2(d)(2)/hop-1-5
hop-1-6            | 15 to 1 | 2(d)(2)/hop-1-6
hop-2-3            | 15 to 1 | 2(d)(2)/hop-2-3
hop-2-4            | 15 to 1 | 2(d)(2)/hop-2-4
hop-2-5            | 15 to 1 | 2(d)(2)/hop-2-5
hop-2-6            | 15 to 1 | 2(d)(2)/hop-2-6
hop-3-4            | 15 to 1 | 2(d)(2)/hop-3-4
hop-3-5            | 15 to 1 | 2(d)(2)/hop-3-5
hop-3-6            | 15 to 1 | 2(d)(2)/hop-3-6
hop-4-5            | 15 to 1 | 2(d)(2)/hop-4-5
hop-4-6            | 15 to 1 | 2(d)(2)/hop-4-6
horn               | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | 2(d)(3)/horn
horn-high-2        | 2 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 | 2(d)(3)/horn-high
horn-high-3        | 1 craps-2 + 2 craps-3 + 1 eleven + 1 craps-12 | 2(d)(3)/horn-high
horn-high-11       | 1 craps-2 + 1 craps-3 + 2 eleven + 1 craps-12 | 2(d)(3)/horn-high
horn-high-12       | 1 craps-2 + 1 craps-3 + 1 eleven + 2 craps-12 | 2(d)(3)/horn-high
c-and-e            | 1 any-craps + 1 eleven | 2(d)(4)/c-and-e
whirl              | 1 craps-2 + 1 craps-3 + 1 eleven + 1 craps-12 + 1 any-seven | 2(b)(1)(xxi)#2
buy-4              | 2 to 1 | 2(e)(1)/buy-4
buy-5              | 3 to 2 | 2(e)(1)/buy-5
buy-6              | 6 to 5 | 2(e)(1)/buy-6
buy-8              | 6 to 5 | 2(e)(1)/buy-8
buy-9              | 3 to 2 | 2(e)(1)/buy-9
buy-10             | 2 to 1 | 2(e)(1)/buy-10
vig buy            | 1/20 of stake, made | 2(e)(1)#2
lay-4              | 1 to 2 | 2(e)(2)/lay-4
lay-5              | 2 to 3 | 2(e)(2)/lay-5
lay-6              | 5 to 6 | 2(e)(2)/lay-6
lay-8              | 5 to 6 | 2(e)(2)/lay-8
lay-9              | 2 to 3 | 2(e)(2)/lay-9
lay-10             | 1 to 2 | 2(e)(2)/lay-10
vig lay            | 1/20 of win, made | 2(e)(2)#2
pass-odds-4        | 2 to 1 | 2(f)(1)/pass-odds-4
pass-odds-5        | 3 to 2 | 2(f)(1)/pass-odds-5
pass-odds-6        | 6 to 5 | 2(f)(1)/pass-odds-6
pass-odds-8        | 6 to 5 | 2(f)(1)/pass-odds-8
pass-odds-9        | 3 to 2 | 2(f)(1)/pass-odds-9
pass-odds-10       | 2 to 1 | 2(f)(1)/pass-odds-10
dont-pass-odds-4   | 1 to 2 | 2(f)(2)/dont-pass-odds-4
dont-pass-odds-5   | 2 to 3 | 2(f)(2)/dont-pass-odds-5
dont-pass-odds-6   | 5 to 6 | 2(f)(2)/dont-pass-odds-6
dont-pass-odds-8   | 5 to 6 | 2(f)(2)/dont-pass-odds-8
dont-pass-odds-9   | 2 to 3 | 2(f)(2)/dont-pass-odds-9
dont-pass-odds-10  | 1 to 2 | 2(f)(2)/dont-pass-odds-10
come-odds-4        | 2 to 1 | 2(f)(3)/come-odds-4
come-odds-5        | 3 to 2 | 2(f)(3)/come-odds-5
come-odds-6        | 6 to 5 | 2(f)(3)/come-odds-6
come-odds-8        | 6 to 5 | 2(f)(3)/come-odds-8
come-odds-9        | 3 to 2 | 2(f)(3)/come-odds-9
come-odds-10       | 2 to 1 | 2(f)(3)/come-odds-10
dont-come-odds-4   | 1 to 2 | 2(f)(4)/dont-come-odds-4
dont-come-odds-5   | 2 to 3 | 2(f)(4)/dont-come-odds-5
dont-come-odds-6   | 5 to 6 | 2(f)(4)/dont-come-odds-6
dont-come-odds-8   | 5 to 6 | 2(f)(4)/dont-come-odds-8
dont-come-odds-9   | 2 to 3 | 2(f)(4)/dont-come-odds-9
dont-come-odds-10  | 1 to 2 | 2(f)(4)/dont-come-odds-10
"""
