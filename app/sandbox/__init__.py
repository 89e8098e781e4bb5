"""Confines learners' programs. Called by app.runner; the zygote and its children run what is here."""
