"""Answers to questions about one clinical trial."""
