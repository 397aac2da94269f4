"""Generators of sample traces: one module a format, one module a story."""
