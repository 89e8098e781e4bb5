"""Whether the course teaches what it has to, and whether its predictions can be guessed. Used by `gradroom lessons`."""
