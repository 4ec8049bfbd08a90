"""The dealer school: questions from the engine and the crew's data, and answers to them marked."""
