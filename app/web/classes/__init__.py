"""The streams of classes, which send changes to browsers. Called by the routes."""
