# tries: to load a library through sqlite
# outcome: raised
# twin: none: this Python was built without extensions of sqlite, or there is none to load
import sqlite3

connection = sqlite3.connect(":memory:")
connection.enable_load_extension(True)
connection.load_extension("/usr/lib/hostile")
