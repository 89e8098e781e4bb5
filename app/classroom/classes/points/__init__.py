"""Points: what an exercise counts, the table of a class, what teachers gave instead, and CSV for Canvas and Moodle.

Nothing is summed up in advance: points are read from the attempts each time. Called by app.web and by nothing of the store.
"""
