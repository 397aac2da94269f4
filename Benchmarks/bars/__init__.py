"""One module a bar."""
