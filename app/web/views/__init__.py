"""What templates are given, made from the course."""
