"""Real editors as clients."""
