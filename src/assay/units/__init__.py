"""Cutting texts into units, and holding what is said of them to the text."""
