"""The rules of the game, without input or output: dice, money, law, house, layout, table, words."""
