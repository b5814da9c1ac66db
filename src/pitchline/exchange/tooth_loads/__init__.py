"""Forces of single teeth over time as loads for stress analysis."""
