"""Bars of the first contact: what a new user sees and presses."""
