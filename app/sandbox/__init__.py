"""Confines learners' programs. Called by app.runner; most of it runs in zygotes and their children."""
