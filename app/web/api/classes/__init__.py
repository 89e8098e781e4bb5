"""The routes of classes that answer with JSON or events."""
