"""The commands for operators: for the store, learners, classes, receipts, retention and instructors. app.cli calls them."""
