"""The pages: the lobby and its form, the law, what wagers are worth, the documentation."""
