"""The pages of the course: its map, its chapters, its lessons and their images. app.main includes their routes."""
