"""Summaries of product reviews, held to the reviews and the data of the shop."""
