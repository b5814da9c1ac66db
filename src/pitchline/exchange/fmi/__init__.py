"""Functional mock-up units (FMI 2.0 and 3.0, co-simulation): models out, controllers and loads of other programs in."""
