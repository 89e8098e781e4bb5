"""The streams of classes, which tell browsers of changes. Called by the routes."""
