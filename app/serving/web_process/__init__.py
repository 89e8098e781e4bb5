"""What web needs to start and to serve: its port, its user, and uvicorn's server. The processes and commands of app.serving use it."""
