"""Answers held to the instructions that they were to follow."""
