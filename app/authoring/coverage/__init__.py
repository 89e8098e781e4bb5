"""Checks that the course teaches what it has to, and that its predictions cannot be guessed. Used by `gradroom lessons`."""
