"""The cards of a course: one sheet each, of what its lessons and app.pitfalls say. app.lessons.course loads them."""
