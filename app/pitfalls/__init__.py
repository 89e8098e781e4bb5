"""The words for the codes of diagnosis records. Called by web and by the runner; imports nothing of either."""
