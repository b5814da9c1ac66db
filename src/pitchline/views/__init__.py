"""Results made visible.

Importing this room is cheap: matplotlib is loaded when the first picture is asked for.
"""

from pitchline.results.plotter import register_plotter
from pitchline.views.plots import plot

__all__ = ["plot"]

register_plotter(plot)
