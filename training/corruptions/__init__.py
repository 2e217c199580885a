"""Rules that turn a true sentence into a false or an unfounded one, changing as little as they can."""
