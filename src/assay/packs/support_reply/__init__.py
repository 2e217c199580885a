"""Replies of customer support, held to the manual or policy."""
