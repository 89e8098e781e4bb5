"""Turns a request into an order for the runner, and the runner's events into an answer."""
