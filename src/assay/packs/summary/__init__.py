"""Summaries of any text: coherence, consistency, fluency, relevance."""
