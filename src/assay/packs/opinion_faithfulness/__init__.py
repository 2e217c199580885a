"""Summaries of product reviews: is everything in them in the data?"""
