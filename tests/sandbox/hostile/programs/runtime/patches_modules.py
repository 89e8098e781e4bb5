# tries: to forge what is reported by changing the modules that report
# outcome: raised, finished, crashed
# mark: "forged by the program"
import json
import sys

import msgspec

TWIN = False  # twin: True
msgspec.msgpack.encode = lambda *_: b"forged by the program"
json.dumps = lambda *_: "forged by the program"
for name, module in list(sys.modules.items()):
    if name.startswith("app."):
        for attribute in ("write_frame", "encode_frame", "describe", "classify", "message_of"):
            if hasattr(module, attribute):
                setattr(module, attribute, lambda *_: None)
if TWIN:
    print(json.dumps({}))
1 / 0
