"""The bars of the models."""
