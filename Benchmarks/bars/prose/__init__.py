"""How the program, its documents, and its code read."""
