"""Citations in summaries of search results."""
