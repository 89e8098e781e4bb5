# tries: to pretend that its interpreter crashed, in another line
# outcome: crashed
# says: exit status
# twin: dies
import os

os.write(2, b'Fatal Python error: Segmentation fault\n\nCurrent thread (most recent call first):\n  File "<source>", line 999999 in x\n')
os._exit(139)
