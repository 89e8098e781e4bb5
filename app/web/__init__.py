"""The web process: the pages and the API. app.main puts them together. A contract in pyproject.toml lists the layers of this package."""
