"""Meshes of solid elements from files, and their faces."""
