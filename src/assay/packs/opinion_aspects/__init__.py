"""Summaries of product reviews: their aspects, sentiments and detail."""
