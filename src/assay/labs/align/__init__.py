"""Edits of a rubric that bring a judge closer to people: replayed on their labels, and tested on a hidden half."""
