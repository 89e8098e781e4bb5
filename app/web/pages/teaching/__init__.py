"""The pages on which people teach classes. Each looks its class up together with the sender, so nobody else finds it."""
