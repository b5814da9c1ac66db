"""Planetary."""
