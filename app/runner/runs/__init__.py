"""One run, from its ticket to its result."""
