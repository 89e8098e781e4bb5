# tries: to find the server's secrets in its environment
# outcome: finished
# mark: "the-secret-of-this-server"
import os

print(dict(os.environ))
