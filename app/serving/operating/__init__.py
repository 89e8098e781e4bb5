"""What an operator does from the command line: with the store, learners, receipts, retention and instructors. app.cli calls it."""
