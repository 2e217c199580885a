"""Records, rubrics and banks on disk."""
