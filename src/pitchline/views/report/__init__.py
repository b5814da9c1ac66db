"""The report: one HTML file with model, results and method."""
