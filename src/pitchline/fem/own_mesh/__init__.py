"""Elastic gears from solid meshes of other programs."""
