"""The scheme of a model: wheels, bodies, joints and springs in two views, to scale."""

from .drawing import plot_scheme

__all__ = ["plot_scheme"]
