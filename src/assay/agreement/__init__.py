"""Statistics of two lists of judgements, with their uncertainty."""
