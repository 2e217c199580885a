"""Summaries of articles, examined by questions and with lower caps."""
