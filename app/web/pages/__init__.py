"""The pages: their rendering, their addresses, and the routes that belong to no part below. app.main includes the routes."""
