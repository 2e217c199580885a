"""Rubric: a report on a table of data."""
