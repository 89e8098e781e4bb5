"""Verifies that a child is confined: from outside, and by a program that attacks from inside."""
