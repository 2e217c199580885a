"""Assay judges generated texts against what they were made from, and shows its evidence."""
