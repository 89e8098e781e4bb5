"""The cards of a course: one printed sheet each, made from what its lessons and app.pitfalls say. app.lessons.course loads them."""
