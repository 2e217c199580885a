"""Rubric: the answers of an assistant in a conversation."""
