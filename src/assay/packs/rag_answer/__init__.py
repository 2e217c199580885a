"""Answers of retrieval-augmented generation, with the contexts that were retrieved and a reference."""
