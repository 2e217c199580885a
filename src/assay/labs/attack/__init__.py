"""Texts that try to talk a judge into a mark, and ordinary texts that only look like them."""
