"""The process that has imported a framework and forks a child for each run; what it finds out about its host."""
