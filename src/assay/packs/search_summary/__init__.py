"""Compares the user's question with the query that was sent to the search engine."""
