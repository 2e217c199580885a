"""Test equipment, shipped: servers that behave, misbehave on demand, or hold a real small model.

Nothing in here is imported by the rest of the package.
"""
