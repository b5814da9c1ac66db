"""Belts and chains between two wheels."""
