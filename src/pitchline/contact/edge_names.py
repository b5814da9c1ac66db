"""What marks of cells at edges mean."""

__all__ = ["EDGES"]

EDGES = ("", "tip of a", "tip of b", "root of a", "root of b", "end of face")
"""By the number of the mark; the root is where the involute begins."""
