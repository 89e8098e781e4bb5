"""Recognizes learners, and limits how often they send requests, over how many connections, and how much they store."""
