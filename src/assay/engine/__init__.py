"""The layer between a judge and its model: retries, limits, cache and cost."""
