"""Reading what a model wrote, however it wrote it."""
