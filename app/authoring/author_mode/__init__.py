"""What a server has in addition when it serves a course to the person who writes it. Used by app.serving.author."""
