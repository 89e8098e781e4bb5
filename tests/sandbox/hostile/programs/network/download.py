# tries: to download with urllib
# outcome: forbidden
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer


class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()


server = HTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.handle_request).start()
urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/")
print("ESCAPED")
