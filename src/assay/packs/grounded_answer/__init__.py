"""Grounded answers: a question, its sources, and an answer that may decline."""
