"""What is drawn of a model or a result, from its description."""
