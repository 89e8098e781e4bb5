"""The commands and the tools of people who write lessons. Called by app.cli and, in author mode, by app.serving."""
