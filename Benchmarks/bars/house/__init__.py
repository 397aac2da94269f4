"""How much code there is, and how often the same machinery occurs in it."""
