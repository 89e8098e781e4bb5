"""The commands and tools for people who write lessons. Called by app.cli and, in author mode, by app.serving."""
