"""Fuzzing: targets that hold the readers to their rules on any bytes, the runs over them, and the report."""
