"""Summaries of meetings, held to the transcript."""
