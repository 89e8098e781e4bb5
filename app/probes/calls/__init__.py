"""A call of a Function that can be repeated: with new copies of its arguments, and with everything restored that it may change."""
