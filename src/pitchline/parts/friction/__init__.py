"""Friction."""
