"""What an operator does with the store from the command line: finds, exports and erases learners, checks receipts, looks at retention."""
