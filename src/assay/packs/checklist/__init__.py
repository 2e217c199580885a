"""Checklists: criteria that each record brings, with points."""
