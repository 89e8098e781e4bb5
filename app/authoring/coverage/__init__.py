"""Checks that the course teaches all that coverage.toml lists, and that its predictions cannot be guessed. Used by `gradroom lessons`."""
