"""Belts."""
