"""The words about each diagnosis, by its code. Called by web and by the runner; imports nothing of either."""
