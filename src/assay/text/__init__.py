"""Deterministic text tools; offsets always point into the text as it was given."""
