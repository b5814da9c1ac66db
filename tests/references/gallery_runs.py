"""Models of the gallery, each run once for all tests that look at it."""

from functools import lru_cache

from pitchline import gallery
from pitchline.gallery.figures import Figure, Run

__all__ = ["figures_of", "run_of"]


@lru_cache
def run_of(name: str) -> Run:
    """Its analyses by name."""
    return gallery.model(name).run()


@lru_cache
def figures_of(name: str) -> dict[str, Figure]:
    """Its figures by key."""
    return {figure.key: figure for figure in gallery.model(name).figures(run_of(name))}
