"""Gears: their data and geometry, exact tooth surfaces, modifications, wheels of a model, and pictures of teeth."""

from . import geometry as geometry  # first: its files, `modifications` and `teeth` import each other in this order
