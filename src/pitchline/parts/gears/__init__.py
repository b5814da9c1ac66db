"""Gears."""
