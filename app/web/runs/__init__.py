"""From a request to an order for the runner, and from its events to an answer."""
