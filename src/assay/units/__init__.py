"""Cuts texts into units, and checks what a judge copied from the texts."""
