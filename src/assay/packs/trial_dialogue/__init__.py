"""Turns of a trial assistant: intent, missing details, off-topic messages, medical terms."""
