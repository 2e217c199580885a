"""The pack of the rubric search-summary."""
