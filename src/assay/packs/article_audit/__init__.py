"""The pack of the rubric article-audit."""
