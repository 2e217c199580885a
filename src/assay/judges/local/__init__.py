"""Pair models from a folder or a model hub, in the embedded model's place."""
