"""Times and progress as text."""

from __future__ import annotations

__all__ = ["engineering", "line_of", "span"]

_PREFIXES = ((1.0, ""), (1e-3, "m"), (1e-6, "u"), (1e-9, "n"))


def engineering(seconds: float) -> str:
    """Time with a prefix: 12.5 ms."""
    size = abs(seconds)
    scale, prefix = next(((s, p) for s, p in _PREFIXES if size >= 0.9995 * s), _PREFIXES[-1] if size else _PREFIXES[0])
    return f"{seconds / scale:.4g} {prefix}s"


def span(seconds: float) -> str:
    """Duration: 8 s, 2 min 5 s, 3 h 12 min, 5 days 4 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} days {whole % 86400 // 3600} h"


def line_of(title: str, fraction: float | None, detail: str, seconds: float, left: float | None = None) -> str:
    """One line: title, fraction done, current operation, elapsed time, and the remaining time if the fraction is known."""
    words = [title if fraction is None else f"{title} {fraction:4.0%}"]
    if detail:
        words.append(detail)
    words.append(span(seconds))
    if left is None and fraction is not None and 0.02 < fraction < 1.0:
        left = seconds * (1.0 - fraction) / fraction
    if left is not None:
        words.append(f"{span(left)} left")
    return "  ".join(words)
