"""Classes: who is in them and who teaches them, hands, notes, the board and the points. It knows no HTTP.

app.classroom.work uses `presence`, `memberships` and `class_notices`, which use only the store. The other modules are above
app.classroom.work.
"""
