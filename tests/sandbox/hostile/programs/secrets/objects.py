# tries: to find the server's secrets among the objects in its own memory
# outcome: finished
import gc
import os
import sys

TWIN = False  # twin: True
secret = "the-secret-" + "of-this-server"
kept = {"found": os.environ.get("GRADROOM_COOKIE_SECRET")} if TWIN else {}
seen = [kept]
frame = sys._getframe()
while frame:
    seen.append(frame.f_locals)
    frame = frame.f_back
for thing in [*gc.get_objects(), *seen]:
    try:
        members = list(thing.values()) if isinstance(thing, dict) else list(thing) if isinstance(thing, (list, tuple, set)) else []
    except Exception:
        continue
    if any(type(member) is str and member == secret and member is not secret for member in members):
        print("ESCAPED")
