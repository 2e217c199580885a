"""Proves prices, ratings and discounts in the table of a product comparison against the products' fields."""
