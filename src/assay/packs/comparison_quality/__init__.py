"""Comparisons of three products: are they clear, informative and to the query?"""
