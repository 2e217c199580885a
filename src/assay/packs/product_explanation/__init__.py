"""Explanations of one product to the shopper who searched for it."""
