"""Classes of learners: members, teachers, raised hands, notes, the board and the points. Nothing here knows HTTP.

app.classroom.work uses `presence`, `memberships` and `class_notices`, which use only the store. The other modules may use
app.classroom.work.
"""
