# tries: a database outside its folder
# outcome: raised
# says: unable to open database file
import sqlite3

sqlite3.connect("/tmp/hostile.db").execute("create table t (x)")
print("ESCAPED")
import os

os.remove("/tmp/hostile.db")
