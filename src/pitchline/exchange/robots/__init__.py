"""Robots from URDF and MJCF files."""
