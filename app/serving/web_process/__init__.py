"""The port, the user and the HTTP server of a web process, where each request arrives. The rest of app.serving calls this package."""
