"""What is said about mistakes: codes and their words. Called by web and by the runner; imports nothing of either."""
