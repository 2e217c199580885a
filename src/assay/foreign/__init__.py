"""Reads whole replies in a rubric's own format, from other tools, by the rubric's shape table."""
