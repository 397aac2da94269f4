"""One folder an area, one module a bar."""
