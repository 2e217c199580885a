"""Compares the determination of a trial-eligibility answer with the truth, and measures the answer's language."""
