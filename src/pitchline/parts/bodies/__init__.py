"""Bodies."""
