"""Safety of an assistant's answers."""
