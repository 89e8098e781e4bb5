"""Predictions: their tables and texts, and the judging of answers."""
