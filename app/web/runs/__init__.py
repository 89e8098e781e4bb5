"""Turns a request for a run or a submission into an order for the runner, and the runner's events into an answer as they arrive."""
