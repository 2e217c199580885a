"""Measures attacks on a judge: texts that ask for a high score, and benign texts that look like them."""
