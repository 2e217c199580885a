"""What stands between a judge and its model: one owner of retries, limits, cache and money."""
