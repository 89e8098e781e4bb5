"""The data of templates, made from the course."""
