"""Makes the data of templates from the course."""
