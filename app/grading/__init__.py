"""The web side of grading: from an exercise to the order for the runner, and from a verdict to what the learner is told."""
