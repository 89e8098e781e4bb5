"""Predictions: their tables and texts, and whether an answer is right."""
