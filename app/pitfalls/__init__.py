"""Common mistakes: how each is found, what is said about it, and what mends it. Imports no framework, and of the app only app.protocol."""
