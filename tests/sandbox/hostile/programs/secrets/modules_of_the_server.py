# tries: to import the server's own modules
# outcome: raised, forbidden
import app.web.guards.sessions

print("ESCAPED")
