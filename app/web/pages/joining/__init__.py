"""The pages of learners in a class: joining, coming back, the page of a class, and handing a computer on. Called by the app."""
