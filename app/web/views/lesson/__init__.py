"""What the templates of a lesson get: its text, cells, exercises and highlighted code. Called by the pages and by the home page."""
