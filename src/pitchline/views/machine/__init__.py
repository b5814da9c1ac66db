"""Solid pictures of machines: the scene of the viewer at one state, drawn by the rasteriser of this package."""
