"""Whole replies in a rubric's own format, from another tool or a user's own prompt, read by the rubric's shape table."""
