"""Points: how attempts count, the table of a class, points that teachers gave instead, and CSV for Canvas and Moodle.

Points are computed from the attempts each time. app.web calls this package; the store does not.
"""
