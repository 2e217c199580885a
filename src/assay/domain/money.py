"""Money in whole numbers: a price per token is a few millionths of a dollar."""

PICODOLLARS = 10**12
"""In a dollar."""
