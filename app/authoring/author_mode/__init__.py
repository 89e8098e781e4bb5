"""What a server can do for the author of a course, in addition to serving it. Used by app.serving.author."""
