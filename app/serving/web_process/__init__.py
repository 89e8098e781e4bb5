"""The port, the user and the HTTP server of a web process, where each request arrives. The processes and commands of app.serving use them."""
