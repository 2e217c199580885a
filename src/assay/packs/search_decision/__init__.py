"""Summaries of search results on scales from 0 to 1, with a decision against the truth."""
