"""The port, the user and the server of a web process. The processes and commands of app.serving use them."""
