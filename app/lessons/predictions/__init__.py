"""Predictions: their tables and texts, and whether an answer to one is right."""
