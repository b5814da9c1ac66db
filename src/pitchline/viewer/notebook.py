"""Pages inside notebooks: where they are shown, and the frame that holds one."""

from __future__ import annotations

import builtins
import html

__all__ = ["frame", "in_notebook"]

MOST_INLINE = 20_000_000
"""Bytes of a page inside a notebook: it is stored with the notebook, and sent to the browser with every output."""


def in_notebook() -> bool:
    """Whether the program runs in a kernel of Jupyter, which shows the last value of a cell by itself."""
    shell = getattr(builtins, "get_ipython", None)  # of IPython, while it runs a cell
    return shell is not None and hasattr(shell(), "kernel")


def frame(page: str, title: str, height: int) -> str:
    """A page in a frame of its own: its styles and scripts and those of the notebook do not touch each other.

    The sandbox gives it an origin of its own, so that it reaches neither the notebook nor its server. It has its own colours
    (`View.theme`), whatever the notebook has. A grey border with transparency fits both.
    """
    called, inside = html.escape(title, quote=True), html.escape(page, quote=True)
    return (
        f'<iframe title="{called}" width="100%" height="{height}" sandbox="allow-scripts allow-downloads" '
        f'allow="fullscreen" loading="lazy" style="border: 1px solid #8884; border-radius: 4px" '
        f'srcdoc="{inside}"></iframe>'
    )
