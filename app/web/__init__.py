"""The web process: pages and the API. Below app.main. Its parts import downward in the order of pyproject.toml's contract."""
