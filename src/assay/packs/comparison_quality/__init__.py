"""Comparisons of three products: clarity, informativeness, query relevance."""
