"""What marks of cells at edges mean."""

__all__ = ["EDGES", "INSIDE"]

EDGES = (
    "", "tip of a", "tip of b", "root of a", "root of b", "end of face", "start of relief of a", "start of relief of b"
)  # fmt: skip
"""By the number of the mark; the root is where the involute begins."""
INSIDE = ("", "end of face", "start of relief of a", "start of relief of b")
"""Edges that belong to the pattern of contact over a flank."""
