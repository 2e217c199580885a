"""Translations, held to the source text."""
