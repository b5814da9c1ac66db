"""Declare."""
