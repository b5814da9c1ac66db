"""Parts of source text: products, sums and indented lines. An empty text stands for zero."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["indented", "minus", "product", "total"]


def product(*factors: str) -> str:
    """Product; empty if a factor is."""
    if not all(factors):
        return ""
    return "*".join(f"({factor})" if " + " in factor or " - " in factor else factor for factor in factors)


def total(terms: Iterable[str], otherwise: str = "") -> str:
    """Sum of the terms that are not empty."""
    return " + ".join(term for term in terms if term) or otherwise


def minus(term: str) -> str:
    """The negative of a product."""
    return f"-{term}" if term else ""


def indented(lines: Iterable[str], depth: int) -> list[str]:
    """Lines at a depth."""
    return ["    " * depth + line for line in lines]
