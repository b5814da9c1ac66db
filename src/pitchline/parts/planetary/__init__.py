"""Planetary gear trains, and gearboxes specified by a ratio."""
