"""What a server does in addition when it serves a course to its author. Used by app.serving.author."""
