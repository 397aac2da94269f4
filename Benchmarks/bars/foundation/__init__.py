"""Bars of the foundation: screens, keys, imports."""
