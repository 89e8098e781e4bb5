"""The warm processes that children are forked from, and the children that wait for runs."""
