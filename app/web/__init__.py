"""The web process: the pages and the API. app.main calls it. Its parts import downward, in the order of the contract in pyproject.toml."""
