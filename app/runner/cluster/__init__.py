"""The client of runners on several machines. Web uses it in place of app.runner.socket_runner; nothing here imports Ray."""
