"""The gradients that a call should have, and the incoming gradients for which they are asked. The other probes compare with them."""
