"""The pack of the rubric opinion-relevance."""
